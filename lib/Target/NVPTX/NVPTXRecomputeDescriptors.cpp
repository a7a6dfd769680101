//===- NVPTXRecomputeDescriptors.cpp - Descriptors are made where needed --===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A descriptor takes a few instructions to make of an address in shared memory:
//
//   bfe.u32 %r2, %r1, 4, 14; cvt.u64.u32 %rd1, %r2; or.b64 %rd2, %rd1, CONST;
//
// Where the address does not change in a loop, LICM has them done ahead of it.
// A loop whose tiles stay in place, as those of attention do, may multiply with
// some 80 descriptors, each two registers wide: ptxas keeps most of the loop's
// accumulators beside 160 registers of constants in local memory then, and has
// to move each descriptor into the uniform registers that wgmma wants. Made in
// the loop, they are made in uniform registers, beside the tensor cores' work.
//
// Where many descriptors come into a loop from outside, this pass has each
// block of the loop make them for itself, of what they have in common: of the
// address of the shared memory, which is a constant, or of the one register
// that all of a sequence are computed from.
//
// Runs in SSA form, after MachineLICM and MachineCSE, which would undo it.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRepeatable.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-recompute-descriptors"

STATISTIC(NumRecomputed, "Number of descriptors made again");

static cl::opt<unsigned> MaxDescriptors(
    "nvptx-max-descriptors", cl::init(16), cl::Hidden,
    cl::desc("How many descriptors of wgmma a loop may keep in registers that "
             "it could make anew"));

namespace {
class NVPTXRecomputeDescriptors : public MachineFunctionPass {
public:
  static char ID;

  NVPTXRecomputeDescriptors() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Recompute Descriptors";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  /// The descriptors of one loop that come from outside, by the register that
  /// they are computed from; by none where all of it is constant.
  using GroupsTy = MapVector<Register, SmallSetVector<Register, 16>>;

  Register getRoot(Register Reg, const MachineLoop &Loop);
  Register findRoot(Register Reg, const MachineLoop &Loop);
  GroupsTy collect(const MachineLoop &Loop);
  static unsigned countSaved(const GroupsTy::value_type &Group);
  bool recompute(MachineBasicBlock &MBB, const GroupsTy &Groups);

  MachineRegisterInfo *MRI = nullptr;
  const MachineLoopInfo *MLI = nullptr;
  /// What getRoot has found, for one loop.
  DenseMap<Register, Register> Roots;
};

/// What one block makes anew, each once.
class Recomputation {
public:
  explicit Recomputation(MachineRegisterInfo &MRI) : MRI(MRI) {}

  /// What \p Reg is, computed from \p Root ahead of \p Before.
  Register make(Register Reg, Register Root, MachineInstr &Before);

private:
  MachineRegisterInfo &MRI;
  DenseMap<Register, Register> Made;
};
} // namespace

char NVPTXRecomputeDescriptors::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRecomputeDescriptors, DEBUG_TYPE,
                      "NVPTX Recompute Descriptors", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXRecomputeDescriptors, DEBUG_TYPE,
                    "NVPTX Recompute Descriptors", false, false)

/// The descriptors that \p MI reads: nothing else of a wgmma has 64 bits.
static auto getDescriptors(MachineInstr &MI, const MachineRegisterInfo &MRI) {
  return make_filter_range(MI.explicit_uses(), [&](const MachineOperand &MO) {
    return MO.isReg() && MRI.getRegClass(MO.getReg()) == &NVPTX::B64RegClass;
  });
}

/// The last register on the way back from \p Reg that is computed from no more
/// than one register that is not constant; none if \p Reg is constant. It is
/// \p Reg itself where nothing can be computed again.
Register NVPTXRecomputeDescriptors::getRoot(Register Reg,
                                            const MachineLoop &Loop) {
  if (auto Known = Roots.find(Reg); Known != Roots.end())
    return Known->second;
  Register Root = findRoot(Reg, Loop);
  Roots[Reg] = Root;
  return Root;
}

Register NVPTXRecomputeDescriptors::findRoot(Register Reg,
                                             const MachineLoop &Loop) {
  const MachineInstr *Def = MRI->getUniqueVRegDef(Reg);
  if (!Def || Loop.contains(Def) || !isRepeatable(*Def))
    return Reg;
  Register Root;
  for (const MachineOperand &Use : Def->all_uses()) {
    Register Other = getRoot(Use.getReg(), Loop);
    if (!Other || Other == Root)
      continue;
    if (Root)
      return Reg;
    Root = Other;
  }
  return Root;
}

