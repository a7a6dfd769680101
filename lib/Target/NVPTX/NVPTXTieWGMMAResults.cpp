//===- NVPTXTieWGMMAResults.cpp - Results behind their wait ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs with wgmma in inline assembly read a result behind a wait, and
// mostly have nothing that ties it to that:
//
//   int Sum[64] = {};
//   for (I = 0; I < N; ++I) { Sum = wgmma(Sum, ...); commit; wait 1; ... }
//   wait 0;
//   Out = float(Sum) * Scale;
//
// Where the wait stands, Sum is a phi: zero if there was no round. InstCombine
// computes what folds with that in the blocks that the phi has its values from:
// float(Sum) in each round, while the wgmma is in flight. That breaks the
// protocol, which the program does not, and has each round wait for all.
//
// So before InstCombine comes to what is behind a wait for all, such phis go on
// as llvm.nvvm.wgmma.fence_operand there.
//
// So do results that go round in a loop which waits on a condition, and reads
// them there:
//
//   for (I = 0; I < N; ++I) {
//     Part = wgmma(Part, ..., C != 0); commit;
//     if (++C == 4) { wait 0; Sum += Part; C = 0; }
//   }
//
// What reads them may be speculated ahead of the condition. And they go round
// as what is tied there, all elements of them: a result that is read and goes
// on beside that has to be copied (NVPTXSeparateWGMMAResults), where it goes
// on, in flight. So does a result that goes on as a whole, as what its elements
// are by then. Other results stay where they are: nothing moves what reads
// them.
//
//===----------------------------------------------------------------------===//

#include "NVPTXTieWGMMAResults.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/InstCombine/InstCombiner.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

/// A result has come through a few phis and vectors by then.
static constexpr unsigned MaxValues = 32;
/// How many blocks ahead of the wait paths may have met.
static constexpr unsigned MaxBlocks = 16;
/// How many blocks a loop may have, and those ahead of a block in it.
static constexpr unsigned MaxLoopBlocks = 256;

/// Whether fence_operand takes values of type \p Ty.
static bool isFenceOperandType(const Type &Ty) {
  const Type *Element = Ty.getScalarType();
  return Element->isFloatTy() || Element->isIntegerTy(32);
}

/// Whether \p Phi has a result of wgmma, or a part of one, on some path.
static bool hasResult(PHINode &Phi) {
  SmallSetVector<Instruction *, 16> Values;
  Values.insert(&Phi);
  for (unsigned N = 0; N != Values.size() && N != MaxValues; ++N) {
    Instruction *I = Values[N];
    if (NVPTX::isWGMMA(*I))
      return true;
    auto Add = [&Values](Value *V) {
      if (auto *Source = dyn_cast<Instruction>(V))
        Values.insert(Source);
    };
    if (isa<PHINode>(I))
      for_each(I->operand_values(), Add);
    else if (isa<ExtractElementInst, BitCastInst>(I))
      Add(I->getOperand(0));
    // All elements come from one, mostly.
    else if (isa<InsertElementInst>(I))
      Add(I->getOperand(1));
  }
  return false;
}

/// Whether InstCombine may compute of what \p Phi has its value from.
static bool mayFold(PHINode &Phi) {
  return isFenceOperandType(*Phi.getType()) &&
         any_of(Phi.incoming_values(), IsaPred<Constant>) && hasResult(Phi);
}

/// Whether InstCombine may compute what \p U is for: no wgmma, and no
/// fence_operand, which ties it already.
static bool isUntied(const Use &U) {
  const auto *Call = dyn_cast<IntrinsicInst>(U.getUser());
  return !Call ||
         (Call->getIntrinsicID() != Intrinsic::nvvm_wgmma_fence_operand &&
          !NVPTX::isWGMMA(*Call));
}

/// Whether \p U is behind \p Wait, and nothing ties it there.
static bool isUntiedBehind(const Use &U, const IntrinsicInst &Wait,
                           const DominatorTree &DT) {
  return isUntied(U) && DT.dominates(&Wait, U);
}

static bool isNeededBehind(const Instruction &Result, const IntrinsicInst &Wait,
                           const DominatorTree &DT) {
  return any_of(Result.uses(),
                [&](const Use &U) { return isUntiedBehind(U, Wait, DT); });
}

