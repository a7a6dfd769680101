//===- IntrinsicsNVVMMultimem.td - multimem ----------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of multimem.ld_reduce, multimem.st and multimem.red, which
// access what a multimem address stands for: the same location in the memory of
// several GPUs. Included by IntrinsicsNVVM.td.
//
//   <value> @llvm.nvvm.multimem.ld_reduce[.weak].<op>.<type>(
//       ptr addrspace(1) %addr [, i32 immarg %sem, i32 immarg %scope])
//   void @llvm.nvvm.multimem.st[.weak].<type>(
//       ptr addrspace(1) %addr, <value> %value
//       [, i32 immarg %sem, i32 immarg %scope])
//   void @llvm.nvvm.multimem.red.<op>.<type>(
//       ptr addrspace(1) %addr, <value> %value,
//       i32 immarg %sem, i32 immarg %scope)
//
// The operation, the precision of its sum and the type are in the name, since
// each depends on the others. So is whether the access is weak, for it decides
// what LLVM may do with the call. The flags are those of the others, and every
// value of one goes with every value of the other:
//
//   sem    0: relaxed; 1: acquire of a load, release of others
//   scope  0: cta, 1: cluster, 2: gpu, 3: sys
//
// They save seven of eight names.
//
//===----------------------------------------------------------------------===//

