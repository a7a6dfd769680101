//===- NVPTXRenewWGMMAFragments.cpp - Fragments that loops write in part --===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware takes a fragment of A from four registers in a row. Where a loop
// writes some of them in each round, ptxas, as of 13.0, takes all four for free
// from the wgmma that reads them to the end of the round. Of
//
//   ld.global.b32 %a1, ...;
//   outer:
//     add.u32 %a0, ...; add.u32 %a2, ...; add.u32 %a3, ...;
//     wgmma.mma_async... {...}, {%a0, %a1, %a2, %a3}, ...;
//     inner:
//       ld.global.v4.b32 {%b0, %b1, %b2, %b3}, ...;
//       wgmma.mma_async... {...}, {%b0, %b1, %b2, %b3}, ...;
//
// the inner loop has the registers of the fragment for its own, and the outer
// one does not load %a1 again. So do the arguments of a call. Nothing of that
// is told.
//
// This pass gives the fragment a copy of %a1, which is written wherever the
// loop writes %a0. The copy becomes a hidden move, which ptxas leaves there.
//
// Runs after the registers of fragments are known, and before what protects
// registers in flight and places fences.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMATuples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "nvptx-renew-wgmma-fragments"

STATISTIC(NumRenewed, "Number of registers of fragments that loops renew");

namespace {
class NVPTXRenewWGMMAFragments : public MachineFunctionPass {
public:
  static char ID;

  NVPTXRenewWGMMAFragments() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Renew WGMMA Fragments";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Renews what the loops of one function do not write.
class FragmentRenewer {
public:
  FragmentRenewer(MachineFunction &MF, const MachineLoopInfo &MLI)
      : MLI(MLI), MRI(MF.getRegInfo()) {}

  bool renew(MachineInstr &WGMMA);

private:
  /// The registers of a fragment, and the loop that writes some of them.
  using Key = std::pair<SmallVector<Register, 4>, const MachineLoop *>;

  const MachineLoop *getLoopThatWrites(Register Reg,
                                       const MachineInstr &Reader) const;
  Register makeCopy(Register Reg, Register Written, const MachineLoop &L);

  const MachineLoopInfo &MLI;
  MachineRegisterInfo &MRI;
  /// What takes the place of their registers.
  std::map<Key, SmallVector<Register, 4>> Renewed;
};
} // namespace

char NVPTXRenewWGMMAFragments::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXRenewWGMMAFragments, DEBUG_TYPE,
                      "NVPTX Renew WGMMA Fragments", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXRenewWGMMAFragments, DEBUG_TYPE,
                    "NVPTX Renew WGMMA Fragments", false, false)

/// The innermost loop with \p Reader that writes \p Reg, or null.
const MachineLoop *
FragmentRenewer::getLoopThatWrites(Register Reg,
                                   const MachineInstr &Reader) const {
  const MachineLoop *L = MLI.getLoopFor(Reader.getParent());
  while (L && none_of(MRI.def_instructions(Reg), [&](const MachineInstr &Def) {
           return L->contains(Def.getParent());
         }))
    L = L->getParentLoop();
  return L;
}

/// A copy of \p Reg, which \p L does not write, that is written wherever it
/// writes \p Written.
Register FragmentRenewer::makeCopy(Register Reg, Register Written,
                                   const MachineLoop &L) {
  SmallVector<MachineInstr *, 4> Places;
  for (MachineInstr &Def : MRI.def_instructions(Reg))
    Places.push_back(&Def);
  for (MachineInstr &Def : MRI.def_instructions(Written))
    if (L.contains(Def.getParent()))
      Places.push_back(&Def);
  Register Copy = MRI.createVirtualRegister(&NVPTX::B32RegClass);
  for (MachineInstr *Def : Places)
    buildCopyAfter(*Def, Reg, Copy);
  MRI.clearKillFlags(Reg);
  ++NumRenewed;
  return Copy;
}

/// Returns whether \p WGMMA reads copies now.
bool FragmentRenewer::renew(MachineInstr &WGMMA) {
  SmallVector<Register, 4> Fragment = getFragmentOfA(WGMMA, MRI);
  SmallVector<const MachineLoop *, 4> Loops;
  for (Register Reg : Fragment)
    Loops.push_back(getLoopThatWrites(Reg, WGMMA));
  if (all_equal(Loops))
    return false;
  auto Depth = [](const MachineLoop *L) { return L ? L->getLoopDepth() : 0; };
  auto Innermost =
      max_element(Loops, [&](const MachineLoop *A, const MachineLoop *B) {
        return Depth(A) < Depth(B);
      });
  Register Written = Fragment[std::distance(Loops.begin(), Innermost)];
  auto [It, IsNew] = Renewed.try_emplace(Key(Fragment, *Innermost), Fragment);
  if (IsNew) {
    LLVM_DEBUG(dbgs() << "Renewing the fragment of: " << WGMMA);
    for (auto [Reg, L, Copy] : zip_equal(Fragment, Loops, It->second))
      if (L != *Innermost)
        Copy = makeCopy(Reg, Written, **Innermost);
  }
  for (auto [Operand, Reg] : zip_equal(getFragment(WGMMA, MRI), It->second)) {
    Operand.setReg(Reg);
    Operand.setIsKill(false);
  }
  return true;
}

bool NVPTXRenewWGMMAFragments::runOnMachineFunction(MachineFunction &MF) {
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  if (MLI.empty())
    return false;
  FragmentRenewer Renewer(MF, MLI);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (isWGMMA(MI))
        Changed |= Renewer.renew(MI);
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXRenewWGMMAFragmentsPass() {
  return new NVPTXRenewWGMMAFragments();
}
