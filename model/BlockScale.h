//===- BlockScale.h - The scales of mma with block scaling ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma ... .block_scale multiplies equal parts of each row of A and of each
// column of B by scales of their own: PTX ISA 9.7.14.3, "Block Scaling for
// mma.sync". A thread's register has four scales, of which byte-id and
// thread-id choose. The ISA's text tells which threads and which bytes have a
// part in it, but not which row or part of K each is of; its figures are not
// used here. Rows, columns and the order of the bytes are those of CUTLASS
// (mma_traits_sm120.hpp: SFALayout, SFBLayout), and of kernels that were probed
// on sm_120a. Nothing of it has been run by this project.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_BLOCKSCALE_H
#define NVPTX_MMA_MODEL_BLOCKSCALE_H

#include "WarpArithmetic.h"
#include "WarpFragment.h"

#include <optional>
#include <vector>

namespace devicetest {

/// The scales of a row of A or a column of B: 1, 2 or 4, by .scale_vec::1X, 2X
/// or 4X. scale_A is a matrix of M x ScaleVector, scale_B of ScaleVector x N.
using ScaleVector = unsigned;

struct ScaleSelector {
  unsigned ThreadId, ByteId;
};

/// The selectors that PTX defines (table 37), for A or B.
std::vector<ScaleSelector> scaleSelectors(WarpOperand Operand,
                                          ScaleVector Vector);

/// Where in scale_A or scale_B byte \p Byte of a thread's register is, or
/// nothing when the selector passes it over.
std::optional<WarpPosition> scalePosition(WarpOperand Operand,
                                          ScaleVector Vector, ScaleSelector S,
                                          unsigned Thread, unsigned Byte);
/// The inverse.
WarpPlace scalePlace(WarpOperand Operand, ScaleSelector S,
                     const WarpPosition &P);

/// D = (A * scale_A) * (B * scale_B) + C, where the sum is exact. A sparse A is
/// passed with its zeros.
WarpMatrix scaledMultiplyAccumulate(const WarpMatrix &A,
                                    const WarpMatrix &ScaleA,
                                    const WarpMatrix &B,
                                    const WarpMatrix &ScaleB,
                                    const WarpMatrix &C);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_BLOCKSCALE_H
