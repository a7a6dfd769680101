//===- RegisterPlace.h - Where hardware finds an element --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the hardware's side, independently of the model, which goes from
// registers and addresses to elements: the tests compare the two.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_REGISTERPLACE_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_REGISTERPLACE_H

#include "Element.h"

#include <cstdint>

namespace devicetest {

/// Where hardware finds an element: \p Index counts within the register, from
/// the low bits, in units of the element (of a nibble for metadata).
struct RegisterPlace {
  unsigned Thread, Register, Index;
};

RegisterPlace findInFragment(Element A, unsigned Row, unsigned PackedColumn);
RegisterPlace findInMetadata(Element A, unsigned Selector, unsigned Row,
                             unsigned Chunk);
RegisterPlace findInAccumulator(Element D, unsigned Row, unsigned Column);
/// The bit at which an element starts.
uint64_t findInShared(uint64_t Descriptor, Element Type, bool Transposed,
                      unsigned MN, unsigned K);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_REGISTERPLACE_H