/// \p Result as fence_operand behind \p Wait.
static Instruction &createTied(Instruction &Result, InstCombiner &IC,
                               IntrinsicInst &Wait) {
  IC.Builder.SetInsertPoint(Wait.getNextNode());
  return *cast<Instruction>(IC.Builder.CreateIntrinsic(
      Intrinsic::nvvm_wgmma_fence_operand, {Result.getType()}, {&Result}));
}

static bool tiePhis(BasicBlock &BB, InstCombiner &IC, IntrinsicInst &Wait) {
  bool Changed = false;
  const DominatorTree &DT = IC.getDominatorTree();
  for (PHINode &Phi : BB.phis())
    if (isNeededBehind(Phi, Wait, DT) && mayFold(Phi)) {
      Phi.replaceUsesWithIf(&createTied(Phi, IC, Wait), [&](const Use &U) {
        return isUntiedBehind(U, Wait, DT);
      });
      Changed = true;
    }
  return Changed;
}

/// Whether \p I is an element of the result of a wgmma, or a phi of such.
static bool isElementOfResult(Instruction &I) {
  if (!isFenceOperandType(*I.getType()))
    return false;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return hasResult(*Phi);
  const auto *Product = isa<ExtractElementInst>(I)
                            ? dyn_cast<Instruction>(I.getOperand(0))
                            : nullptr;
  return Product && NVPTX::isWGMMA(*Product);
}

/// Whether \p I is a wgmma with a result of several elements.
static bool isProduct(const Instruction &I) {
  return I.getType()->isVectorTy() && NVPTX::isWGMMA(I);
}

/// Whether \p U needs all elements at once.
static bool isOfWhole(const Use &U) {
  return !isa<ExtractElementInst>(U.getUser());
}

/// The number of the element that \p U takes, if that is known.
static std::optional<uint64_t> getElementNumber(const User &U) {
  const auto *Extract = dyn_cast<ExtractElementInst>(&U);
  const auto *Index =
      Extract ? dyn_cast<ConstantInt>(Extract->getIndexOperand()) : nullptr;
  return Index ? Index->getValue().tryZExtValue() : std::nullopt;
}

namespace {
struct NaturalLoop {
  const BasicBlock *Header;
  SmallPtrSet<const BasicBlock *, 16> Blocks;
};
} // namespace

/// The loop with header \p Header; none if there is none, or it is too large.
static std::optional<NaturalLoop> findLoop(const BasicBlock &Header,
                                           const DominatorTree &DT) {
  NaturalLoop Found{&Header, {&Header}};
  SmallVector<const BasicBlock *, 16> Worklist;
  auto Add = [&](const BasicBlock *BB) {
    if (DT.isReachableFromEntry(BB) && Found.Blocks.insert(BB).second)
      Worklist.push_back(BB);
  };
  for (const BasicBlock *Latch : predecessors(&Header))
    if (DT.dominates(&Header, Latch))
      Add(Latch);
  if (Worklist.empty() && !is_contained(predecessors(&Header), &Header))
    return std::nullopt;
  while (!Worklist.empty()) {
    if (Found.Blocks.size() > MaxLoopBlocks)
      return std::nullopt;
    for (const BasicBlock *BB : predecessors(Worklist.pop_back_val()))
      Add(BB);
  }
  return Found;
}

/// The innermost loop around \p BB, as LoopInfo would tell. That would have to
/// be found for the whole function at each wait that InstCombine visits.
static std::optional<NaturalLoop> findInnermostLoop(const BasicBlock &BB,
                                                    const DominatorTree &DT) {
  const DomTreeNode *Node = DT.getNode(&BB);
  for (unsigned I = 0; Node && I != MaxLoopBlocks; ++I, Node = Node->getIDom())
    if (std::optional<NaturalLoop> L = findLoop(*Node->getBlock(), DT);
        L && L->Blocks.contains(&BB))
      return L;
  return std::nullopt;
}

