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
//   defines the value. It stores the registers that the vector was made of, 16
//   bytes at a time: what packs them into anything else needs no memory, so
//   that later passes would move it ahead of the wait for these registers;
// - inserts in a slot that all insertions into vectors of this type share, as
//   each of them stores and loads the whole vector;
// - warns of every vector, and of every local array with registers of wgmma in
//   it, that is in memory for this reason.
//
// Known weakness: a vector that is both indexed and updated in a loop is stored
// and loaded in each iteration.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
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
/// The bytes that a load or a store accesses at most.
static constexpr unsigned AccessSize = 16;

namespace {
class AccumulatorIndexer {
public:
  AccumulatorIndexer(Function &F, const DominatorTree &DT, const LoopInfo &LI)
      : F(F), DT(DT), LI(LI), Warnings(F) {}

  bool run();

private:
  void collect();
  void selectExtraction(ExtractElementInst &Extract);
  void selectInsertion(InsertElementInst &Insert);
  void loadExtractions(Value &Registers,
                       ArrayRef<ExtractElementInst *> Extracts);
  void insertInSlot(InsertElementInst &Insert);
  Instruction *getStorePoint(const Value &Registers,
                             ExtractElementInst &Extract) const;
  bool mayDefineRegisters(const Loop &L) const;
  Value *createSlot(Type *Ty);
  void warn(ArrayRef<DbgVariableRecord *> Variables, const Twine &What,
            const Instruction &Access);
  void warnOfVector(Value &Vector, const Instruction &Access);
  void warnOfArrays();
  bool isArrayOfRegisters(const AllocaInst &Array,
                          const Instruction *&Access) const;

  Function &F;
  const DominatorTree &DT;
  const LoopInfo &LI;
  SmallVector<ExtractElementInst *, 8> SmallExtracts;
  /// By the registers that they extract from.
  MapVector<Value *, SmallVector<ExtractElementInst *, 8>> Extracts;
  SmallVector<InsertElementInst *, 8> Inserts;
  /// The slots in which elements are inserted, in local memory.
  DenseMap<Type *, Value *> InsertionSlots;
  nvvm::WGMMAWarnings Warnings;
};
} // namespace

/// Whether the elements of a vector of type \p Ty are in memory where those of
/// an array are: elements of 24 bits are 3 bytes apart in the one, 4 in the
/// other.
static bool isLikeArray(const FixedVectorType *Ty) {
  unsigned Size = Ty->getScalarSizeInBits();
  return Size >= 8 && isPowerOf2_32(Size);
}

/// The index of an access by a variable to a vector that is like an array; null
/// for any other instruction.
static Value *getVariableIndex(Instruction &I) {
  if (!isa<ExtractElementInst, InsertElementInst>(I))
    return nullptr;
  Value *Index = I.getOperand(I.getNumOperands() - 1);
  auto *Ty = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  return isa<Constant>(Index) || !Ty || !isLikeArray(Ty) ? nullptr : Index;
}

static unsigned getNumElements(const Value &Vector) {
  return cast<FixedVectorType>(Vector.getType())->getNumElements();
}

/// The vector that \p Vector is another view of: bit for bit the same in
/// memory.
static Value *getRegisters(Value *Vector) {
  auto *Cast = dyn_cast<BitCastInst>(Vector);
  auto *Ty = Cast ? dyn_cast<FixedVectorType>(Cast->getSrcTy()) : nullptr;
  return Ty && isLikeArray(Ty) ? getRegisters(Cast->getOperand(0)) : Vector;
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
        Extracts[getRegisters(Extract->getVectorOperand())].push_back(Extract);
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
  Slot->setAlignment(Align(AccessSize));
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

/// Calls \p Access with each part of a vector of type \p Ty at \p Slot that one
/// load or store can access: its first element, its type, its address.
/// Legalization would take a larger vector apart, and may do so into integers
/// of 64 bits, which have to be packed.
static void
forEachPart(FixedVectorType *Ty, Value *Slot, IRBuilderBase &Builder,
            function_ref<void(unsigned, FixedVectorType *, Value *)> Access) {
  Type *Element = Ty->getElementType();
  unsigned Step = std::max(1u, 8 * AccessSize /
                                   unsigned(Element->getPrimitiveSizeInBits()));
  for (unsigned I = 0, E = Ty->getNumElements(); I < E; I += Step)
    Access(I, FixedVectorType::get(Element, std::min(Step, E - I)),
           Builder.CreateConstInBoundsGEP1_32(Element, Slot, I));
}

/// Stores \p Registers to \p Slot; returns the first store.
static Instruction *storeRegisters(Value *Registers, Value *Slot,
                                   IRBuilderBase &Builder) {
  Instruction *First = nullptr;
  forEachPart(
      cast<FixedVectorType>(Registers->getType()), Slot, Builder,
      [&](unsigned I, FixedVectorType *Ty, Value *Address) {
        Value *Part = Builder.CreateShuffleVector(
            Registers, createSequentialMask(I, Ty->getNumElements(), 0));
        Instruction *Store =
            Builder.CreateAlignedStore(Part, Address, Align(AccessSize));
        if (!First)
          First = Store;
      });
  return First;
}

static Value *loadVector(FixedVectorType *Ty, Value *Slot,
                         IRBuilderBase &Builder) {
  Value *Vector = PoisonValue::get(Ty);
  forEachPart(Ty, Slot, Builder,
              [&](unsigned First, FixedVectorType *PartTy, Value *Address) {
                Value *Part = Builder.CreateAlignedLoad(PartTy, Address,
                                                        Align(AccessSize));
                for (unsigned I = 0, E = PartTy->getNumElements(); I != E; ++I)
                  Vector = Builder.CreateInsertElement(
                      Vector, Builder.CreateExtractElement(Part, I), First + I);
              });
  return Vector;
}

bool AccumulatorIndexer::mayDefineRegisters(const Loop &L) const {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && NVPTX::isWGMMAOrAsm(*Call);
    });
  });
}

