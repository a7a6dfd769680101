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
// _Float16, two in each register, where the intrinsic has <2 x half>. A result
// of several registers is such a vector, too.
//
//   load   fragment (const void *[, int stride])
//   store  void (void *, fragment[, int stride])
//   mma    d (a, b, c[, metadata, constant selector]
//             [, scale_a, byte_id_a, thread_id_a,
//                scale_b, byte_id_b, thread_id_b])
//
// All others have the intrinsic's parameters.
//
//===----------------------------------------------------------------------===//

include "clang/Basic/BuiltinsNVPTXIntrinsics.td"

class NVPTXMatrixPrototype<Intrinsic intrinsic,
                           list<list<LLVMType>> fragments> {
  defvar hasPointer = !eq(!head(intrinsic.ParamTypes), llvm_anyptr_ty);
  defvar isStore = !empty(intrinsic.RetTypes);
  defvar firstScalar = !foldl(!cast<int>(hasPointer), fragments, sum, fragment,
                              !add(sum, !size(fragment)));
  defvar immediates = NVPTXImmediates<intrinsic>.Positions;

  string Result = !if(isStore, "void",
                      NVPTXBuiltinValue<intrinsic.RetTypes>.Type);
  list<string> Pointer = !if(hasPointer,
                             [!if(isStore, "void *", "void const *")], []);
  list<string> Fragments =
      !foreach(fragment, fragments, NVPTXBuiltinValue<fragment>.Type);
  list<string> Scalars =
      !foreach(idx, !range(firstScalar, !size(intrinsic.ParamTypes)),
               !if(NVPTXContains<immediates, idx>.Value, "_Constant ", "") #
               NVPTXBuiltinValue<[intrinsic.ParamTypes[idx]]>.Type);
  string Text =
      Result # "(" #
      !interleave(!listconcat(Pointer, Fragments, Scalars), ", ") # ")";
}

def NVPTXMatrix : NVPTXBuiltinFamily;

foreach matrix = !instances<NVVMMatrixIntrinsic>() in {
  defvar record = !cast<string>(matrix);
  defvar intrinsic = !cast<Intrinsic>(record);
  def NVPTXBuiltinName<intrinsic>.Name
      : NVPTXTargetedBuiltin<
            NVPTXMatrix, intrinsic, !cast<NVVMTargeted>(record).Target,
            NVPTXMatrixPrototype<intrinsic, matrix.MatrixFragments>.Text> {
    let ScaleVec = !cast<NVVMTargeted>(record).ScaleVec;
  }
}
