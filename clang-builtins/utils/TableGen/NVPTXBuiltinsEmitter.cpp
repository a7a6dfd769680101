//===-- NVPTXBuiltinsEmitter.cpp - Generate NVPTX's table of builtins -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This tablegen backend emits the table of the builtins of NVPTX that stand for
// one intrinsic each, by the builtin's ID: the rows of IntrinsicBuiltin
// (clang/Basic/NVPTXIntrinsicBuiltins.h). -gen-searchable-tables cannot: where
// there are intrinsics it wants a target's description, too.
//
//===----------------------------------------------------------------------===//

#include "TableGenBackends.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

void clang::EmitNVPTXIntrinsicBuiltins(const RecordKeeper &Records,
                                       raw_ostream &OS) {
  emitSourceFileHeader("NVPTX builtins that stand for intrinsics", OS, Records);

  OS << "#ifdef GET_NVPTX_BUILTIN_FAMILIES\n";
  for (const Record *Family :
       Records.getAllDerivedDefinitions("NVPTXBuiltinFamily"))
    OS << Family->getName() << ",\n";
  OS << "#endif // GET_NVPTX_BUILTIN_FAMILIES\n\n";

  // In the order in which EmitClangBuiltins numbers them.
  OS << "#ifdef GET_NVPTX_INTRINSIC_BUILTINS\n";
  for (const Record *Builtin :
       Records.getAllDerivedDefinitions("NVPTXIntrinsicBuiltin"))
    OS << "{BI" << Builtin->getName()
       << ", BuiltinFamily::" << Builtin->getValueAsDef("Family")->getName()
       << ", llvm::Intrinsic::" << Builtin->getValueAsString("IntrinsicEnum")
       << ", " << Builtin->getValueAsInt("OverloadedArg") << ", "
       << Builtin->getValueAsInt("ScaleVec") << "},\n";
  OS << "#endif // GET_NVPTX_INTRINSIC_BUILTINS\n";
}
