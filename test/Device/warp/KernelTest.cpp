//===- KernelTest.cpp - Tests of one kernel each --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <cstdio>

using namespace devicetest;

void Outcome::compare(uint64_t Expected, uint64_t Got,
                      const std::function<std::string()> &Describe) {
  ++Elements;
  if (Expected == Got)
    return;
  ++Wrong;
  if (Fault.empty())
    Fault = Describe();
}

void Outcome::addNote(const std::string &Text) {
  if (!Text.empty())
    Note += (Note.empty() ? "" : "; ") + Text;
}

bool Outcome::launch(Launch &L, WarpDevice &Device) {
  std::string Error = L.run(Device, DeviceFailed);
  if (Fault.empty())
    Fault = Error;
  return !DeviceFailed;
}

std::string devicetest::expectedAndGot(Element Type, uint64_t Expected,
                                       uint64_t Got) {
  char Text[160];
  int Digits = (bitWidth(Type) + 3) / 4;
  std::snprintf(
      Text, sizeof(Text), "expected 0x%0*llx (%.17g), got 0x%0*llx (%.17g)",
      Digits, static_cast<unsigned long long>(Expected), decode(Type, Expected),
      Digits, static_cast<unsigned long long>(Got), decode(Type, Got));
  return Text;
}

Outcome devicetest::testKernel(const Manifest &M, const Kernel &K,
                               WarpDevice &Device) {
  if (K.Family.rfind("wmma", 0) == 0)
    return testWmma(M, K, Device);
  if (K.Family.rfind("mma", 0) == 0)
    return testMma(K, Device);
  return testMatrixMove(K, Device);
}
