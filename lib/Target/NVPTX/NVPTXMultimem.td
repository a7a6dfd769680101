//===- NVPTXMultimem.td - multimem -------------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions multimem.ld_reduce, multimem.st and multimem.red, one for
// each operation and type. They are selected by NVPTXMultimem.cpp through
// MultimemTable, not by patterns: most of their values are vectors of no legal
// type.
//
//===----------------------------------------------------------------------===//

// A list of operands as PTX has it. Braces that are to be printed are doubled,
// but not in what such braces enclose.
class MultimemList<list<string> operands, bit isEnclosed> {
  string Text = !if(!eq(!size(operands), 1), !head(operands),
                    !if(isEnclosed, "{", "{{") # !interleave(operands, ", ") #
                        !if(isEnclosed, "}", "}}"));
}

// The registers of a type: as operands, and as the instruction names them.
class MultimemRegisters<NVVMMultimemType type> {
  defvar size = !div(type.VT.Size, type.Registers);
  defvar registerClass = !cast<NVPTXRegClass>("B" # size);
  defvar classes = !listsplat(registerClass, type.Registers);
  list<string> Names = !foreach(i, !range(type.Registers), "value" # i);
  dag Outs = !dag(outs, classes, Names);
  dag Ins = !dag(ins, classes, Names);
  // PTX wants an element of 8 bits in a register of 8 bits. LLVM has none, so
  // that four elements share one of 32 bits outside of the instruction.
  list<string> Bytes = !foreach(i, !range(type.Count), "%multimem" # i);
  string Text = MultimemList<!if(type.IsPacked, Bytes,
                                 !foreach(name, Names, "$" # name)),
                             type.IsPacked>.Text;
}

class MultimemInstruction<NVVMMultimem multimem> {
  defvar registers = MultimemRegisters<multimem.Type>;
  bit IsLoad = !eq(multimem.Instruction, "ld_reduce");
  string Text =
      "multimem." # multimem.Instruction # "${sem:sem}${scope:scope}.global." #
      !if(!empty(multimem.Operation), "", multimem.Operation # ".") #
      multimem.Type.Name # " \t" #
      !if(IsLoad, registers.Text # ", [$addr];",
                  "[$addr], " # registers.Text # ";");
}

// The same with elements of 8 bits.
class MultimemInstructionOfBytes<NVVMMultimem multimem> {
  defvar registers = MultimemRegisters<multimem.Type>;
  defvar instruction = MultimemInstruction<multimem>;
  list<string> Moves = !foreach(
      i, !range(multimem.Type.Registers),
      "mov.b32 \t" #
          !subst("BYTES",
                 MultimemList<!foreach(j, !range(4),
                                       registers.Bytes[!add(!mul(i, 4), j)]),
                              /*isEnclosed=*/true>.Text,
                 !if(instruction.IsLoad, "$" # registers.Names[i] # ", BYTES",
                                         "BYTES, $" # registers.Names[i])) #
          ";");
  list<string> Lines =
      !if(instruction.IsLoad, !listconcat([instruction.Text], Moves),
                              !listconcat(Moves, [instruction.Text]));
  string Text = "{{\n\t.reg .b8 \t" # !interleave(registers.Bytes, ", ") #
                ";\n\t" # !interleave(Lines, "\n\t") # "\n\t}}";
}

class Multimem<NVVMMultimem multimem>
    : NVPTXInst<
          !if(MultimemInstruction<multimem>.IsLoad,
              MultimemRegisters<multimem.Type>.Outs, (outs)),
          !con((ins ADDR:$addr),
               !if(MultimemInstruction<multimem>.IsLoad, (ins),
                   MultimemRegisters<multimem.Type>.Ins),
               (ins AtomicCode:$sem, AtomicCode:$scope)),
          !if(multimem.Type.IsPacked, MultimemInstructionOfBytes<multimem>.Text,
              MultimemInstruction<multimem>.Text)> {
  let mayLoad = !ne(multimem.Instruction, "st");
  let mayStore = !not(MultimemInstruction<multimem>.IsLoad);
  // Of those that are not weak.
  let hasSideEffects = true;
}

class MultimemRow<NVVMMultimem multimem, Instruction opcode> {
  Intrinsic ID = multimem;
  Instruction Opcode = opcode;
  bits<8> Registers = multimem.Type.Registers;
  bit IsWeak = multimem.IsWeak;
}

// A weak intrinsic has the instruction of the other of its operation and type.
class MultimemOpcodeName<NVVMMultimem multimem> {
  string Value = "MULTIMEM_" #
                 !substr(!subst("_weak", "", !cast<string>(multimem)),
                         !size("int_nvvm_multimem_"));
}

foreach multimem = !instances<NVVMMultimem>() in
  if !not(multimem.IsWeak) then
    def MultimemOpcodeName<multimem>.Value : Multimem<multimem>;
foreach multimem = !instances<NVVMMultimem>() in
  def : MultimemRow<multimem, !cast<Instruction>(
                                  MultimemOpcodeName<multimem>.Value)>;

def MultimemTable : GenericTable {
  let FilterClass = "MultimemRow";
  let CppTypeName = "MultimemInstruction";
  let Fields = ["ID", "Opcode", "Registers", "IsWeak"];
  let PrimaryKey = ["ID"];
  let PrimaryKeyName = "lookupMultimem";
  let PrimaryKeyEarlyOut = true;
}
