//===- InFlight.cpp - The rules for the registers of wgmma ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InFlight.h"

using namespace llvm;
using namespace wgmmarandom;

StringRef wgmmarandom::name(Fault F) {
  switch (F) {
  case Fault::AccumulatorRead:
    return "accumulator in flight is read";
  case Fault::AccumulatorWritten:
    return "accumulator in flight is written";
  case Fault::AccumulatorOverlaps:
    return "accumulator in flight is part of another";
  case Fault::AccumulatorIsA:
    return "A or metadata in flight is accumulated into";
  case Fault::AIsAccumulator:
    return "accumulator in flight is A or metadata of another";
  case Fault::InputRead:
    return "A or metadata in flight is read";
  case Fault::InputWritten:
    return "A or metadata in flight is written";
  case Fault::WrittenAfterFence:
    return "register is written after the last fence";
  case Fault::TakenForAnother:
    return "value is taken for another one by ptxas";
  case Fault::HalfInA:
    return "half of 64 bits in A may be taken for the other one by ptxas";
  }
  return "";
}

std::shared_ptr<const Issued> wgmmarandom::makeIssued(const ptx::Instr &I,
                                                      uint64_t Identity,
                                                      unsigned FirstRegister) {
  auto New = std::make_shared<Issued>();
  New->I = &I;
  New->Identity = Identity;
  for (const ptx::Operand &Op : I.Operands[0].Elements) {
    New->Accumulator.push_back(FirstRegister + Op.Reg);
    New->AccumulatorSet.insert(FirstRegister + Op.Reg);
  }
  if (I.WGMMA->AFromRegisters)
    for (const ptx::Operand &Op : I.Operands[1].Elements)
      if (Op.Kind == ptx::Operand::Register)
        New->LateInputs.insert(FirstRegister + Op.Reg);
  if (I.WGMMA->Sparse && I.Operands[3].Kind == ptx::Operand::Register)
    New->LateInputs.insert(FirstRegister + I.Operands[3].Reg);
  return New;
}

void InFlight::read(unsigned Register, const Report &R) const {
  for (const Entry &E : Entries) {
    if (E.Wgmma->AccumulatorSet.contains(Register))
      return R(Fault::AccumulatorRead, *E.Wgmma, Register);
    if (E.Wgmma->LateInputs.contains(Register))
      return R(Fault::InputRead, *E.Wgmma, Register);
  }
}

void InFlight::write(unsigned Register, const Report &R) {
  Unordered[Register] = "";
  for (const Entry &E : Entries) {
    if (E.Wgmma->AccumulatorSet.contains(Register))
      return R(Fault::AccumulatorWritten, *E.Wgmma, Register);
    if (E.Wgmma->LateInputs.contains(Register))
      return R(Fault::InputWritten, *E.Wgmma, Register);
  }
}

/// The fence's rule.
void InFlight::checkOrder(const Issued &New, const Report &R) const {
  std::string Shape = New.I->WGMMA->shape();
  for (unsigned Register : New.Accumulator) {
    auto It = Unordered.find(Register);
    if (It != Unordered.end() && It->second != Shape)
      return R(Fault::WrittenAfterFence, New, Register);
  }
  for (unsigned Register : New.LateInputs)
    if (Unordered.contains(Register))
      return R(Fault::WrittenAfterFence, New, Register);
}

void InFlight::issue(std::shared_ptr<const Issued> New, const Report &R) {
  for (const Entry &E : Entries) {
    bool IsSame = E.Wgmma->Accumulator == New->Accumulator &&
                  E.Wgmma->I->WGMMA->shape() == New->I->WGMMA->shape();
    for (unsigned Register : New->Accumulator) {
      if (!IsSame && E.Wgmma->AccumulatorSet.contains(Register)) {
        R(Fault::AccumulatorOverlaps, *E.Wgmma, Register);
        break;
      }
      if (E.Wgmma->LateInputs.contains(Register)) {
        R(Fault::AccumulatorIsA, *E.Wgmma, Register);
        break;
      }
    }
    for (unsigned Register : New->LateInputs)
      if (E.Wgmma->AccumulatorSet.contains(Register)) {
        R(Fault::AIsAccumulator, *E.Wgmma, Register);
        break;
      }
  }
  for (unsigned Register : New->LateInputs)
    if (New->AccumulatorSet.contains(Register)) {
      R(Fault::AccumulatorIsA, *New, Register);
      break;
    }
  checkOrder(*New, R);
  for (unsigned Register : New->Accumulator)
    Unordered[Register] = New->I->WGMMA->shape();
  // Along all paths an instruction is there once, however often it was issued.
  erase_if(Entries,
           [&](const Entry &E) { return E.Wgmma->Identity == New->Identity; });
  Entries.push_back({std::move(New), 0});
}

