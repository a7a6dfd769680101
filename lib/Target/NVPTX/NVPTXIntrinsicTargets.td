//===- NVPTXIntrinsicTargets.td - What intrinsics need -----*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the intrinsics of NVVMTargets.td need: predicates of their patterns, and
// tables for NVPTXIntrinsicTargets.cpp, which reports what a pattern only fails
// to match.
//
//===----------------------------------------------------------------------===//

// What an intrinsic needs. Those of NVVMKernelTargets.td are no records of it.
class NVPTXTargeted<Intrinsic intrinsic> {
  defvar record = !cast<string>(intrinsic);
  defvar isTargeted = !isa<NVVMTargeted>(intrinsic);
  NVVMTarget Target =
      !if(isTargeted, !cast<NVVMTargeted>(record).Target,
          NVVMKernelTargetOf<record>.Target);
  int RemovedInPTX =
      !if(isTargeted, !cast<NVVMTargeted>(record).RemovedInPTX, 0);
  int AddressSpaces =
      !if(isTargeted, !cast<NVVMTargeted>(record).AddressSpaces,
          !cond(!match(record, "_tensormap_replace_"): 0x00b,
                !match(record, "_prefetch_tensormap$"): 0x111,
                true: 0));
  int ScaleVec = !if(isTargeted, !cast<NVVMTargeted>(record).ScaleVec, 0);
}

// "Subtarget has one of the alternatives", as C++.
class NVPTXHasAlternative<list<NVVMAlternative> alternatives> {
  string Code = !interleave(
      !foreach(needed, alternatives,
               "Subtarget->" #
                   !cond(!eq(needed.Suffix, "a"): "hasPTXWithAccelSMs",
                         !eq(needed.Suffix, "f"): "hasPTXWithFamilySMs") #
                   "(" # needed.PTX # ", {" # needed.SM # "})"),
      " || ");
}

class NVPTXTargetPredicates<Intrinsic intrinsic> {
  defvar targeted = NVPTXTargeted<intrinsic>;
  defvar alternatives = targeted.Target.Kind.Alternatives;
  list<Predicate> Predicates = !listconcat(
      [hasPTX<targeted.Target.MinPTX>],
      [!if(!empty(alternatives), hasSM<targeted.Target.MinSM>,
           Predicate<NVPTXHasAlternative<alternatives>.Code>)],
      !if(targeted.RemovedInPTX,
          [Predicate<"Subtarget->getPTXVersion() < "#targeted.RemovedInPTX>],
          []));
}

def IntrinsicTargetKind : GenericEnum {
  let FilterClass = "NVVMTargetKind";
}

class IntrinsicTargetRow<NVVMTargetKind kind, NVVMAlternative alternative> {
  NVVMTargetKind Kind = kind;
  bits<16> SM = alternative.SM;
  // As a character, or 0 where there is none.
  bits<8> Suffix = !cond(!eq(alternative.Suffix, "a"): 0x61,
                         !eq(alternative.Suffix, "f"): 0x66,
                         true: 0);
  bits<8> PTX = alternative.PTX;
}

foreach kind = !instances<NVVMTargetKind>() in
  foreach alternative = kind.Alternatives in
    def : IntrinsicTargetRow<kind, alternative>;

def IntrinsicTargetTable : GenericTable {
  let FilterClass = "IntrinsicTargetRow";
  let CppTypeName = "IntrinsicTarget";
  let Fields = ["Kind", "SM", "Suffix", "PTX"];
  string TypeOf_Kind = "IntrinsicTargetKind";
  let PrimaryKey = ["Kind"];
  let PrimaryKeyName = "lookupIntrinsicTargets";
  let PrimaryKeyReturnRange = true;
}

class TargetedIntrinsic<Intrinsic intrinsic> {
  defvar targeted = NVPTXTargeted<intrinsic>;
  defvar target = targeted.Target;
  defvar argument = target.Argument;
  Intrinsic ID = intrinsic;
  NVVMTargetKind Kind = target.Kind;
  bits<8> MinSM = target.MinSM;
  bits<8> MinPTX = target.MinPTX;
  bits<8> RemovedInPTX = targeted.RemovedInPTX;
  bits<16> AddressSpaces = targeted.AddressSpaces;
  bits<8> ScaleVec = targeted.ScaleVec;
  bits<8> Argument = !if(!eq(argument.FromEnd, 0), 0,
                         !sub(!size(intrinsic.ParamTypes), argument.FromEnd));
  bits<8> ArgumentValue = argument.Value;
  NVVMTargetKind ArgumentKind = argument.Kind;
}

foreach record = !instances<NVVMTargeted>() in
  def : TargetedIntrinsic<!cast<Intrinsic>(!cast<string>(record))>;
foreach intrinsic = !instances<Intrinsic>(NVVMKernelRecords) in
  def : TargetedIntrinsic<intrinsic>;

def TargetedIntrinsicTable : GenericTable {
  let FilterClass = "TargetedIntrinsic";
  let CppTypeName = "TargetedIntrinsic";
  let Fields = ["ID", "Kind", "MinSM", "MinPTX", "RemovedInPTX",
                "AddressSpaces", "ScaleVec", "Argument", "ArgumentValue",
                "ArgumentKind"];
  string TypeOf_Kind = "IntrinsicTargetKind";
  string TypeOf_ArgumentKind = "IntrinsicTargetKind";
  let PrimaryKey = ["ID"];
  let PrimaryKeyName = "lookupTargetedIntrinsic";
  let PrimaryKeyEarlyOut = true;
}
