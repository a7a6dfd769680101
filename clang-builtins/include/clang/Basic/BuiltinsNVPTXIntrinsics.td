//===- BuiltinsNVPTXIntrinsics.td - builtins of records ----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the record of an intrinsic becomes that of its builtin: the name, the
// types of the prototype, and the features that the target must have, from what
// NVVMTargets.td says. Included by BuiltinsNVPTXMatrix.td and
// BuiltinsNVPTXKernel.td, which have the builtins.
//
//===----------------------------------------------------------------------===//

#ifndef CLANG_BASIC_BUILTINSNVPTXINTRINSICS_TD
#define CLANG_BASIC_BUILTINSNVPTXINTRINSICS_TD

include "llvm/IR/Intrinsics.td"

// Registers that are one value to the builtin, with the elements of all.
class NVPTXBuiltinValue<list<LLVMType> registers> {
  defvar register = !head(registers);
  defvar scalar =
      !if(register.VT.isVector, register.VT.ElementType, register.VT);
  defvar element = !cond(
      // Of a builtin that is generic, and checked as such.
      !eq(register, llvm_anyint_ty): "int",
      !eq(register, llvm_tmem_ptr_ty): "unsigned int",
      !eq(register, llvm_shared_cluster_ptr_ty): "void address_space<7> *",
      !eq(scalar, i1): "bool",
      !eq(scalar, i8): "unsigned char",
      !eq(scalar, i16): "unsigned short",
      !eq(scalar, i32): "int",
      !eq(scalar, i64): "int64_t",
      !eq(scalar, i128): "__int128_t",
      !eq(scalar, f16): "_Float16",
      !eq(scalar, bf16): "__bf16",
      !eq(scalar, f32): "float",
      !eq(scalar, f64): "double",
      true: "void *");
  defvar size = !foldl(0, registers, sum, part, !add(sum, part.VT.nElem));
  string Type = !if(!eq(size, 1), element,
                    "_ExtVector<" # size # ", " # element # ">");
}

// The positions of the arguments that have a property. Index 0 of an attribute
// is the result's.
class NVPTXImmediates<Intrinsic intrinsic> {
  list<int> Positions =
      !foldl([]<int>, intrinsic.IntrProperties, positions, property,
             !if(!isa<ImmArg>(property),
                 !listconcat(positions,
                             [!sub(!cast<ImmArg>(property).ArgNo, 1)]),
                 positions));
}
class NVPTXContains<list<int> positions, int position> {
  bit Value = !foldl(0, positions, found, p, !or(found, !eq(p, position)));
}

// Clang has no names for families, only for their members.
defvar NVPTXAcceleratedSMs = [90, 100, 101, 103, 110, 120, 121];

// Whether sm_<sm>a has what an alternative has. sm_101 is a family of its own.
class NVPTXIncludes<int sm, NVVMAlternative needed> {
  defvar family = !if(!eq(sm, 101), 101, !div(sm, 10));
  defvar neededFamily = !if(!eq(needed.SM, 101), 101, !div(needed.SM, 10));
  bit Value = !or(!eq(sm, needed.SM),
                  !and(!eq(needed.Suffix, "f"), !eq(family, neededFamily),
                       !ge(sm, needed.SM)));
}

// The features that a builtin needs. Clang names none before sm_53 and PTX 4.2,
// which all of its targets have.
class NVPTXTargetFeatures<NVVMTarget target> {
  defvar accelerated = !filter(
      sm, NVPTXAcceleratedSMs,
      !foldl(0, target.Kind.Alternatives, found, alternative,
             !or(found, NVPTXIncludes<sm, alternative>.Value)));
  list<string> SMs = !if(
      !empty(accelerated),
      !if(!lt(target.MinSM, 53), []<string>,
          [!cast<SMFeatures>("SM_" # target.MinSM).Features]),
      !foreach(sm, accelerated, !cast<SMFeatures>("SM_" # sm # "a").Features));
  list<string> PTXs =
      !if(!lt(target.MinPTX, 42), []<string>,
          [!cast<PTXFeatures>("PTX" # target.MinPTX).Features]);
  string Text =
      !interleave(!foreach(features,
                           !listconcat(!if(!empty(SMs), []<string>,
                                           [!interleave(SMs, "|")]),
                                       PTXs),
                           "(" # features # ")"),
                  ",");
}

// "__nvvm_" and the intrinsic's name after "llvm.nvvm.", with underscores for
// dots.
class NVPTXBuiltinName<Intrinsic intrinsic> {
  string Name =
      "__" # !if(!empty(intrinsic.LLVMName),
                 !substr(!cast<string>(intrinsic), !size("int_")),
                 !subst(".", "_", !substr(intrinsic.LLVMName, !size("llvm."))));
}

// The position of the value whose type overloads an intrinsic; 0, that of the
// pointer, where none does.
class NVPTXOverloadedArg<Intrinsic intrinsic> {
  defvar types = intrinsic.ParamTypes;
  int Index = !foldl(0, !range(!size(types)), found, idx,
                     !if(!isa<LLVMAnyType>(types[idx]), idx, found));
}

class NVPTXTargetedBuiltin<NVPTXBuiltinFamily family, Intrinsic intrinsic,
                         NVVMTarget target, string prototype>
    : NVPTXBuiltin<prototype>,
      NVPTXIntrinsicBuiltin<family,
                            !substr(!cast<string>(intrinsic), !size("int_")),
                            NVPTXOverloadedArg<intrinsic>.Index> {
  let Features = NVPTXTargetFeatures<target>.Text;
  let Attributes = [NoThrow, CustomTypeChecking];
}

#endif // CLANG_BASIC_BUILTINSNVPTXINTRINSICS_TD
