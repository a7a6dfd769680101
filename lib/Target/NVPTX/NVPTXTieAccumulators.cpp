//===- NVPTXTieAccumulators.cpp - One register for each accumulator -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async updates its accumulator in place: PTX has one operand for
// what are two lists of registers here, the one defined and the one read, and
// up to 128 registers in each. A constraint cannot tie these, since a tie holds
// four bits of an operand's number, both in MCOI::TIED_TO and in
// MachineOperand; from the seventeenth operand on TwoAddressInstruction would
// silently tie others.
//
// This pass does for them what TwoAddressInstruction does for tied operands:
//
//   %d0, ... = WGMMA %c0, ...        %d0 = COPY %c0
//                              =>    ...
//                                    %d0, ... = WGMMA %d0, ...
//
// It runs straight after it, with and without optimization. Where a copy stays,
// the accumulator was needed afterwards too; in a loop that carries it round,
// none does.
//
// In a chain of wgmma copies are not even made: the accumulator simply stays in
// its register where nothing else reads or writes that. With up to 128 of them
// for each instruction, the coalescer would take longer than all else. Without
// optimization kill flags, and so the chains, end with the block. The first of
// a chain gets its copies: where they are, after all that was waited for, the
// register may still be in flight when the value is computed.
//
// A fragment of A gets registers of its own where the ones that it has stand in
// another order somewhere else, or in an accumulator (see NVPTXWGMMATuples.h);
// so does metadata.
//
// A constant that is copied is written anew: from copies out of a register that
// an accumulator needs, too, ptxas concludes that it has to move values. So is
// the clock that an accumulator starts from (see NVPTXSeparateWGMMAResults).
//
// Here ends the work of wgmma.fence_operand, too. Up to here it has kept the
// instructions that compute in their places, before and after the wait; nothing
// moves them any more. From here on it is the copy that it always was, of which
// all know that it changes no value.
//
// Invariant from here on: in every instruction with the IsWGMMA flag, use i of
// the accumulator is the register of def i. The instruction's printer relies on
// it; the machine verifier asks verifyAccumulator whether one is torn.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-tie-accumulators"

STATISTIC(NumRenamed, "Number of accumulator registers tied by renaming");
STATISTIC(NumCopied, "Number of accumulator registers tied by a copy");
STATISTIC(NumConstants, "Number of copies of constants replaced");

namespace {
class NVPTXTieAccumulators : public MachineFunctionPass {
public:
  static char ID;

  NVPTXTieAccumulators() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Tie Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

class AccumulatorTies {
public:
  explicit AccumulatorTies(MachineFunction &MF)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()) {}

  void beginBlock(MachineBasicBlock &MBB);
  void tie(MachineInstr &MI) {
    for (unsigned I = 0, E = MI.getDesc().getNumDefs(); I != E; ++I)
      tie(MI, MI.getOperand(I).getReg(), MI.getOperand(E + I));
  }
  void lowerFenceOperand(MachineInstr &MI);

private:
  /// A register that only wgmma write to, after what the first starts from.
  struct Chain {
    const MachineInstr *LastUpdate;
    /// Whether only one instruction reads what the last one left.
    bool HasOneReader;
    /// What tells a debugger of the present value.
    SmallVector<MachineInstr *, 0> DebugValues;
  };

  /// Makes \p Use, an element of the accumulator that goes into \p MI, the
  /// register \p Def that it comes out in.
  void tie(MachineInstr &MI, Register Def, MachineOperand &Use);
  void rename(MachineInstr &MI, Register Def, MachineOperand &Use);
  bool canRename(const MachineInstr &MI, Register Def,
                 const MachineOperand &Use) const;
  SmallVector<MachineInstr *, 0> getDebugValues(Register Reg) const;
  /// The value that \p DebugValues describe is gone after \p MI.
  void dropDebugValuesAfter(MachineInstr &MI,
                            ArrayRef<MachineInstr *> DebugValues);

  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  DenseMap<Register, Chain> Chains;
  /// The place of each debug value in the present block.
  DenseMap<const MachineInstr *, unsigned> Places;
};
} // namespace

char NVPTXTieAccumulators::ID = 0;

INITIALIZE_PASS(NVPTXTieAccumulators, DEBUG_TYPE, "NVPTX Tie Accumulators",
                false, false)

void AccumulatorTies::beginBlock(MachineBasicBlock &MBB) {
  Places.clear();
  unsigned Place = 0;
  for (MachineInstr &MI : MBB)
    if (MI.isDebugValue() || isWGMMA(MI))
      Places[&MI] = ++Place;
}