/// Whether \p From and \p BB are in a loop of which a round may go on from
/// \p From without \p BB.
static bool isAvoidable(const BasicBlock &BB, const BasicBlock &From,
                        const DominatorTree &DT) {
  const std::optional<NaturalLoop> L = findInnermostLoop(From, DT);
  if (!L || !L->Blocks.contains(&BB))
    return false;
  const std::optional<NaturalLoop> Inner = findInnermostLoop(BB, DT);
  if (!Inner || Inner->Header != L->Header)
    return false;
  df_iterator_default_set<const BasicBlock *> Reached;
  Reached.insert(&BB);
  return any_of(depth_first_ext(&From, Reached), [&](const BasicBlock *Before) {
    return any_of(successors(Before), [&](const BasicBlock *Next) {
      return Next == L->Header || !L->Blocks.contains(Next);
    });
  });
}

namespace {
/// The elements of results in one block of a loop, and a wait on a condition
/// behind it.
class LoopResults {
public:
  LoopResults(BasicBlock &BB, InstCombiner &IC, IntrinsicInst &Wait)
      : BB(BB), IC(IC), Wait(Wait) {
    df_iterator_default_set<BasicBlock *> Reached;
    Reached.insert(&BB);
    Behind.insert_range(depth_first_ext(Wait.getParent(), Reached));
  }

  bool tie();

private:
  bool isBehind(const Use &U) const;
  Instruction *getTied(const Instruction &I) const;
  SmallVector<Use *, 4> getUsesBehind(Instruction &I) const;
  bool isReadBehind(const Instruction &I) const;
  bool mustTie(Instruction &I) const;
  SmallVector<Value *, 32> getElements(Instruction &Product);
  void takeApart(Instruction &Product);
  void passOn(Instruction &I);

  BasicBlock &BB;
  InstCombiner &IC;
  IntrinsicInst &Wait;
  /// Where the wait leads to, not through the results' block.
  SmallPtrSet<const BasicBlock *, 8> Behind;
};
} // namespace

/// Whether a way to \p U leads through the wait.
bool LoopResults::isBehind(const Use &U) const {
  const auto *User = cast<Instruction>(U.getUser());
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Behind.contains(Phi->getIncomingBlock(U));
  return User->getParent() == Wait.getParent()
             ? Wait.comesBefore(User)
             : Behind.contains(User->getParent());
}

/// \p I as fence_operand in the wait's block, if nothing there needs it before.
Instruction *LoopResults::getTied(const Instruction &I) const {
  Instruction *First = nullptr;
  for (const Use &U : I.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (User->getParent() == Wait.getParent() && !isa<PHINode>(User) &&
        isBehind(U) && (!First || User->comesBefore(First)))
      First = User;
  }
  const auto *Call = dyn_cast_or_null<IntrinsicInst>(First);
  return Call && Call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand
             ? First
             : nullptr;
}

/// What needs \p I behind the wait, but for what ties it there.
SmallVector<Use *, 4> LoopResults::getUsesBehind(Instruction &I) const {
  const Instruction *Tied = getTied(I);
  SmallVector<Use *, 4> Uses;
  for (Use &U : I.uses())
    if (U.getUser() != Tied && isBehind(U))
      Uses.push_back(&U);
  return Uses;
}

bool LoopResults::isReadBehind(const Instruction &I) const {
  return isNeededBehind(I, Wait, IC.getDominatorTree()) || getTied(I);
}

bool LoopResults::mustTie(Instruction &I) const {
  return !I.hasOneUse() && isReadBehind(I) && !getUsesBehind(I).empty();
}

/// All elements of \p Product, right behind it: InstCombine may have put one
/// where it is read, ahead of the wait.
SmallVector<Value *, 32> LoopResults::getElements(Instruction &Product) {
  SmallVector<Value *, 32> Elements(
      cast<FixedVectorType>(Product.getType())->getNumElements());
  for (User *U : make_early_inc_range(Product.users())) {
    std::optional<uint64_t> Number = getElementNumber(*U);
    if (!Number || *Number >= Elements.size())
      continue;
    auto *Extract = cast<Instruction>(U);
    if (Value *Same = Elements[*Number]) {
      IC.replaceInstUsesWith(*Extract, Same);
      IC.eraseInstFromFunction(*Extract);
      continue;
    }
    Extract->moveAfter(&Product);
    Elements[*Number] = Extract;
  }
  IC.Builder.SetInsertPoint(Product.getNextNode());
  for (auto [Number, Element] : enumerate(Elements))
    if (!Element)
      Element = IC.Builder.CreateExtractElement(&Product, Number);
  return Elements;
}