// A type in PTX's words, .v<count>.<element>, and what it is in LLVM: a value
// of all of its elements. An element of floating point with 8 bits is an
// integer of as many bits as PTX's type has; a pair of others is two elements.
class NVVMMultimemType<int count, string element> {
  string Element = element;
  int Count = count;
  string Name = !if(!eq(count, 1), "", "v" # count # ".") # element;
  defvar isPair = !match(element, "^b?f16x2$");
  defvar scalar = !cond(!match(element, "^[bus](32|64)$"):
                            "i" # !substr(element, 1),
                        isPair: !subst("x2", "", element),
                        !match(element, "^e.*x4$"): "i32",
                        !match(element, "^e.*x2$"): "i16",
                        !match(element, "^e"): "i8",
                        true: element);
  defvar size = !if(isPair, !mul(count, 2), count);
  ValueType VT = !cast<ValueType>(!if(!eq(size, 1), "", "v" # size) # scalar);
  // Four elements of 8 bits are in one register, others in one each.
  bit IsPacked = !eq(scalar, "i8");
  int Registers = !if(IsPacked, !div(count, 4), count);
}

class NVVMMultimemVectors<int count, list<string> elements> {
  list<NVVMMultimemType> Types =
      !foreach(element, elements, NVVMMultimemType<count, element>);
}

// What is stored is bits: b32 and b64 stand for integers with and without sign.
defvar NVVMMultimemTypes = !listconcat(
    NVVMMultimemVectors<1, ["b32", "u32", "s32", "b64", "u64", "s64", "f16x2",
                            "bf16x2", "f32", "f64", "e5m2x4", "e4m3x4"]>.Types,
    NVVMMultimemVectors<2, ["f16", "f16x2", "bf16", "bf16x2", "f32", "e5m2x2",
                            "e5m2x4", "e4m3x2", "e4m3x4"]>.Types,
    NVVMMultimemVectors<4, ["f16", "f16x2", "bf16", "bf16x2", "f32", "e5m2",
                            "e5m2x2", "e5m2x4", "e4m3", "e4m3x2",
                            "e4m3x4"]>.Types,
    NVVMMultimemVectors<8, ["f16", "bf16", "e5m2", "e5m2x2", "e4m3",
                            "e4m3x2"]>.Types);

// An operation in PTX's words, and a regular expression for its elements.
class NVVMMultimemOperation<string name, string elements> {
  string Name = name;
  string Elements = elements;
}

defvar NVVMMultimemBitOperations = [
  NVVMMultimemOperation<"and", "^b(32|64)$">,
  NVVMMultimemOperation<"or", "^b(32|64)$">,
  NVVMMultimemOperation<"xor", "^b(32|64)$">,
];
defvar NVVMMultimemLoads = !listconcat([
  NVVMMultimemOperation<"add", "^([us]32|u64|b?f16(x2)?|f32|f64|e.*)$">,
  NVVMMultimemOperation<"add.acc::f32", "^b?f16(x2)?$">,
  NVVMMultimemOperation<"add.acc::f16", "^e">,
  NVVMMultimemOperation<"min", "^([us](32|64)|b?f16(x2)?|e.*)$">,
  NVVMMultimemOperation<"max", "^([us](32|64)|b?f16(x2)?|e.*)$">,
], NVVMMultimemBitOperations);
defvar NVVMMultimemReductions = !listconcat([
  NVVMMultimemOperation<"add", "^([us]32|u64|b?f16(x2)?|f32|f64)$">,
  NVVMMultimemOperation<"min", "^[us](32|64)$">,
  NVVMMultimemOperation<"max", "^[us](32|64)$">,
], NVVMMultimemBitOperations);

// The flags sem and scope, after an address, and after an address and a value.
defvar NVVMMultimemLoadFlags = [
  ImmArg<ArgIndex<1>>, Range<ArgIndex<1>, 0, 2>,
  ImmArg<ArgIndex<2>>, Range<ArgIndex<2>, 0, 4>
];
defvar NVVMMultimemStoreFlags = [
  ImmArg<ArgIndex<2>>, Range<ArgIndex<2>, 0, 2>,
  ImmArg<ArgIndex<3>>, Range<ArgIndex<3>, 0, 4>
];

// What a multimem address stands for is memory that other pointers point to as
// well, so that none of the intrinsics accesses its argument only. One that is
// not weak may synchronize with other threads, which is why it is neither
// nosync nor less than an access of all memory.
class NVVMMultimem<string instruction, bit isWeak, string operation,
                   NVVMMultimemType type, list<LLVMType> results,
                   list<LLVMType> parameters,
                   list<IntrinsicProperty> properties, string name>
    : Intrinsic<results,
                !listconcat(parameters,
                            !if(isWeak, []<LLVMType>,
                                [llvm_i32_ty,    // sem
                                 llvm_i32_ty])), // scope
                !listconcat([NoCapture<ArgIndex<0>>], properties,
                            !if(isWeak, []<IntrinsicProperty>,
                                [IntrNoCallback, IntrNoFree,
                                 IntrWillReturn])),
                name, [], /*disable_default_attributes=*/!not(isWeak)> {
  // "ld_reduce", "st" or "red".
  string Instruction = instruction;
  bit IsWeak = isWeak;
  // In PTX's words, empty of a store.
  string Operation = operation;
  NVVMMultimemType Type = type;
}

class NVVMMultimemName<string instruction, bit isWeak, string operation,
                       NVVMMultimemType type> {
  string Value = !interleave(
      !listconcat(["llvm.nvvm.multimem", instruction],
                  !if(isWeak, ["weak"], []<string>),
                  !if(!empty(operation), []<string>,
                      [!subst("::", ".", operation)]),
                  [type.Name]), ".");
}

let TargetPrefix = "nvvm" in {
foreach isWeak = [true, false] in {
  foreach operation = NVVMMultimemLoads in
    foreach type = NVVMMultimemTypes in
      if !match(type.Element, operation.Elements) then {
        defvar name = NVVMMultimemName<"ld_reduce", isWeak, operation.Name,
                                       type>.Value;
        def IntrinsicName<name>.record_name
            : NVVMMultimem<"ld_reduce", isWeak, operation.Name, type,
                           [LLVMType<type.VT>], [llvm_global_ptr_ty],
                           !if(isWeak, [IntrReadMem], NVVMMultimemLoadFlags),
                           name>;
      }

  foreach type = NVVMMultimemTypes in
    if !not(!match(type.Element, "^[us]")) then {
      defvar name = NVVMMultimemName<"st", isWeak, "", type>.Value;
      def IntrinsicName<name>.record_name
          : NVVMMultimem<"st", isWeak, "", type, [],
                         [llvm_global_ptr_ty, LLVMType<type.VT>],
                         !if(isWeak, [IntrWriteMem], NVVMMultimemStoreFlags),
                         IntrinsicName<name>.intr_name>;
    }
}

foreach operation = NVVMMultimemReductions in
  foreach type = NVVMMultimemTypes in
    if !match(type.Element, operation.Elements) then {
      defvar name = NVVMMultimemName<"red", false, operation.Name, type>.Value;
      def IntrinsicName<name>.record_name
          : NVVMMultimem<"red", false, operation.Name, type, [],
                         [llvm_global_ptr_ty, LLVMType<type.VT>],
                         NVVMMultimemStoreFlags,
                         IntrinsicName<name>.intr_name>;
    }
}