/// Whether the output may stay in the input's register: a wgmma has left there
/// what this alone reads, and nothing else writes either of them.
bool AccumulatorTies::canRename(const MachineInstr &MI, Register Def,
                                const MachineOperand &Use) const {
  Register Acc = Use.getReg();
  if (!Use.isKill() || !MRI.hasOneDef(Def) ||
      MRI.getRegClass(Acc) != MRI.getRegClass(Def))
    return false;
  auto Found = Chains.find(Acc);
  return Found != Chains.end() && Found->second.LastUpdate != &MI &&
         Found->second.HasOneReader;
}

SmallVector<MachineInstr *, 0>
AccumulatorTies::getDebugValues(Register Reg) const {
  SmallVector<MachineInstr *, 0> Values;
  for (MachineInstr &User : MRI.use_instructions(Reg))
    if (User.isDebugValue())
      Values.push_back(&User);
  return Values;
}

void AccumulatorTies::dropDebugValuesAfter(
    MachineInstr &MI, ArrayRef<MachineInstr *> DebugValues) {
  unsigned Place = Places.lookup(&MI);
  for (MachineInstr *Value : DebugValues) {
    auto Found = Places.find(Value);
    if (Found == Places.end() || Found->second > Place)
      Value->setDebugValueUndef();
  }
}

void AccumulatorTies::rename(MachineInstr &MI, Register Def,
                             MachineOperand &Use) {
  Register Acc = Use.getReg();
  LLVM_DEBUG(dbgs() << "Renaming " << printReg(Def) << " to " << printReg(Acc)
                    << " in: " << MI);
  Chain &C = Chains.find(Acc)->second;
  dropDebugValuesAfter(MI, C.DebugValues);
  C.LastUpdate = &MI;
  C.HasOneReader = MRI.hasOneNonDBGUse(Def);
  C.DebugValues = getDebugValues(Def);
  Use.setIsKill(false);
  MRI.replaceRegWith(Def, Acc);
  ++NumRenamed;
}

void AccumulatorTies::tie(MachineInstr &MI, Register Def, MachineOperand &Use) {
  if (canRename(MI, Def, Use)) {
    rename(MI, Def, Use);
    return;
  }
  if (MRI.hasOneDef(Def))
    Chains[Def] = {&MI, MRI.hasOneNonDBGUse(Def), getDebugValues(Def)};
  // An undefined accumulator, which scale-d = false makes sense of, has no
  // value to copy.
  if (!Use.isUndef()) {
    LLVM_DEBUG(dbgs() << "Copying " << printReg(Use.getReg()) << " to "
                      << printReg(Def) << " for: " << MI);
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(TargetOpcode::COPY),
            Def)
        .addReg(Use.getReg());
    ++NumCopied;
  }
  Use.setReg(Def);
  Use.setIsKill(false);
}

void AccumulatorTies::lowerFenceOperand(MachineInstr &MI) {
  const MachineOperand &Operand = MI.getOperand(1);
  if (Operand.isUndef())
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
            TII.get(TargetOpcode::IMPLICIT_DEF), MI.getOperand(0).getReg());
  else
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(TargetOpcode::COPY),
            MI.getOperand(0).getReg())
        .addReg(Operand.getReg(), getKillRegState(Operand.isKill()));
  MI.eraseFromParent();
}

namespace {
/// Gives fragments of A, and metadata, registers of their own.
class InputSeparation {
public:
  explicit InputSeparation(MachineFunction &MF)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        Tuples(collectWGMMATuples(MF)) {}

  void run(MachineBasicBlock &MBB);

private:
  using Input = SmallVector<Register, 4>;

  void separate(MutableArrayRef<MachineOperand> Operands,
                WGMMATuples::Kind Kind);
  Input copy(const Input &Registers, MachineInstr &MI, WGMMATuples::Kind Kind);
  Input getCopy(const Input &Registers, MachineInstr &MI,
                WGMMATuples::Kind Kind);
  void forget(const MachineInstr &MI);

  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  WGMMATuples Tuples;
  /// The inputs of a block that were copied, and their copies: the next wgmma
  /// that reads the same one takes these, and nothing is written while the last
  /// one is in flight.
  SmallVector<std::pair<Input, Input>, 4> Copies;
};
} // namespace