/// Has \p Product, if an element of it is read behind the wait, go on there as
/// its elements, and not as a whole beside them.
void LoopResults::takeApart(Instruction &Product) {
  SmallVector<Use *, 4> Uses;
  for (Use &U : Product.uses())
    if (isOfWhole(U) && isBehind(U))
      Uses.push_back(&U);
  if (Uses.empty() || none_of(Product.users(), [this](const User *U) {
        return getElementNumber(*U) && isReadBehind(*cast<Instruction>(U));
      }))
    return;
  const SmallVector<Value *, 32> Elements = getElements(Product);
  for (Use *U : Uses) {
    auto *User = cast<Instruction>(U->getUser());
    const auto *Phi = dyn_cast<PHINode>(User);
    IC.Builder.SetInsertPoint(Phi ? Phi->getIncomingBlock(*U)->getTerminator()
                                  : User);
    Value *Whole = PoisonValue::get(Product.getType());
    for (auto [Number, Element] : enumerate(Elements))
      Whole = IC.Builder.CreateInsertElement(Whole, Element, Number);
    U->set(Whole);
  }
}

/// Has \p I go on as fence_operand wherever a way leads through the wait.
void LoopResults::passOn(Instruction &I) {
  const SmallVector<Use *, 4> Uses = getUsesBehind(I);
  if (Uses.empty())
    return;
  Instruction *Tied = getTied(I);
  if (!Tied)
    Tied = &createTied(I, IC, Wait);
  SmallVector<PHINode *, 4> Phis;
  SSAUpdater Updater(&Phis);
  Updater.Initialize(I.getType(), I.getName());
  Updater.AddAvailableValue(&BB, &I);
  Updater.AddAvailableValue(Wait.getParent(), Tied);
  for (Use *U : Uses)
    // In the block of the wait, what is behind it.
    if (cast<Instruction>(U->getUser())->getParent() == Wait.getParent() &&
        !isa<PHINode>(U->getUser()))
      U->set(Tied);
    else
      Updater.RewriteUse(*U);
  for (PHINode *Phi : Phis)
    IC.addToWorklist(Phi);
}

/// Ties all elements if one of them has to be: the registers of an accumulator
/// go on together.
bool LoopResults::tie() {
  for (Instruction &I : BB)
    if (isProduct(I))
      takeApart(I);
  SmallVector<Instruction *, 16> Elements;
  for (Instruction &I : BB)
    if (isElementOfResult(I))
      Elements.push_back(&I);
  if (none_of(Elements, [this](Instruction *I) { return mustTie(*I); }))
    return false;
  for (Instruction *I : Elements)
    passOn(*I);
  return true;
}

/// Whether \p I is a result, or an element of one, that more than one needs.
static bool isSharedResult(Instruction &I) {
  return (isElementOfResult(I) && !I.hasOneUse()) ||
         (isProduct(I) && any_of(I.uses(), isOfWhole));
}

/// Ties the elements of \p BB if \p Wait, behind it, is on a condition in their
/// loop.
static bool tieElements(BasicBlock &BB, InstCombiner &IC, IntrinsicInst &Wait) {
  return any_of(BB, isSharedResult) &&
         isAvoidable(*Wait.getParent(), BB, IC.getDominatorTree()) &&
         LoopResults(BB, IC, Wait).tie();
}

bool NVPTX::tieWGMMAResults(InstCombiner &IC, IntrinsicInst &Wait) {
  if (!isWGMMAWaitForAll(Wait))
    return false;
  bool Changed = false;
  const DomTreeNode *Node = IC.getDominatorTree().getNode(Wait.getParent());
  for (unsigned I = 0; Node && I != MaxBlocks; ++I, Node = Node->getIDom()) {
    Changed |= tiePhis(*Node->getBlock(), IC, Wait);
    // In the block of the wait nothing goes on without it.
    if (I)
      Changed |= tieElements(*Node->getBlock(), IC, Wait);
    // What is ahead of another wait for all is not in flight here.
    if (I && any_of(*Node->getBlock(), isWGMMAWaitForAll))
      break;
  }
  return Changed;
}
