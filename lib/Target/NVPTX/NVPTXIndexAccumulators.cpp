//===- NVPTXIndexAccumulators.cpp - Accumulators indexed by a variable ----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No register can be indexed by a variable. What remains of such accesses to
// vectors, after loops over an accumulator were unrolled, would become a copy
// of the whole vector in local memory for each access: instruction selection
// legalizes each by itself.
//
// In functions that use wgmma, this pass
// - makes a chain of selects of an access to a small vector;
// - stores a larger vector once, to one slot, and has all extractions load from
//   there. The store comes before the first extraction, or before the loop that
//   it is in, unless a wgmma, a wait or inline assembly in there may be what
//   defines the value;
// - inserts in a slot that all insertions into vectors of this type share, as
//   each of them stores and loads the whole vector;
// - warns of every vector, and of every local array of accumulators, that is in
//   memory for this reason.
//
// Known weakness: a vector that is both indexed and updated in a loop is stored
// and loaded in each iteration.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-index-accumulators"

STATISTIC(NumSelects, "Number of accesses by a variable index made selects");
STATISTIC(NumSlots, "Number of vectors stored to be indexed by a variable");

/// The most elements that are selected from.
static constexpr unsigned MaxSelects = 8;
/// How far a register is from what is made of it, at most.
static constexpr unsigned MaxSteps = 8;

namespace {
class AccumulatorIndexer {
public:
  AccumulatorIndexer(Function &F, const DominatorTree &DT, const LoopInfo &LI)
      : F(F), DT(DT), LI(LI) {}

  bool run();

private:
  void collect();
  void selectExtraction(ExtractElementInst &Extract);
  void selectInsertion(InsertElementInst &Insert);
  void loadExtractions(Value &Vector, ArrayRef<ExtractElementInst *> Extracts);
  void insertInSlot(InsertElementInst &Insert);
  Instruction *getStorePoint(const Value &Vector,
                             ExtractElementInst &Extract) const;
  bool mayDefineRegisters(const Loop &L) const;
  Value *createSlot(Type *Ty);
  void warn(ArrayRef<DbgVariableRecord *> Variables, const Twine &What,
            const Instruction &Access);
  void warnOfVector(Value &Vector, const Instruction &Access);
  void warnOfArrays();
  bool isArrayOfAccumulators(const AllocaInst &Array,
                             const Instruction *&Access) const;

  Function &F;
  const DominatorTree &DT;
  const LoopInfo &LI;
  SmallVector<ExtractElementInst *, 8> SmallExtracts;
  MapVector<Value *, SmallVector<ExtractElementInst *, 8>> Extracts;
  SmallVector<InsertElementInst *, 8> Inserts;
  /// The slots in which elements are inserted, in local memory.
  DenseMap<Type *, Value *> InsertionSlots;
  /// Where a warning was given.
  DenseSet<const DILocation *> Warned;
};
} // namespace

/// The index of an access by a variable to a vector whose elements are bytes in
/// memory; null for any other instruction.
static Value *getVariableIndex(Instruction &I) {
  if (!isa<ExtractElementInst, InsertElementInst>(I))
    return nullptr;
  Value *Index = I.getOperand(I.getNumOperands() - 1);
  auto *Ty = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  if (isa<Constant>(Index) || !Ty ||
      Ty->getElementType()->getPrimitiveSizeInBits() % 8 != 0 ||
      Ty->getElementType()->isPointerTy())
    return nullptr;
  return Index;
}

static unsigned getNumElements(const Value &Vector) {
  return cast<FixedVectorType>(Vector.getType())->getNumElements();
}

void AccumulatorIndexer::collect() {
  // In reverse post-order, so that a dominating extraction comes first.
  ReversePostOrderTraversal<Function *> Blocks(&F);
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block) {
      if (!getVariableIndex(I))
        continue;
      auto *Extract = dyn_cast<ExtractElementInst>(&I);
      if (!Extract)
        Inserts.push_back(cast<InsertElementInst>(&I));
      else if (getNumElements(*Extract->getVectorOperand()) <= MaxSelects)
        SmallExtracts.push_back(Extract);
      else
        Extracts[Extract->getVectorOperand()].push_back(Extract);
    }
}

/// An index that is out of range gives poison: any element will do.
void AccumulatorIndexer::selectExtraction(ExtractElementInst &Extract) {
  LLVM_DEBUG(dbgs() << "Making selects of: " << Extract << '\n');
  IRBuilder<> Builder(&Extract);
  Value *Vector = Extract.getVectorOperand(),
        *Index = Extract.getIndexOperand();
  Value *Element = Builder.CreateExtractElement(Vector, uint64_t(0));
  for (unsigned I = 1, E = getNumElements(*Vector); I != E; ++I)
    Element = Builder.CreateSelect(
        Builder.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), I)),
        Builder.CreateExtractElement(Vector, I), Element);
  Extract.replaceAllUsesWith(Element);
  Extract.eraseFromParent();
  ++NumSelects;
}

