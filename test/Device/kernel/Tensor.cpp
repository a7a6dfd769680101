//===- Tensor.cpp - What a box of a tensor looks like ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

using namespace kernel_tests;

Tensor::Tensor(size_t ElementBytes, std::vector<uint64_t> Sizes,
               uint64_t RowBytes)
    : ElementBytes(ElementBytes), Dims(std::move(Sizes)) {
  Strides = {ElementBytes, RowBytes};
  Strides.resize(Dims.size());
  for (size_t I = 2; I < Dims.size(); ++I)
    Strides[I] = Strides[I - 1] * Dims[I - 1];
}

std::optional<size_t> Tensor::offset(const std::vector<int64_t> &Place) const {
  size_t Offset = 0;
  for (size_t I = 0; I != Dims.size(); ++I) {
    if (Place[I] < 0 || Place[I] >= static_cast<int64_t>(Dims[I]))
      return std::nullopt;
    Offset += static_cast<size_t>(Place[I]) * Strides[I];
  }
  return Offset;
}

void Box::forEach(
    const std::function<void(const std::vector<int64_t> &)> &Visit) const {
  std::vector<uint32_t> Index(Sizes.size(), 0);
  std::vector<int64_t> Place(Sizes.size());
  for (;;) {
    for (size_t I = 0; I != Sizes.size(); ++I)
      Place[I] = Start[I] + Index[I];
    Visit(Place);
    size_t I = 0;
    while (I != Sizes.size() && ++Index[I] == Sizes[I])
      Index[I++] = 0;
    if (I == Sizes.size())
      return;
  }
}

void PixelBox::forEach(
    const std::function<void(const std::vector<int64_t> &)> &Visit) const {
  size_t Last = Dims.size() - 1;
  std::vector<int64_t> Base = Start;
  for (uint32_t Pixel = 0; Pixel != Pixels; ++Pixel) {
    std::vector<int64_t> Place = Base;
    for (size_t I = 1; I != Last; ++I)
      Place[I] += I <= Offsets.size() ? Offsets[I - 1] : 0;
    for (uint32_t Channel = 0; Channel != Channels; ++Channel) {
      Place[0] = Start[0] + Channel;
      Visit(Place);
    }
    // From the upper corner on to the lower one of the next row.
    size_t I = 1;
    for (; I != Last; ++I) {
      int64_t End = static_cast<int64_t>(Dims[I]) + Upper[I - 1];
      if (++Base[I] < End)
        break;
      Base[I] = Lower[I - 1];
    }
    if (I == Last)
      ++Base[Last];
  }
}
