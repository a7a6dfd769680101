//===- NVPTXWGMMA.td - wgmma.mma_async instructions --------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of wgmma.mma_async: one for each variant and N. They are
// selected by NVPTXWGMMASelection.cpp through WGMMATable, not by patterns: the
// type of their accumulator is seldom one that a pattern could name, and 1,860
// patterns would add 600 kB to the matcher table.
//
// The accumulator $c is tied to $d, yet no constraint says so: a tie is four
// bits wide both in MCOI::TIED_TO and in MachineOperand; these have up to 128.
// NVPTXTieAccumulators puts both into one register instead.
//
//===----------------------------------------------------------------------===//

// A braced list of 32-bit registers.
class B32List<int size> : Operand<untyped> {
  let MIOperandInfo = !dag(ops, !listsplat(B32, size),
                           !foreach(i, !range(size), "r" # i));
  let PrintMethod = "printRegisterList<" # size # ">";
}

foreach size = !range(2, 129, 2) in
  def B32x#size : B32List<size>;

// Prints its modifier, as in ${satfinite:satfinite}, when it is not zero.
def OptionalModifier : Operand<i32> {
  let PrintMethod = "printOptionalModifier";
}

// A predicate, or 0 or 1: a constant needs no register. The first operand of a
// wgmma that is described as neither register nor immediate; see getScaleD.
def PredicateOrImm : Operand<i1>;

// A row of the table that selects the instruction.
class WGMMATableEntry {
  Intrinsic ID;
  bits<8> NumRegisters;
  Instruction Opcode;
}

class WGMMA<WGMMAVariant variant, int n, int registers,
            Operand acc = !cast<Operand>("B32x" # registers)>
    : NVPTXInst<
        (outs acc:$d),
        !con((ins acc:$c),
             !if(variant.AFromRegisters, (ins B32x4:$a), (ins B64:$a)),
             (ins B64:$b),
             !if(variant.HasSelector, (ins B32:$meta, i32imm:$selector), (ins)),
             (ins PredicateOrImm:$scale_d),
             !if(variant.HasScale, (ins i32imm:$scale_a, i32imm:$scale_b),
                 (ins)),
             !if(variant.HasTransA, (ins i32imm:$trans_a), (ins)),
             !if(variant.HasTransB, (ins i32imm:$trans_b), (ins)),
             !if(variant.HasSatfinite, (ins OptionalModifier:$satfinite),
                 (ins))),
        "wgmma.mma_async" # !if(variant.IsSparse, ".sp", "") #
        ".sync.aligned.m64n" # n # "k" # variant.K #
        !if(variant.HasSatfinite, "${satfinite:satfinite}", "") #
        variant.Types.PTX # " \t$d, $a, $b, " #
        !if(variant.HasSelector, "$meta, $selector, ", "") # "$scale_d" #
        !if(variant.HasScale, ", $scale_a, $scale_b", "") #
        !if(variant.HasTransA, ", $trans_a", "") #
        !if(variant.HasTransB, ", $trans_b", "") # ";">,
      WGMMATableEntry,
      Requires<[hasSM90a, hasPTX<variant.MinPTX>]> {
  let ID = !cast<Intrinsic>("int_" # variant.IntrinsicEnum);
  let NumRegisters = registers;
  let Opcode = !cast<Instruction>(NAME);
  let IsWGMMA = true;

  // Of the shape, what the number of registers leaves open: K, and the type of
  // the accumulator. In sync with getWGMMAShape in NVPTXWGMMAInFlight.h.
  bits<3> LogOfK = !sub(!logtwo(variant.K), 3);
  bits<2> AccumulatorType = !cond(!eq(variant.Types.D.PTX, "f16"): 0,
                                  !eq(variant.Types.D.PTX, "f32"): 1,
                                  !eq(variant.Types.D.PTX, "s32"): 2);
  let TSFlags{15...13} = LogOfK;
  let TSFlags{17...16} = AccumulatorType;
}

let isConvergent = true, hasSideEffects = true, mayLoad = true,
    mayStore = true in
foreach variant = !instances<WGMMAVariant>() in
  foreach n = variant.Types.Ns in
    def WGMMA_#variant.Name#_n#n
        : WGMMA<variant, n, !mul(!div(n, 8), variant.RegistersPer8N)>;

def WGMMATable : GenericTable {
  let FilterClass = "WGMMATableEntry";
  let CppTypeName = "WGMMATableEntry";
  let Fields = ["ID", "NumRegisters", "Opcode"];
  let PrimaryKey = ["ID", "NumRegisters"];
  let PrimaryKeyName = "lookupWGMMA";
}

// llvm.nvvm.wgmma.fence_operand, a register at a time. The side effect keeps it
// in its place among the wgmma instructions until NVPTXTieAccumulators makes a
// copy of it.
let hasSideEffects = true, mayLoad = true, mayStore = true,
    isCodeGenOnly = true in
  def WGMMA_FENCE_OPERAND : NVPTXInst<(outs B32:$dst), (ins B32:$src), "">;

// A copy that RegisterCoalescer leaves alone: it keeps two parts of an
// accumulator apart, or what a wgmma reads from where that comes from. See
// NVPTXSeparateWGMMAResults and NVPTXPinWGMMAInputs.
let hasSideEffects = false, isCodeGenOnly = true in
  def WGMMA_COPY : NVPTXInst<(outs B32:$dst), (ins B32:$src),
                             "mov.b32 \t$dst, $src;">;

// A value that no other register has; see there, too. It may be made wherever
// that suits, and is by NVPTXHideWGMMAMoves.
let hasSideEffects = false, isCodeGenOnly = true in
  def WGMMA_UNLIKE_OTHERS : NVPTXInst<(outs B32:$dst), (ins), "">;

// A zero of which ptxas does not know that it is one: the clock's upmost bit,
// in all bits. It is read where it stands, in each round of a loop anew. See
// NVPTXHideWGMMAMoves.
let hasSideEffects = true, isCodeGenOnly = true in
  def WGMMA_HIDDEN_ZERO
      : NVPTXInst<(outs B32:$dst), (ins),
                  "mov.u32 \t$dst, %clock_hi;\n\tshr.s32 \t$dst, $dst, 31;">;

// A move of which ptxas does not know that it is one: $src, with the bits of
// $mask inverted where such a zero is set. See there, too.
let hasSideEffects = false, isCodeGenOnly = true in
  class WGMMA_HIDDEN_MOVE<DAGOperand Source>
      : NVPTXInst<(outs B32:$dst), (ins B32:$zero, i32imm:$mask, Source:$src),
                  "lop3.b32 \t$dst, $zero, $mask, $src, 0x6a;">;
def WGMMA_HIDDEN_MOVEr : WGMMA_HIDDEN_MOVE<B32>;
def WGMMA_HIDDEN_MOVEi : WGMMA_HIDDEN_MOVE<i32imm>;

// Asks ptxas not to unroll the loop in whose first block it stands. See
// NVPTXKeptLoops.h.
let hasSideEffects = false, isCodeGenOnly = true in
  def WGMMA_NO_UNROLL
      : NVPTXInst<(outs), (ins), ".pragma \"nounroll\";">;

// $test, of which ptxas does not know that it is so: negated where such a zero
// is set. See NVPTXHideLoopTests.
let hasSideEffects = false, isCodeGenOnly = true in
  def WGMMA_HIDDEN_TEST
      : NVPTXInst<(outs B1:$dst), (ins B32:$zero, B1:$test),
                  "setp.lt.xor.s32 \t$dst, $zero, 0, $test;">;

// Reads a fragment of A, and ptxas does not know that it never does: $never is
// false. See NVPTXKeepWGMMAFragments.
let hasSideEffects = true, isCodeGenOnly = true in
  def WGMMA_KEEP
      : NVPTXInst<(outs), (ins B1:$never, B32:$zero,
                               B32:$a0, B32:$a1, B32:$a2, B32:$a3),
                  "@$never st.shared.v4.b32 \t[$zero], "
                  "{{$a0, $a1, $a2, $a3}};">;
