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
#include "NVPTXRecomputation.h"
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
  bool recompute(MachineBasicBlock &MBB, const GroupsTy::value_type &Group);

  MachineRegisterInfo *MRI = nullptr;
  const MachineLoopInfo *MLI = nullptr;
  /// What getRoot has found, for one loop.
  DenseMap<Register, Register> Roots;
};

} // namespace

char NVPTXRecomputeDescriptors::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRecomputeDescriptors, DEBUG_TYPE,
                      "NVPTX Recompute Descriptors", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXRecomputeDescriptors, DEBUG_TYPE,
                    "NVPTX Recompute Descriptors", false, false)

/// The descriptors that \p MI reads.
static auto getDescriptors(MachineInstr &MI, const MachineRegisterInfo &MRI) {
  return make_filter_range(MI.explicit_uses(), [&](const MachineOperand &MO) {
    return isWGMMADescriptor(MO, MRI);
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
  if (!Def || Loop.contains(Def) || !isCheaplyRepeated(*Def))
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

/// Has \p MBB make the descriptors of \p Group that it uses.
bool NVPTXRecomputeDescriptors::recompute(MachineBasicBlock &MBB,
                                          const GroupsTy::value_type &Group) {
  bool Changed = false;
  auto IsKept = [&](Register Reg) { return Reg == Group.first; };
  Recomputation Block(*MRI, IsKept);
  for (MachineInstr &MI : MBB) {
    if (!isWGMMA(MI))
      continue;
    for (MachineOperand &MO : getDescriptors(MI, *MRI))
      if (Group.second.contains(MO.getReg())) {
        MO.setReg(Block.make(MO.getReg(), MI));
        MO.setIsKill(false);
        ++NumRecomputed;
        Changed = true;
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
      for (const auto &Group : Groups)
        Changed |= recompute(*MBB, Group);
    for (const auto &[Root, Descriptors] : Groups)
      for (Register Descriptor : Descriptors)
        eraseUnused(Descriptor, *MRI);
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRecomputeDescriptorsPass() {
  return new NVPTXRecomputeDescriptors();
}