void AccumulatorIndexer::selectInsertion(InsertElementInst &Insert) {
  LLVM_DEBUG(dbgs() << "Making selects of: " << Insert << '\n');
  IRBuilder<> Builder(&Insert);
  Value *Vector = Insert.getOperand(0), *Index = Insert.getOperand(2);
  Value *Result = Vector;
  for (unsigned I = 0, E = getNumElements(*Vector); I != E; ++I)
    Result = Builder.CreateInsertElement(
        Result,
        Builder.CreateSelect(
            Builder.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), I)),
            Insert.getOperand(1), Builder.CreateExtractElement(Vector, I)),
        I);
  Insert.replaceAllUsesWith(Result);
  Insert.eraseFromParent();
  ++NumSelects;
}

/// A pointer to local memory for a value of \p Ty.
Value *AccumulatorIndexer::createSlot(Type *Ty) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> Builder(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Slot = Builder.CreateAlloca(Ty);
  Slot->setAlignment(Align(16));
  ++NumSlots;
  return Builder.CreateAddrSpaceCast(
      Slot, Builder.getPtrTy(NVPTXAS::ADDRESS_SPACE_LOCAL));
}

/// The address of an element of the vector of type \p Ty at \p Slot. An index
/// that is out of range must not become an access that is.
static Value *getElementAddress(FixedVectorType *Ty, Value *Slot, Value *Index,
                                IRBuilder<> &Builder) {
  unsigned Elements = Ty->getNumElements();
  Index = Builder.CreateZExtOrTrunc(Index, Builder.getInt32Ty());
  if (computeKnownBits(Index, Builder.GetInsertBlock()->getDataLayout())
          .getMaxValue()
          .uge(Elements))
    Index = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Index,
                                          Builder.getInt32(Elements - 1));
  return Builder.CreateInBoundsGEP(Ty->getElementType(), Slot, Index);
}

bool AccumulatorIndexer::mayDefineRegisters(const Loop &L) const {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && NVPTX::isWGMMAOrAsm(*Call);
    });
  });
}

/// What to store \p Vector before, for \p Extract to load from.
Instruction *
AccumulatorIndexer::getStorePoint(const Value &Vector,
                                  ExtractElementInst &Extract) const {
  Instruction *Point = &Extract;
  while (const Loop *L = LI.getLoopFor(Point->getParent())) {
    auto *Def = dyn_cast<Instruction>(&Vector);
    if ((Def && L->contains(Def)) || !L->getLoopPreheader() ||
        mayDefineRegisters(*L))
      break;
    Point = L->getLoopPreheader()->getTerminator();
  }
  return Point;
}

void AccumulatorIndexer::loadExtractions(
    Value &Vector, ArrayRef<ExtractElementInst *> Extracts) {
  warnOfVector(Vector, *Extracts.front());
  auto *Ty = cast<FixedVectorType>(Vector.getType());
  Value *Slot = createSlot(Ty);
  SmallVector<Instruction *, 4> Stores;
  for (ExtractElementInst *Extract : Extracts) {
    Instruction *Point = getStorePoint(Vector, *Extract);
    if (none_of(Stores, [&](Instruction *S) { return DT.dominates(S, Point); }))
      Stores.push_back(
          IRBuilder<>(Point).CreateAlignedStore(&Vector, Slot, Align(16)));
    IRBuilder<> Builder(Extract);
    Extract->replaceAllUsesWith(Builder.CreateLoad(
        Ty->getElementType(),
        getElementAddress(Ty, Slot, Extract->getIndexOperand(), Builder)));
  }
  for (ExtractElementInst *Extract : Extracts)
    Extract->eraseFromParent();
}

void AccumulatorIndexer::insertInSlot(InsertElementInst &Insert) {
  Value *Vector = Insert.getOperand(0);
  warnOfVector(*Vector, Insert);
  auto *Ty = cast<FixedVectorType>(Vector->getType());
  Value *&Slot = InsertionSlots[Ty];
  if (!Slot)
    Slot = createSlot(Ty);
  IRBuilder<> Builder(&Insert);
  Builder.CreateAlignedStore(Vector, Slot, Align(16));
  Builder.CreateStore(
      Insert.getOperand(1),
      getElementAddress(Ty, Slot, Insert.getOperand(2), Builder));
  Insert.replaceAllUsesWith(Builder.CreateAlignedLoad(Ty, Slot, Align(16)));
  Insert.eraseFromParent();
}

