//===- BuiltinsNVPTXKernel.td - kernel builtins ------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtins of what a kernel needs around its matrix instructions
// (NVVMKernelTargets.td), made of LLVM's intrinsics: one for each, under the
// name that the intrinsic gives it, with the intrinsic's parameters. Included
// by BuiltinsNVPTX.td.
//
// Pointers are void * here, but SemaNVPTXKernel.cpp, which checks the
// arguments, knows which address spaces each may have. An address in tensor
// memory is an unsigned int.
//
//===----------------------------------------------------------------------===//

include "clang/Basic/BuiltinsNVPTXIntrinsics.td"

// The positions of the arguments that are pointers to what is only read. Index
// 0 of an attribute is the result's.
class NVPTXReadOnlyPointers<Intrinsic intrinsic> {
  list<int> Positions =
      !foldl([]<int>, intrinsic.IntrProperties, positions, property,
             !if(!isa<ReadOnly>(property),
                 !listconcat(positions,
                             [!sub(!cast<ReadOnly>(property).ArgNo, 1)]),
                 positions));
}

// That an argument is a constant is left to SemaNVPTXKernel.cpp, like the
// address spaces of pointers.
class NVPTXKernelPrototype<Intrinsic intrinsic> {
  defvar readOnly = NVPTXReadOnlyPointers<intrinsic>.Positions;
  string Result = !if(!empty(intrinsic.RetTypes), "void",
                      NVPTXBuiltinValue<intrinsic.RetTypes>.Type);
  defvar types = !foreach(
      type, intrinsic.ParamTypes,
      !subst("address_space<7> ", "", NVPTXBuiltinValue<[type]>.Type));
  list<string> Parameters =
      !foreach(idx, !range(!size(types)),
               !if(NVPTXContains<readOnly, idx>.Value,
                   !subst("void *", "void const *", types[idx]), types[idx]));
  string Text = Result # "(" # !interleave(Parameters, ", ") # ")";
}

def NVPTXKernel : NVPTXBuiltinFamily;

foreach intrinsic = !instances<Intrinsic>(NVVMKernelRecords) in
  def NVPTXBuiltinName<intrinsic>.Name
      : NVPTXTargetedBuiltin<
            NVPTXKernel, intrinsic,
            NVVMKernelTargetOf<!cast<string>(intrinsic)>.Target,
            NVPTXKernelPrototype<intrinsic>.Text>;
