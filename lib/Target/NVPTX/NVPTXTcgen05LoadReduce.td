//===- NVPTXTcgen05LoadReduce.td - tcgen05.ld.red ----------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of tcgen05.ld.red, one for each reduction of an intrinsic.
// They are selected by NVPTXTcgen05LoadReduce.cpp through
// Tcgen05LoadReduceTable, not by patterns: the intrinsic has one value for what
// the instruction loads into up to 128 registers.
//
//===----------------------------------------------------------------------===//

// What the flags of an intrinsic stand for, each a bit of Modifiers.
class Tcgen05Reduction<int isMax, int hasAbs = 0, int propagatesNaN = 0> {
  string Name = !if(isMax, "max", "min") # !if(hasAbs, ".abs", "") #
                !if(propagatesNaN, ".NaN", "");
  int Modifiers = !add(isMax, !shl(hasAbs, 1), !shl(propagatesNaN, 2));
}

// A row of the table that selects the instruction.
class Tcgen05LoadReduceEntry<Intrinsic intrinsic, int modifiers> {
  Intrinsic ID = intrinsic;
  bits<8> Modifiers = modifiers;
  Instruction Opcode;
}

class Tcgen05LoadReduceRegisters<int size> {
  list<string> Names = !foreach(i, !range(size), "value" # i);
  dag Outs = !dag(outs, !listsplat(B32, size), Names);
  string Text = "{{$" # !interleave(Names, ", $") # "}}";
}

class Tcgen05LoadReduce<NVVMTcgen05LoadReduce load, Tcgen05Reduction reduction>
    : NVPTXInst<
          !con(Tcgen05LoadReduceRegisters<load.Name.Size>.Outs,
               (outs B32:$reduced)),
          !con((ins B32:$addr),
               !if(load.Name.HasOffset, (ins i64imm:$offset), (ins))),
          "tcgen05.ld.red.sync.aligned." # load.Name.Shape # ".x" #
              load.Name.Size # "." # reduction.Name # "." # load.Name.PTXType #
              " \t" # Tcgen05LoadReduceRegisters<load.Name.Size>.Text #
              ", $reduced, [$addr]" #
              !if(load.Name.HasOffset, ", $offset", "") # ";">,
      Tcgen05LoadReduceEntry<load, reduction.Modifiers> {
  let Opcode = !cast<Instruction>(NAME);
}

defvar Tcgen05Reductions = [Tcgen05Reduction<0>, Tcgen05Reduction<1>];
defvar Tcgen05FloatReductions = !listconcat(
    Tcgen05Reductions,
    [Tcgen05Reduction<0, 1>, Tcgen05Reduction<1, 1>,
     Tcgen05Reduction<0, 0, 1>, Tcgen05Reduction<1, 0, 1>,
     Tcgen05Reduction<0, 1, 1>, Tcgen05Reduction<1, 1, 1>]);

let isConvergent = true, mayLoad = true, hasSideEffects = true in
foreach load = !instances<NVVMTcgen05LoadReduce>() in
  foreach reduction = !if(load.Name.IsFloat, Tcgen05FloatReductions,
                          Tcgen05Reductions) in
    def TCGEN05_LD_RED_#load.Name.Shape#_x#load.Name.Size#_
        #load.Name.PTXType#_#!subst(".", "_", reduction.Name)
        : Tcgen05LoadReduce<load, reduction>;

def Tcgen05LoadReduceTable : GenericTable {
  let FilterClass = "Tcgen05LoadReduceEntry";
  let CppTypeName = "Tcgen05LoadReduceInstruction";
  let Fields = ["ID", "Modifiers", "Opcode"];
  let PrimaryKey = ["ID", "Modifiers"];
  let PrimaryKeyName = "lookupTcgen05LoadReduce";
}