/// More groups than any wait leaves pending here; bounds the analysis.
static constexpr unsigned MaxGroups = 128;

void InFlight::commit() {
  for (Entry &E : Entries)
    E.Groups = std::min(E.Groups + 1, MaxGroups);
}

void InFlight::wait(uint64_t Pending,
                    const std::function<void(const Issued &)> &Retire) {
  auto IsRetired = [&](const Entry &E) { return E.Groups > Pending; };
  if (Retire)
    for (const Entry &E : Entries)
      if (IsRetired(E))
        Retire(*E.Wgmma);
  erase_if(Entries, IsRetired);
}

bool InFlight::merge(const InFlight &Other) {
  bool Changed = false;
  for (const Entry &New : Other.Entries) {
    auto It = find_if(Entries, [&](const Entry &E) {
      return E.Wgmma->Identity == New.Wgmma->Identity;
    });
    if (It == Entries.end()) {
      Entries.push_back(New);
      Changed = true;
    } else if (New.Groups < It->Groups) {
      It->Groups = New.Groups;
      Changed = true;
    }
  }
  for (const auto &[Register, Writer] : Other.Unordered) {
    auto [It, IsNew] = Unordered.try_emplace(Register, Writer);
    if (!IsNew && (It->second == Writer || It->second.empty()))
      continue;
    if (!IsNew)
      It->second.clear();
    Changed = true;
  }
  return Changed;
}

namespace {
class PathChecker {
public:
  PathChecker(const ptx::Module &M, const ptx::Function &F) : M(M), F(F) {}

  std::vector<Violation> run();

private:
  void execute(InFlight &State, unsigned Index);
  void flow(unsigned To, const InFlight &State);

  const ptx::Module &M;
  const ptx::Function &F;
  std::map<unsigned, InFlight>
      AtStart; ///< Of the blocks, by first instruction.
  std::vector<unsigned> Worklist;
  std::map<std::pair<const ptx::Instr *, Fault>, Violation> Found;
};
} // namespace

/// Whether a call may wait: then nothing is known after it.
static bool containsWait(const ptx::Module &M, StringRef Name) {
  const ptx::Function *F = M.find(Name);
  return !F || any_of(F->Instructions, [&](const auto &I) {
    return I->isWgmma("wait_group") ||
           (I->is("call") && containsWait(M, I->Callee));
  });
}

void PathChecker::execute(InFlight &State, unsigned Index) {
  const ptx::Instr &I = *F.Instructions[Index];
  auto Report = [&](Fault Kind, const Issued &InFlight, unsigned Register) {
    Found.try_emplace(
        {&I, Kind}, Violation{Kind, &I, InFlight.I, F.RegisterNames[Register]});
  };
  for (unsigned Register : I.Reads)
    State.read(Register, Report);
  if (I.WGMMA)
    State.issue(makeIssued(I, Index, 0), Report);
  for (unsigned Register : I.Writes)
    State.write(Register, Report);
  if (I.isWgmma("fence"))
    State.fence();
  else if (I.isWgmma("commit_group"))
    State.commit();
  else if (I.isWgmma("wait_group"))
    State.wait(I.Operands[0].Value);
  else if (I.is("call") && containsWait(M, I.Callee))
    State.forget();
}

void PathChecker::flow(unsigned To, const InFlight &State) {
  auto [It, IsNew] = AtStart.try_emplace(To);
  if (It->second.merge(State) || IsNew)
    Worklist.push_back(To);
}

std::vector<Violation> PathChecker::run() {
  DenseSet<unsigned> Labelled;
  for (const auto &Label : F.Labels)
    Labelled.insert(Label.second);
  AtStart[0];
  Worklist.push_back(0);
  while (!Worklist.empty()) {
    unsigned Index = Worklist.back();
    Worklist.pop_back();
    InFlight State = AtStart[Index];
    for (bool IsFirst = true;; IsFirst = false, ++Index) {
      if (Index >= F.Instructions.size())
        break;
      if (!IsFirst && Labelled.contains(Index)) {
        flow(Index, State);
        break;
      }
      const ptx::Instr &I = *F.Instructions[Index];
      execute(State, Index);
      if (I.is("bra"))
        flow(F.Labels.lookup(I.Operands[0].Name), State);
      if (I.is("brx"))
        for (StringRef Target : F.BranchTargets.lookup(I.Operands[1].Name))
          flow(F.Labels.lookup(Target), State);
      if ((I.isBranch() || I.is("ret") || I.is("exit")) && !I.HasGuard)
        break;
    }
  }
  std::vector<Violation> Result;
  for (auto &[_, V] : Found)
    Result.push_back(V);
  return Result;
}

std::vector<Violation> wgmmarandom::checkAllPaths(const ptx::Module &M,
                                                  const ptx::Function &F) {
  return PathChecker(M, F).run();
}