/// Copies \p Registers ahead of \p MI. What is undefined needs no copy.
InputSeparation::Input InputSeparation::copy(const Input &Registers,
                                             MachineInstr &MI,
                                             WGMMATuples::Kind Kind) {
  Input New;
  for (Register Reg : Registers) {
    New.push_back(MRI.cloneVirtualRegister(Reg));
    if (MI.readsVirtualRegister(Reg))
      BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
              TII.get(TargetOpcode::COPY), New.back())
          .addReg(Reg);
    MRI.clearKillFlags(Reg);
  }
  Tuples.add(New, Kind);
  return New;
}

/// The copy of \p Registers for \p MI: the one that there is, if all have
/// values.
InputSeparation::Input InputSeparation::getCopy(const Input &Registers,
                                                MachineInstr &MI,
                                                WGMMATuples::Kind Kind) {
  if (!all_of(Registers,
              [&](Register Reg) { return MI.readsVirtualRegister(Reg); }))
    return copy(Registers, MI, Kind);
  auto Known = find_if(
      Copies, [&](const auto &Entry) { return Entry.first == Registers; });
  if (Known == Copies.end()) {
    Copies.emplace_back(Registers, copy(Registers, MI, Kind));
    Known = std::prev(Copies.end());
  }
  return Known->second;
}

/// Gives an input of a wgmma that contradicts the tuples registers of its own.
void InputSeparation::separate(MutableArrayRef<MachineOperand> Operands,
                               WGMMATuples::Kind Kind) {
  Input Registers;
  for (const MachineOperand &MO : Operands)
    Registers.push_back(MO.getReg());
  if (Registers.empty() || Tuples.add(Registers, Kind))
    return;
  Input New = getCopy(Registers, *Operands.front().getParent(), Kind);
  for (auto [MO, Reg] : zip_equal(Operands, New)) {
    MO.setReg(Reg);
    MO.setIsKill(false);
  }
}

/// Forgets the copies of what \p MI writes.
void InputSeparation::forget(const MachineInstr &MI) {
  erase_if(Copies, [&](const auto &Entry) {
    return any_of(Entry.first, [&](Register Reg) {
      return MI.definesRegister(Reg, /*TRI=*/nullptr);
    });
  });
}

void InputSeparation::run(MachineBasicBlock &MBB) {
  Copies.clear();
  for (MachineInstr &MI : MBB) {
    if (isWGMMA(MI)) {
      separate(getFragment(MI, MRI), WGMMATuples::Kind::FragmentOfA);
      if (std::optional<unsigned> Metadata = getMetadataIndex(MI, MRI))
        separate(MI.getOperand(*Metadata), WGMMATuples::Kind::Metadata);
    }
    forget(MI);
  }
}

/// The only definition of \p Reg, if that is a constant.
static MachineInstr *getConstant(Register Reg, const MachineRegisterInfo &MRI) {
  if (!Reg.isVirtual() || !MRI.hasOneDef(Reg))
    return nullptr;
  MachineInstr &Def = *MRI.def_instr_begin(Reg);
  return isConstant(Def) ? &Def : nullptr;
}

/// Writes constants anew instead of copying them.
static void copyConstants(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (!MI.isFullCopy())
        continue;
      Register Dst = MI.getOperand(0).getReg(), Src = MI.getOperand(1).getReg();
      MachineInstr *Constant = getConstant(Src, MRI);
      if (!Constant || MRI.getRegClass(Src) != MRI.getRegClass(Dst))
        continue;
      MachineInstr *Copy = MF.CloneMachineInstr(Constant);
      Copy->getOperand(0).setReg(Dst);
      Copy->getOperand(0).setIsDead(false);
      MBB.insert(MI.getIterator(), Copy);
      MI.eraseFromParent();
      MRI.clearKillFlags(Src);
      if (MRI.use_empty(Src))
        Constant->eraseFromParent();
      ++NumConstants;
    }
}

bool NVPTXTieAccumulators::runOnMachineFunction(MachineFunction &MF) {
  AccumulatorTies Ties(MF);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    Ties.beginBlock(MBB);
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (isWGMMA(MI))
        Ties.tie(MI);
      else if (MI.getOpcode() == NVPTX::WGMMA_FENCE_OPERAND)
        Ties.lowerFenceOperand(MI);
      else
        continue;
      Changed = true;
    }
  }
  if (Changed) {
    InputSeparation Separation(MF);
    for (MachineBasicBlock &MBB : MF)
      Separation.run(MBB);
    copyConstants(MF);
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXTieAccumulatorsPass() {
  return new NVPTXTieAccumulators();
}
