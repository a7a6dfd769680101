//===- FakeDevice.h - An interpreter in place of the GPU --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the instructions from the hardware's side: for each element of a
// matrix it computes the register or the address to fetch it from, where the
// model goes from registers and addresses to elements. On request it makes a
// mistake, which shows whether the tests would notice.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_FAKEDEVICE_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_FAKEDEVICE_H

#include "Driver.h"
#include "RegisterPlace.h"

#include <functional>
#include <optional>

namespace devicetest {

class FakeDevice : public Backend {
public:
  std::string open() override { return OpenError; }
  std::string upload(const Batch &Inputs) override;
  std::string launch(const DeviceTest &T, Output &Out) override;
  unsigned multiprocessors() const override { return 4; }

  std::string OpenError;
  std::string LaunchError;
  /// Changes the instruction before it is executed.
  std::function<void(Instruction &)> Miscompile;
  /// Takes another descriptor, of A (true) or B, than the given one.
  std::function<uint64_t(bool, uint64_t)> Descriptor;
  /// Rounds a floating point result; otherwise, it is rounded to the nearest.
  std::function<double(double)> Round;
  /// Changes the place of an element of A in registers, or of its metadata.
  std::function<void(RegisterPlace &)> MoveFragment, MoveMetadata;
  /// Changes a nibble of the metadata.
  std::function<uint32_t(uint32_t)> Nibble;
  /// Changes the output of a launch.
  std::function<void(Output &)> Damage;
  /// Takes the fragment of A of so many steps later.
  unsigned FragmentsAhead = 0;
  /// Takes the metadata of so many steps later, the last step's at most.
  unsigned MetadataAhead = 0;
  bool IgnoreScaleD = false;
  /// Takes subnormal elements of A and B for zeros.
  bool FlushSubnormals = false;
  unsigned Launches = 0;

private:
  void execute(const Instruction &I, unsigned Problem, unsigned Step,
               std::vector<double> &D) const;
  double value(Element Type, uint32_t Bits) const;
  std::vector<double> unpackedA(const Instruction &I, unsigned Problem,
                                unsigned Step) const;
  uint32_t packedA(const Instruction &I, unsigned Problem, unsigned Step,
                   unsigned Row, unsigned Column) const;
  uint64_t descriptor(bool OfA, unsigned Problem, unsigned Step) const;
  uint32_t fromShared(unsigned Problem, Element Type, uint64_t Bit) const;

  std::optional<Batch> Inputs;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_FAKEDEVICE_H
