//===- NVPTXWGMMAInFlight.cpp - Which wgmma may be in flight --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAInFlight.h"
#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

bool llvm::isTied(const MachineOperand &MO) {
  const MachineInstr &MI = *MO.getParent();
  return MO.isTied() ||
         (isWGMMA(MI) && MO.getOperandNo() < 2 * MI.getDesc().getNumDefs());
}

MachineOperand &llvm::getScaleD(MachineInstr &WGMMA) {
  ArrayRef<MCOperandInfo> Operands = WGMMA.getDesc().operands();
  const auto *ScaleD = find_if(Operands, [](const MCOperandInfo &Info) {
    return Info.RegClass < 0 && Info.OperandType == MCOI::OPERAND_UNKNOWN;
  });
  return WGMMA.getOperand(ScaleD - Operands.begin());
}

bool llvm::overwritesAccumulator(const MachineInstr &WGMMA) {
  const MachineOperand &ScaleD = getScaleD(const_cast<MachineInstr &>(WGMMA));
  return ScaleD.isImm() && !ScaleD.getImm();
}

bool llvm::hasWGMMAIn(const MachineBasicBlock &MBB) {
  return any_of(MBB, isWGMMA);
}

bool llvm::takesHalves(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case NVPTX::CVT_u32_u64:
  case NVPTX::I64toI32H:
  case NVPTX::I64toI32H_Sink:
  case NVPTX::I64toI32L:
  case NVPTX::I64toI32L_Sink:
  case NVPTX::I64toV2I32:
    return true;
  default:
    return false;
  }
}

std::optional<RegisterHalves> llvm::getRegisterHalves(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case NVPTX::I32toI16H:
  case NVPTX::I32toI16H_Sink:
    return RegisterHalves{Register(), MI.getOperand(0).getReg(), 1};
  case NVPTX::I32toI16L:
  case NVPTX::I32toI16L_Sink:
  case NVPTX::CVT_u16_u32:
    return RegisterHalves{MI.getOperand(0).getReg(), Register(), 1};
  case NVPTX::I32toV2I16:
    return RegisterHalves{MI.getOperand(0).getReg(), MI.getOperand(1).getReg(),
                          2};
  default:
    return std::nullopt;
  }
}

bool llvm::verifyAccumulator(const MachineInstr &WGMMA, StringRef &ErrInfo) {
  unsigned Size = WGMMA.getDesc().getNumDefs();
  unsigned Tied = count_if(seq(Size), [&](unsigned I) {
    return WGMMA.getOperand(I).getReg() == WGMMA.getOperand(Size + I).getReg();
  });
  if (Tied == 0 || Tied == Size)
    return true;
  ErrInfo = "A part of the accumulator leaves in other registers";
  return false;
}

SmallVector<Register, 5> llvm::getLateInputs(const MachineInstr &WGMMA,
                                             const MachineRegisterInfo &MRI) {
  SmallVector<Register, 5> Inputs;
  for (const MachineOperand &MO :
       drop_begin(WGMMA.explicit_uses(), WGMMA.getDesc().getNumDefs()))
    if (MO.isReg() && !MO.isUndef() && MO.getReg().isVirtual() &&
        MRI.getRegClass(MO.getReg()) == &NVPTX::B32RegClass)
      Inputs.push_back(MO.getReg());
  return Inputs;
}

bool llvm::isConstant(const MachineInstr &MI) {
  return MI.getNumDefs() == 1 && !MI.mayLoadOrStore() && !MI.isImplicitDef() &&
         !MI.hasUnmodeledSideEffects() && !MI.isInlineAsm() &&
         all_of(drop_begin(MI.operands()), [](const MachineOperand &MO) {
           return MO.isImm() || MO.isFPImm();
         });
}

MutableArrayRef<MachineOperand>
llvm::getFragment(MachineInstr &WGMMA, const MachineRegisterInfo &MRI) {
  constexpr unsigned Size = 4;
  MachineOperand &First = WGMMA.getOperand(2 * WGMMA.getDesc().getNumDefs());
  if (!First.isReg() || !First.getReg().isVirtual() ||
      MRI.getRegClass(First.getReg()) != &NVPTX::B32RegClass)
    return {};
  return MutableArrayRef<MachineOperand>(&First, Size);
}

