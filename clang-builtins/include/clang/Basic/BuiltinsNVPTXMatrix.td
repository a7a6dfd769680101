//===- BuiltinsNVPTXMatrix.td - matrix builtins -----------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtins of the PTX ISA's warp-level matrix instructions (wmma, mma,
// mma.sp, ldmatrix, stmatrix, movmatrix), made of LLVM's intrinsics: one for
// each, under the name that the intrinsic gives it. Included by
// BuiltinsNVPTX.td.
//
// They take and return values. Registers that hold one fragment of a matrix are
// one vector, or a scalar if there is but one: of int, float or double; and of
// _Float16, two in each register, where the intrinsic has <2 x half>.
//
//   load   fragment (const void *[, int stride])
//   store  void (void *, fragment[, int stride])
//   mma    d (a, b, c[, metadata, constant selector]
//             [, scale_a, byte_id_a, thread_id_a,
//                scale_b, byte_id_b, thread_id_b])
//
//===----------------------------------------------------------------------===//

include "llvm/IR/Intrinsics.td"
include "llvm/IR/NVVMMatrixTargets.td"

// Registers that are one value to the builtin.
class NVPTXMatrixValue<list<LLVMType> registers> {
  defvar register = !head(registers);
  defvar isPair = !eq(register, llvm_v2f16_ty);
  defvar element = !cond(isPair: "_Float16",
                         !eq(register, llvm_i16_ty): "unsigned short",
                         !eq(register, llvm_i32_ty): "int",
                         !eq(register, llvm_float_ty): "float",
                         !eq(register, llvm_double_ty): "double");
  defvar size = !mul(!size(registers), !if(isPair, 2, 1));
  string Type = !if(!eq(size, 1), element,
                    "_ExtVector<" # size # ", " # element # ">");
}

class NVPTXMatrixPrototype<Intrinsic intrinsic,
                           list<list<LLVMType>> fragments> {
  defvar hasPointer = !eq(!head(intrinsic.ParamTypes), llvm_anyptr_ty);
  defvar isStore = !empty(intrinsic.RetTypes);
  defvar firstScalar = !foldl(!cast<int>(hasPointer), fragments, sum, fragment,
                              !add(sum, !size(fragment)));
  // Index 0 of an attribute is the result's.
  defvar immediates =
      !foldl([]<int>, intrinsic.IntrProperties, positions, property,
             !if(!isa<ImmArg>(property),
                 !listconcat(positions,
                             [!sub(!cast<ImmArg>(property).ArgNo, 1)]),
                 positions));

  string Result = !if(isStore, "void",
                      NVPTXMatrixValue<intrinsic.RetTypes>.Type);
  list<string> Pointer = !if(hasPointer,
                             [!if(isStore, "void *", "void const *")], []);
  list<string> Fragments =
      !foreach(fragment, fragments, NVPTXMatrixValue<fragment>.Type);
  list<string> Scalars =
      !foreach(idx, !range(firstScalar, !size(intrinsic.ParamTypes)),
               !foldl("", immediates, prefix, imm,
                      !if(!eq(imm, idx), "_Constant ", prefix)) #
               NVPTXMatrixValue<[intrinsic.ParamTypes[idx]]>.Type);
  string Text =
      Result # "(" #
      !interleave(!listconcat(Pointer, Fragments, Scalars), ", ") # ")";
}

// The targets that no least version can say. Clang has no names for families.
class NVPTXMatrixTargets<NVVMMatrixTarget target> {
  defvar targets = !cond(
      !eq(target.Kind, BlockScaleTarget): [SM_120a, SM_121a],
      !eq(target.Kind, SparseBlockScaleF4Target): [SM_120a, SM_121a],
      !eq(target.Kind, ByteMatrixTarget): [SM_100a, SM_101a, SM_103a, SM_110a,
                                           SM_120a, SM_121a],
      true: [!cast<SMFeatures>("SM_" # target.MinSM)]);
  string Features =
      !interleave(!foreach(target, targets, target.Features), "|");
}

class NVPTXMatrixBuiltin<Intrinsic intrinsic, NVVMMatrixIntrinsic matrix>
    : NVPTXBuiltin<
          NVPTXMatrixPrototype<intrinsic, matrix.MatrixFragments>.Text> {
  defvar target = NVVMMatrixTargetOf<!cast<string>(intrinsic)>.Target;
  let Features =
      "(" # NVPTXMatrixTargets<target>.Features # "),(" #
      !cast<PTXFeatures>("PTX" # target.MinPTX).Features # ")";
  let Attributes = [NoThrow, CustomTypeChecking];
}

foreach intrinsic = !instances<Intrinsic>(NVVMMatrixRecords) in {
  defvar matrix = !cast<NVVMMatrixIntrinsic>(intrinsic);
  def matrix.ClangBuiltinName : NVPTXMatrixBuiltin<intrinsic, matrix>;
}
