//===- NVPTXWGMMATuples.h - Registers that wgmma needs in a row -*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// The hardware takes an accumulator, and a fragment of A, in consecutive
/// registers. PTX does not say so, but a virtual register with a place in two
/// different lists makes ptxas move values between the wgmma, and wait for them
/// first. So each register has a place in one list alone, its tuple. Sparsity
/// metadata is a list of one: read from a register of an accumulator, ptxas
/// takes what that starts from for written in flight.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATUPLES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATUPLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Register.h"
#include <optional>

namespace llvm {
class MachineFunction;
class MachineInstr;
class MachineRegisterInfo;

/// The registers that \p WGMMA accumulates in.
SmallVector<Register, 128> getAccumulator(const MachineInstr &WGMMA);

/// The registers of a fragment of A, or none where A is in shared memory.
SmallVector<Register, 4> getFragmentOfA(const MachineInstr &WGMMA,
                                        const MachineRegisterInfo &MRI);

class WGMMATuples {
public:
  /// ptxas keeps them apart: a fragment that lies in an accumulator makes it
  /// move values, too.
  enum class Kind { Accumulator, FragmentOfA, Metadata };

  /// Where a register stands.
  struct Place {
    unsigned Tuple;
    unsigned Index;
    bool operator==(const Place &Other) const {
      return Tuple == Other.Tuple && Index == Other.Index;
    }
  };

  ArrayRef<Register> operator[](unsigned Tuple) const {
    return Tuples[Tuple].Registers;
  }
  Kind getKind(unsigned Tuple) const { return Tuples[Tuple].TheKind; }
  std::optional<Place> find(Register Reg) const;

  /// Makes a tuple of \p Registers, unless they are one already. False if that
  /// contradicts the tuples that there are.
  bool add(ArrayRef<Register> Registers, Kind TheKind);

  /// \p Old is named \p New from now on.
  void rename(Register Old, Register New);
  /// \p Gone, a tuple, has become one with another.
  void forget(unsigned Gone);

private:
  struct Tuple {
    SmallVector<Register, 0> Registers;
    Kind TheKind;
  };

  SmallVector<Tuple, 0> Tuples;
  DenseMap<Register, Place> Places;
};

/// The tuples of all wgmma: those of accumulators first, since it is fragments
/// of A and metadata that give way.
WGMMATuples collectWGMMATuples(const MachineFunction &MF);

/// Whether \p Reg has a place in a tuple: a wgmma accumulates in it or reads it
/// as a part of A or as metadata.
bool isInWGMMATuple(Register Reg, const MachineRegisterInfo &MRI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATUPLES_H