std::optional<unsigned> llvm::getMetadataIndex(const MachineInstr &WGMMA,
                                               const MachineRegisterInfo &MRI) {
  auto IsB32 = [&](unsigned Index) {
    const MachineOperand &MO = WGMMA.getOperand(Index);
    return MO.isReg() && MO.getReg().isVirtual() &&
           MRI.getRegClass(MO.getReg()) == &NVPTX::B32RegClass;
  };
  // What stands behind a fragment of A, or in its place, is in no register of
  // this class but for the metadata.
  unsigned First = 2 * WGMMA.getDesc().getNumDefs();
  if (IsB32(First))
    First += 4;
  auto Inputs = seq(First, WGMMA.getNumExplicitOperands());
  auto Found = find_if(Inputs, IsB32);
  if (Found == Inputs.end())
    return std::nullopt;
  return *Found;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

static StringRef getAsmText(const MachineInstr &MI) {
  return MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
}

/// The value of operand \p Number of the inline assembly, if it is constant.
static std::optional<int64_t> getAsmImmediate(const MachineInstr &MI,
                                              unsigned Number) {
  for (unsigned I = InlineAsm::MIOp_FirstOperand, E = MI.getNumOperands();
       I < E && MI.getOperand(I).isImm(); --Number) {
    InlineAsm::Flag Flag(MI.getOperand(I).getImm());
    if (Number == 0) {
      if (Flag.isImmKind() && MI.getOperand(I + 1).isImm())
        return MI.getOperand(I + 1).getImm();
      return std::nullopt;
    }
    I += 1 + Flag.getNumOperandRegisters();
  }
  return std::nullopt;
}

static WGMMAAsmText parseAsm(const MachineInstr &MI) {
  return parseWGMMAAsm(getAsmText(MI), [&MI](unsigned Number) {
    return getAsmImmediate(MI, Number);
  });
}

bool llvm::hasNoAccesses(const MachineInstr &MI) {
  if (MI.isInlineAsm())
    return getAsmText(MI).contains("wgmma.mma_async") ||
           !parseAsm(MI).HasOthers;
  return MI.isDebugInstr() || MI.isImplicitDef() || MI.isKill();
}

bool llvm::accessesAny(const MachineInstr &MI,
                       const DenseSet<Register> &Registers) {
  return !isWGMMA(MI) && !hasNoAccesses(MI) &&
         any_of(MI.operands(), [&](const MachineOperand &MO) {
           return MO.isReg() && Registers.contains(MO.getReg());
         });
}

SmallVector<WGMMAEvent, 1> llvm::getWGMMAEvents(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case NVPTX::WGMMA_FENCE_SYNC_ALIGNED:
    return {{WGMMAEvent::Fence}};
  case NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED:
    return {{WGMMAEvent::Commit}};
  case NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED:
    return {WGMMAEvent::getWait(MI.getOperand(0).getImm())};
  case TargetOpcode::INLINEASM:
  case TargetOpcode::INLINEASM_BR:
    return parseAsm(MI).Steps;
  default:
    if (MI.isCall())
      return {{WGMMAEvent::Call}};
    return {};
  }
}

bool llvm::isAccumulated(Register Reg, const MachineRegisterInfo &MRI) {
  return any_of(MRI.def_instructions(Reg), isWGMMA);
}

DenseSet<Register> llvm::collectWGMMARegisters(const MachineFunction &MF) {
  DenseSet<Register> Registers;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (isWGMMA(MI)) {
        for (const MachineOperand &Def : MI.defs())
          Registers.insert(Def.getReg());
        Registers.insert_range(getLateInputs(MI, MF.getRegInfo()));
      }
  return Registers;
}

bool llvm::passesValueOn(const MachineInstr &MI) {
  return MI.isPHI() || MI.isFullCopy() ||
         MI.getOpcode() == NVPTX::WGMMA_FENCE_OPERAND;
}

Register llvm::getCopySource(Register Reg, const MachineRegisterInfo &MRI) {
  while (true) {
    const MachineInstr *Def =
        Reg.isVirtual() ? MRI.getUniqueVRegDef(Reg) : nullptr;
    if (!Def || Def->isPHI() || !passesValueOn(*Def))
      return Reg;
    Reg = Def->getOperand(1).getReg();
  }
}

bool llvm::hasWGMMAEvent(const MachineInstr &MI, WGMMAEvent::KindTy Kind) {
  return any_of(getWGMMAEvents(MI),
                [=](WGMMAEvent Event) { return Event.Kind == Kind; });
}

bool llvm::exitsThread(const MachineInstr &MI) {
  return MI.isInlineAsm() && parseAsm(MI).Exits;
}

bool llvm::isWGMMAWait(const MachineInstr &MI) {
  return hasWGMMAEvent(MI, WGMMAEvent::Wait);
}

std::optional<unsigned> llvm::getPendingGroups(const MachineInstr &MI) {
  if (MI.getOpcode() != NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED)
    return std::nullopt;
  return WGMMAEvent::getWait(MI.getOperand(0).getImm()).Pending;
}

bool llvm::isWGMMAWaitForAll(const MachineInstr &MI) {
  return getPendingGroups(MI) == 0;
}

