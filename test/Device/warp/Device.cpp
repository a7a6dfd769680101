//===- Device.cpp - What executes the kernels -----------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <cstring>

using namespace devicetest;

Launch::Launch(const Kernel &K, unsigned Ctas)
    : K(K), Ctas(Ctas), In(2 * GuardWords + Ctas * K.inRecord(), Poison),
      Out(2 * GuardWords + Ctas * K.outRecord(), Poison) {}

unsigned Launch::inStride() const {
  return K.inWords() + (K.kind() == KernelKind::Store ? ParameterWords : 0);
}

void Launch::setParameters(unsigned Cta, unsigned Thread,
                           const MemoryParameters &P) {
  uint32_t *To = K.kind() == KernelKind::Load
                     ? in(Cta) + ImageWords + Thread * ParameterWords
                     : in(Cta) + Thread * inStride() + K.inWords();
  std::memcpy(To, &P, sizeof(P));
}

std::string Launch::run(WarpDevice &Device, bool &DeviceFailed) {
  std::vector<uint32_t> Before = In;
  std::string Error = Device.launch(K, Ctas, In, Out);
  DeviceFailed = !Error.empty();
  if (DeviceFailed)
    return Error;
  if (In != Before)
    return "the instruction wrote to its inputs";
  for (size_t Index = 0; Index != GuardWords; ++Index) {
    if (Out[GuardWords - 1 - Index] != Poison)
      return "write " + std::to_string(Index + 1) +
             " words before the start of the output";
    if (Out[Out.size() - GuardWords + Index] != Poison)
      return "write " + std::to_string(Index + 1) +
             " words past the end of the output";
  }
  return "";
}
