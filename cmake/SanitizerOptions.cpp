//===- SanitizerOptions.cpp - For tools that are instrumented in part -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packaged libraries are not instrumented. Memory that instrumented code
// marks and they touch, or the other way round, would be a false alarm: the
// elements of containers, and what LLVM's allocators have not handed out. LLVM
// frees little at the end, so that leaks say nothing.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0:"
         "detect_odr_violation=0";
}

extern "C" const char *__ubsan_default_options();
extern "C" const char *__ubsan_default_options() {
  return "print_stacktrace=1";
}