bool llvm::hasUnknownWGMMASteps(const MachineInstr &MI) {
  if (MI.isInlineAsm())
    return getAsmText(MI).count("wgmma.") != getWGMMAEvents(MI).size();
  return MI.isCall();
}

/// Whether all threads of a warp execute \p MI together, or none.
static bool needsAllThreads(const MachineInstr &MI) {
  switch (MI.getOpcode()) {
  case NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED:
  case NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_ALL_i:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_ALL_r:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_ii:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_ir:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_ri:
  case NVPTX::BARRIER_CTA_SYNC_ALIGNED_rr:
    return true;
  default:
    return isWGMMA(MI);
  }
}

bool llvm::isForAllThreads(const MachineBasicBlock &MBB) {
  return any_of(MBB, needsAllThreads);
}

//===----------------------------------------------------------------------===//
// What is in flight
//===----------------------------------------------------------------------===//

void WGMMAState::issue(unsigned Number) {
  ByAge.front().set(Number);
  PastWait.reset(Number);
  PastCall.reset(Number);
}

void WGMMAState::execute(WGMMAEvent Event) {
  switch (Event.Kind) {
  case WGMMAEvent::Fence:
    return;
  case WGMMAEvent::Call:
    PastCall |= all();
    return;
  case WGMMAEvent::Commit:
    for (size_t Age = ByAge.size() - 1; Age != 0; --Age) {
      if (Age == ByAge.size() - 1)
        ByAge[Age] |= ByAge[Age - 1];
      else
        ByAge[Age] = ByAge[Age - 1];
    }
    ByAge.front().reset();
    return;
  case WGMMAEvent::Wait:
    for (size_t Age = Event.Pending + 1; Age < ByAge.size(); ++Age)
      ByAge[Age].reset();
    PastWait |= all();
    return;
  }
}

bool WGMMAState::merge(const WGMMAState &Other) {
  bool Changed = false;
  auto Merge = [&](BitVector &Mine, const BitVector &Theirs) {
    // test() tells whether the other has anything that this lacks.
    if (!Theirs.test(Mine))
      return;
    Mine |= Theirs;
    Changed = true;
  };
  for (auto [Mine, Theirs] : zip_equal(ByAge, Other.ByAge))
    Merge(Mine, Theirs);
  Merge(PastWait, Other.PastWait);
  Merge(PastCall, Other.PastCall);
  return Changed;
}

static bool isAnySet(ArrayRef<BitVector> Ages) {
  return any_of(Ages, [](const BitVector &Bits) { return Bits.any(); });
}

bool WGMMAState::none() const { return !isAnySet(ByAge); }

bool WGMMAState::isAnyRetiredBy(unsigned Pending) const {
  // The last age stands for all that are older, too.
  size_t Oldest = ByAge.size() - 1;
  return isAnySet(
      ArrayRef(ByAge).drop_front(std::min<size_t>(Pending + 1, Oldest)));
}

bool WGMMAState::isAnyLeftBy(unsigned Pending) const {
  return isAnySet(ArrayRef(ByAge).drop_front().take_front(Pending));
}

bool WGMMAState::isLeftBy(unsigned Number, unsigned Pending) const {
  return any_of(ArrayRef(ByAge).take_front(Pending + 1),
                [=](const BitVector &Bits) { return Bits[Number]; });
}

bool WGMMAState::contains(unsigned Number) const {
  return any_of(ByAge, [=](const BitVector &Bits) { return Bits[Number]; });
}

bool WGMMAState::intersects(const BitVector &Numbers) const {
  return any_of(ByAge,
                [&](const BitVector &Bits) { return Bits.anyCommon(Numbers); });
}

BitVector WGMMAState::all() const {
  BitVector Result = ByAge.front();
  for (const BitVector &Bits : drop_begin(ByAge))
    Result |= Bits;
  return Result;
}

WGMMAInFlight::WGMMAInFlight(MachineFunction &MF) : MF(MF) {
  collectSteps(MF);
  if (!empty())
    propagate(MF);
}

void WGMMAInFlight::collectSteps(MachineFunction &MF) {
  // Bounds the analysis. A wait for more pending groups than this retires
  // nothing here, which is only ever too careful.
  constexpr unsigned MaxPending = 16;

  Steps.resize(MF.getNumBlockIDs());
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      SmallVector<Step, 1> Found;
      if (isWGMMA(MI)) {
        Found.push_back({true, unsigned(WGMMAs.size()), {}});
        WGMMAs.push_back(&MI);
      }
      for (WGMMAEvent Event : getWGMMAEvents(MI)) {
        Found.push_back({false, 0, Event});
        if (Event.Kind == WGMMAEvent::Wait && Event.Pending < MaxPending)
          MaxAge = std::max(MaxAge, Event.Pending + 1);
      }
      if (Found.empty())
        continue;
      append_range(Steps[MBB.getNumber()], Found);
      StepsOf[&MI] = std::move(Found);
    }
}