/// \p Variables, what the debug information says that it is; \p What, what it
/// is called otherwise.
void AccumulatorIndexer::warn(ArrayRef<DbgVariableRecord *> Variables,
                              const Twine &What, const Instruction &Access) {
  // Once for each place in the source: loops may have been unrolled in part.
  if (!Warned.insert(Access.getDebugLoc().get()).second)
    return;
  std::string Name;
  if (!Variables.empty())
    Name = ("'" + Variables.front()->getVariable()->getName() + "': ").str();
  F.getContext().diagnose(nvvm::DiagnosticInfoWGMMA(
      nvvm::DiagnosticInfoWGMMA::StackAccumulator, F, Access.getDebugLoc(),
      Name + What + " is indexed by a variable and kept in local memory"));
}

void AccumulatorIndexer::warnOfVector(Value &Vector,
                                      const Instruction &Access) {
  SmallVector<DbgVariableRecord *, 2> Variables;
  findDbgValues(&Vector, Variables);
  std::string Type;
  raw_string_ostream(Type) << *Vector.getType()->getScalarType();
  warn(Variables,
       "a vector of " + Twine(getNumElements(Vector)) + " '" + Type +
           "' values",
       Access);
}

/// Whether \p V is a register of a wgmma, or a part of one.
static bool isPartOfRegister(const Value *V) {
  for (unsigned Steps = 0; Steps != MaxSteps; ++Steps) {
    if (NVPTX::isWGMMARegister(V))
      return true;
    if (!isa<CastInst, BinaryOperator, ExtractElementInst, ExtractValueInst>(V))
      return false;
    V = cast<Instruction>(V)->getOperand(0);
  }
  return false;
}

/// Whether registers of a wgmma are stored to \p Array, and \p Access an
/// address in it that is not constant.
bool AccumulatorIndexer::isArrayOfAccumulators(
    const AllocaInst &Array, const Instruction *&Access) const {
  bool HasRegisters = false;
  SmallVector<const Value *, 16> Worklist = {&Array};
  while (!Worklist.empty()) {
    const Value *Address = Worklist.pop_back_val();
    for (const User *U : Address->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        HasRegisters |= Store->getPointerOperand() == Address &&
                        isPartOfRegister(Store->getValueOperand());
      } else if (isa<GetElementPtrInst, AddrSpaceCastInst>(U)) {
        Worklist.push_back(U);
        auto *GEP = dyn_cast<GetElementPtrInst>(U);
        if (GEP && !GEP->hasAllConstantIndices())
          Access = GEP;
      }
    }
  }
  return HasRegisters && Access;
}

void AccumulatorIndexer::warnOfArrays() {
  for (Instruction &I : F.getEntryBlock()) {
    auto *Array = dyn_cast<AllocaInst>(&I);
    const Instruction *Access = nullptr;
    if (Array && isArrayOfAccumulators(*Array, Access))
      warn(findDVRDeclares(Array),
           "an array with an accumulator of wgmma in it", *Access);
  }
}

bool AccumulatorIndexer::run() {
  warnOfArrays();
  collect();
  for (ExtractElementInst *Extract : SmallExtracts)
    selectExtraction(*Extract);
  for (auto &[Vector, Users] : Extracts)
    loadExtractions(*Vector, Users);
  for (InsertElementInst *Insert : Inserts)
    if (getNumElements(*Insert->getOperand(0)) <= MaxSelects)
      selectInsertion(*Insert);
    else
      insertInSlot(*Insert);
  return !SmallExtracts.empty() || !Extracts.empty() || !Inserts.empty();
}

static bool indexAccumulators(Function &F, const DominatorTree &DT,
                              const LoopInfo &LI) {
  return NVPTX::usesWGMMA(F) && AccumulatorIndexer(F, DT, LI).run();
}

namespace {
class NVPTXIndexAccumulatorsLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXIndexAccumulatorsLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Index Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<DominatorTreeWrapperPass>();
    AU.addRequired<LoopInfoWrapperPass>();
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override {
    return indexAccumulators(
        F, getAnalysis<DominatorTreeWrapperPass>().getDomTree(),
        getAnalysis<LoopInfoWrapperPass>().getLoopInfo());
  }
};
} // namespace

char NVPTXIndexAccumulatorsLegacyPass::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXIndexAccumulatorsLegacyPass, DEBUG_TYPE,
                      "NVPTX Index Accumulators", false, false)
INITIALIZE_PASS_DEPENDENCY(DominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(LoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXIndexAccumulatorsLegacyPass, DEBUG_TYPE,
                    "NVPTX Index Accumulators", false, false)

FunctionPass *llvm::createNVPTXIndexAccumulatorsPass() {
  return new NVPTXIndexAccumulatorsLegacyPass();
}

PreservedAnalyses NVPTXIndexAccumulatorsPass::run(Function &F,
                                                  FunctionAnalysisManager &AM) {
  if (!indexAccumulators(F, AM.getResult<DominatorTreeAnalysis>(F),
                         AM.getResult<LoopAnalysis>(F)))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