NVPTXRecomputeDescriptors::GroupsTy
NVPTXRecomputeDescriptors::collect(const MachineLoop &Loop) {
  GroupsTy Groups;
  Roots.clear();
  for (MachineBasicBlock *MBB : Loop.blocks())
    for (MachineInstr &MI : *MBB)
      if (isWGMMA(MI))
        for (const MachineOperand &MO : getDescriptors(MI, *MRI)) {
          const MachineInstr *Def = MRI->getUniqueVRegDef(MO.getReg());
          if (!Def || Loop.contains(Def))
            continue;
          Register Root = getRoot(MO.getReg(), Loop);
          if (Root != MO.getReg())
            Groups[Root].insert(MO.getReg());
        }
  Groups.remove_if([](const auto &Group) { return countSaved(Group) == 0; });
  return Groups;
}

/// How many registers less there are if \p Group is made anew: one that all of
/// it is computed from takes its place.
unsigned
NVPTXRecomputeDescriptors::countSaved(const GroupsTy::value_type &Group) {
  return Group.second.size() - (Group.first ? 1 : 0);
}

Register Recomputation::make(Register Reg, Register Root,
                             MachineInstr &Before) {
  if (Reg == Root)
    return Reg;
  if (Register Known = Made.lookup(Reg))
    return Known;
  MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  MachineInstr *Clone = Before.getMF()->CloneMachineInstr(Def);
  for (MachineOperand &Use : Clone->all_uses()) {
    Use.setReg(make(Use.getReg(), Root, Before));
    Use.setIsKill(false);
    MRI.clearKillFlags(Use.getReg());
  }
  Register New = MRI.cloneVirtualRegister(Reg);
  Clone->getOperand(0).setReg(New);
  Before.getParent()->insert(Before.getIterator(), Clone);
  return Made[Reg] = New;
}

/// Deletes what computes \p Reg, and what only that needed, if nothing needs it
/// any more.
static void eraseUnused(Register Reg, MachineRegisterInfo &MRI) {
  MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def || !isRepeatable(*Def) || !MRI.use_nodbg_empty(Reg))
    return;
  SmallVector<Register, 2> Uses;
  for (const MachineOperand &Use : Def->all_uses())
    Uses.push_back(Use.getReg());
  for (MachineOperand &MO : make_early_inc_range(MRI.use_operands(Reg)))
    MO.getParent()->setDebugValueUndef();
  Def->eraseFromParent();
  for (Register Use : Uses)
    eraseUnused(Use, MRI);
}

/// Has \p MBB make the descriptors of \p Groups that it uses.
bool NVPTXRecomputeDescriptors::recompute(MachineBasicBlock &MBB,
                                          const GroupsTy &Groups) {
  bool Changed = false;
  Recomputation Block(*MRI);
  for (MachineInstr &MI : MBB) {
    if (!isWGMMA(MI))
      continue;
    for (MachineOperand &MO : getDescriptors(MI, *MRI))
      for (const auto &[Root, Descriptors] : Groups)
        if (Descriptors.contains(MO.getReg())) {
          MO.setReg(Block.make(MO.getReg(), Root, MI));
          MO.setIsKill(false);
          ++NumRecomputed;
          Changed = true;
          break;
        }
  }
  return Changed;
}

bool NVPTXRecomputeDescriptors::runOnMachineFunction(MachineFunction &MF) {
  if (skipFunction(MF.getFunction()))
    return false;
  MRI = &MF.getRegInfo();
  MLI = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  bool Changed = false;
  for (const MachineLoop *Loop : MLI->getLoopsInPreorder()) {
    GroupsTy Groups = collect(*Loop);
    unsigned NumSaved = 0;
    for (const auto &Group : Groups)
      NumSaved += countSaved(Group);
    if (NumSaved <= MaxDescriptors)
      continue;
    for (MachineBasicBlock *MBB : Loop->blocks())
      Changed |= recompute(*MBB, Groups);
    for (const auto &[Root, Descriptors] : Groups)
      for (Register Descriptor : Descriptors)
        eraseUnused(Descriptor, *MRI);
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRecomputeDescriptorsPass() {
  return new NVPTXRecomputeDescriptors();
}