/// What to store \p Registers before, for \p Extract to load from.
Instruction *
AccumulatorIndexer::getStorePoint(const Value &Registers,
                                  ExtractElementInst &Extract) const {
  Instruction *Point = &Extract;
  while (const Loop *L = LI.getLoopFor(Point->getParent())) {
    auto *Def = dyn_cast<Instruction>(&Registers);
    if ((Def && L->contains(Def)) || !L->getLoopPreheader() ||
        mayDefineRegisters(*L))
      break;
    Point = L->getLoopPreheader()->getTerminator();
  }
  return Point;
}

void AccumulatorIndexer::loadExtractions(
    Value &Registers, ArrayRef<ExtractElementInst *> Extracts) {
  warnOfVector(*Extracts.front()->getVectorOperand(), *Extracts.front());
  Value *Slot = createSlot(Registers.getType());
  SmallVector<Instruction *, 4> Stores;
  for (ExtractElementInst *Extract : Extracts) {
    Instruction *Point = getStorePoint(Registers, *Extract);
    IRBuilder<> Builder(Point);
    if (none_of(Stores, [&](Instruction *S) { return DT.dominates(S, Point); }))
      Stores.push_back(storeRegisters(&Registers, Slot, Builder));
    Builder.SetInsertPoint(Extract);
    FixedVectorType *Ty =
        cast<FixedVectorType>(Extract->getVectorOperandType());
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
  storeRegisters(getRegisters(Vector), Slot, Builder);
  Builder.CreateStore(
      Insert.getOperand(1),
      getElementAddress(Ty, Slot, Insert.getOperand(2), Builder));
  Insert.replaceAllUsesWith(loadVector(Ty, Slot, Builder));
  Insert.eraseFromParent();
}

/// \p Variables, what the debug information says that it is; \p What, what it
/// is called otherwise.
void AccumulatorIndexer::warn(ArrayRef<DbgVariableRecord *> Variables,
                              const Twine &What, const Instruction &Access) {
  std::string Name;
  if (!Variables.empty())
    Name = ("'" + Variables.front()->getVariable()->getName() + "': ").str();
  Warnings.warn(
      nvvm::DiagnosticInfoWGMMA::StackAccumulator, Access.getDebugLoc(),
      Name + What + " is indexed by a variable and kept in local memory");
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

/// Whether registers of a wgmma are stored to \p Array or loaded from it, and
/// \p Access an address in it that is not constant.
bool AccumulatorIndexer::isArrayOfRegisters(const AllocaInst &Array,
                                            const Instruction *&Access) const {
  bool HasRegisters = false;
  SmallVector<const Value *, 16> Worklist = {&Array};
  while (!Worklist.empty()) {
    const Value *Address = Worklist.pop_back_val();
    for (const User *U : Address->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        HasRegisters |= Store->getPointerOperand() == Address &&
                        NVPTX::isPartOfAccumulator(Store->getValueOperand());
      } else if (isa<LoadInst>(U)) {
        HasRegisters = HasRegisters || NVPTX::becomesWGMMARegister(*U);
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
    if (Array && isArrayOfRegisters(*Array, Access))
      warn(findDVRDeclares(Array), "an array with registers of wgmma in it",
           *Access);
  }
}

bool AccumulatorIndexer::run() {
  warnOfArrays();
  collect();
  for (ExtractElementInst *Extract : SmallExtracts)
    selectExtraction(*Extract);
  for (auto &[Registers, Users] : Extracts)
    loadExtractions(*Registers, Users);
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