void WGMMAInFlight::execute(WGMMAState &State, ArrayRef<Step> Steps) {
  for (const Step &S : Steps) {
    if (S.IsWGMMA)
      State.issue(S.Number);
    else
      State.execute(S.Event);
  }
}

void WGMMAInFlight::propagate(MachineFunction &MF) {
  Entry.assign(MF.getNumBlockIDs(), WGMMAState(size(), MaxAge));
  ReversePostOrderTraversal<MachineFunction *> RPOT(&MF);
  BitVector Pending(MF.getNumBlockIDs(), true);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock *MBB : RPOT) {
      if (!Pending.test(MBB->getNumber()))
        continue;
      Pending.reset(MBB->getNumber());
      WGMMAState State = atEnd(*MBB);
      for (MachineBasicBlock *Successor : MBB->successors())
        if (Entry[Successor->getNumber()].merge(State)) {
          Pending.set(Successor->getNumber());
          Changed = true;
        }
    }
  }
}

const WGMMAState &WGMMAInFlight::atStart(const MachineBasicBlock &MBB) const {
  return Entry[MBB.getNumber()];
}

WGMMAState WGMMAInFlight::atEnd(const MachineBasicBlock &MBB) const {
  WGMMAState State = atStart(MBB);
  execute(State, Steps[MBB.getNumber()]);
  return State;
}

void WGMMAInFlight::forEach(
    function_ref<void(MachineInstr &, const WGMMAState &)> Visit) const {
  for (MachineBasicBlock &MBB : MF)
    forEachIn(MBB, Visit);
}

void WGMMAInFlight::forEachIn(
    MachineBasicBlock &MBB,
    function_ref<void(MachineInstr &, const WGMMAState &)> Visit) const {
  WGMMAState State = Entry[MBB.getNumber()];
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    auto Found = StepsOf.find(&MI);
    ArrayRef<Step> StepsHere;
    if (Found != StepsOf.end())
      StepsHere = Found->second;
    Visit(MI, State);
    execute(State, StepsHere);
  }
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

WGMMARegisters::WGMMARegisters(const WGMMAInFlight &InFlight,
                               const MachineRegisterInfo &MRI) {
  // By shape and registers.
  std::map<std::pair<unsigned, SmallVector<unsigned, 0>>, unsigned> Known;
  for (auto [Number, MI] : enumerate(InFlight.wgmmas())) {
    SmallVector<unsigned, 0> Accumulator;
    for (const MachineOperand &Def : MI->defs())
      Accumulator.push_back(Def.getReg().id());
    auto [It, IsNew] =
        Known.try_emplace({getWGMMAShape(*MI), Accumulator}, Chains.size());
    if (IsNew) {
      Chains.push_back(BitVector(InFlight.size()));
      for (unsigned Reg : Accumulator)
        ChainsOf[Register(Reg)].push_back(It->second);
    }
    Chains[It->second].set(Number);
    ChainOf[MI] = It->second;
    ChainNumbers.push_back(It->second);
    for (Register Reg : getLateInputs(*MI, MRI))
      LateReaders[Reg].push_back(Number);
  }
}

SmallVector<unsigned, 2>
WGMMARegisters::accumulatingIn(Register Reg, const WGMMAState &State,
                               const MachineInstr *Except) const {
  SmallVector<unsigned, 2> Numbers;
  auto Found = ChainsOf.find(Reg);
  if (Found == ChainsOf.end())
    return Numbers;
  for (unsigned Chain : Found->second)
    if ((!Except || ChainOf.lookup(Except) != Chain) &&
        State.intersects(Chains[Chain]))
      copy_if(Chains[Chain].set_bits(), std::back_inserter(Numbers),
              [&](unsigned Number) { return State.contains(Number); });
  return Numbers;
}

BitVector WGMMARegisters::findChains(const WGMMAState &State) const {
  BitVector Found(Chains.size());
  const BitVector Numbers = State.all();
  for (unsigned Number : Numbers.set_bits())
    Found.set(ChainNumbers[Number]);
  return Found;
}

SmallVector<unsigned, 2>
WGMMARegisters::readingLate(Register Reg, const WGMMAState &State) const {
  SmallVector<unsigned, 2> Numbers;
  auto Found = LateReaders.find(Reg);
  if (Found != LateReaders.end())
    copy_if(Found->second, std::back_inserter(Numbers),
            [&](unsigned Number) { return State.contains(Number); });
  return Numbers;
}
