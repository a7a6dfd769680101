//===- NVVMKernelTargets.td - targets of kernel intrinsics -*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The target and the PTX version of each intrinsic that a kernel needs around
// its matrix instructions: bulk copies (TMA), asynchronous reductions
// and stores, mbarriers, fences, barriers, clusters, cache control, and the
// fifth generation of tensor cores, tcgen05. Included by NVVMTargets.td,
// which has the classes.
//
//===----------------------------------------------------------------------===//

// The names of the intrinsics that this is about.
defvar NVVMKernelRecords =
    "^int_nvvm_(applypriority|barrier_(cluster|cta)|clusterlaunchcontrol|"
    "cp_async_bulk|cp_reduce_async_bulk|createpolicy|discard|elect_sync|fence|"
    "getctarank|griddepcontrol|mapa|mbarrier|multimem|prefetchu?|red_async|"
    "setmaxnreg|st_(async|bulk)|tcgen05|tensormap_(cp_fenceproxy|replace)"
    ")(_|$)";

// The kinds of TMA that came with sm_100: gathering, scattering, im2col with a
// width, and CTA pairs.
def BulkTensor5Target
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<110, "f", 90>]>;
def SetMaxNRegTarget
    : NVVMTargetKind<[NVVMAlternative<90, "a", 80>,
                      NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<120, "f", 88>,
                      NVVMAlternative<110, "a", 90>,
                      NVVMAlternative<110, "f", 90>]>;
def TensormapReplaceTarget
    : NVVMTargetKind<[NVVMAlternative<90, "a", 83>,
                      NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<120, "f", 88>,
                      NVVMAlternative<110, "a", 90>,
                      NVVMAlternative<110, "f", 90>]>;
// The types of 4 and 6 bits.
def TensormapElemtypeTarget
    : NVVMTargetKind<[NVVMAlternative<100, "a", 87>,
                      NVVMAlternative<101, "a", 87>,
                      NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<120, "f", 88>,
                      NVVMAlternative<110, "a", 90>,
                      NVVMAlternative<110, "f", 90>]>;
// The swizzle of 96 bytes.
def TensormapSwizzleTarget
    : NVVMTargetKind<[NVVMAlternative<103, "a", 88>]>;
def TensorMemoryTarget
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<110, "f", 90>]>;
def TensorMemoryShiftTarget
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<103, "a", 88>,
                      NVVMAlternative<110, "a", 90>]>;
def TensorMemoryScaleDTarget
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<100, "f", 88>]>;
def TensorMemoryI8Target
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<110, "a", 90>]>;
def TensorMemorySparseF4Target
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<103, "a", 88>,
                      NVVMAlternative<110, "a", 90>]>;
// multimem of elements of 8 bits.
def MultimemF8Target
    : NVVMTargetKind<[NVVMAlternative<100, "a", 86>,
                      NVVMAlternative<101, "a", 86>,
                      NVVMAlternative<120, "a", 87>,
                      NVVMAlternative<121, "a", 88>,
                      NVVMAlternative<100, "f", 88>,
                      NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<110, "a", 90>,
                      NVVMAlternative<110, "f", 90>]>;
// tcgen05.ld.red.
def TensorMemoryReduceTarget
    : NVVMTargetKind<[NVVMAlternative<101, "f", 88>,
                      NVVMAlternative<103, "f", 88>,
                      NVVMAlternative<110, "f", 90>]>;
// A multimem address, the last argument of st.async to global memory.
def AsyncMultimemStoreTarget
    : NVVMTargetKind<[NVVMAlternative<100, "", 93>]>;
def AsyncMultimemStore : NVVMArgumentTarget<1, 1, AsyncMultimemStoreTarget>;
// .cta_group, the last argument, where it is not 0.
def BulkTensorPair : NVVMArgumentTarget<1, 1, BulkTensor5Target>;
// The last values of two fields of a tensor map.
def TensormapElemtype : NVVMArgumentTarget<1, 13, TensormapElemtypeTarget>;
def TensormapSwizzle : NVVMArgumentTarget<1, 4, TensormapSwizzleTarget>;
// .kind::i8, the largest number of a kind.
def TensorMemoryI8 : NVVMArgumentTarget<3, 3, TensorMemoryI8Target>;
def TensorMemoryMaskedI8 : NVVMArgumentTarget<2, 3, TensorMemoryI8Target>;

// A part that the names of intrinsics have, without "int_nvvm_", as a regular
// expression: it came with a PTX version, and for an architecture. An intrinsic
// needs the latest of its parts.
class NVVMKernelPart<string names, int sm, int ptx> {
  string Names = names;
  NVVMSince Since = NVVMSince<sm, ptx>;
}

// The intrinsics that have a kind of targets, or an argument with one. Those of
// `except` are of another kind: none is of two.
class NVVMKernelKind<string names, NVVMTargetKind kind,
                     NVVMArgumentTarget argument = NoArgument,
                     string except = "^$"> {
  string Names = names;
  string Except = except;
  NVVMTargetKind Kind = kind;
  NVVMArgumentTarget Argument = argument;
}

defvar NVVMKernelParts = [
  NVVMKernelPart<"^barrier_cta_", 20, 20>,
  // Not .aligned.
  NVVMKernelPart<"^barrier_cta_(arrive|sync|red_[a-z]+)_(all|count)$", 30, 60>,
  NVVMKernelPart<"^barrier_cluster_", 90, 78>,
  NVVMKernelPart<"^barrier_cluster_arrive_relaxed", 90, 80>,

  NVVMKernelPart<"^fence_proxy_alias$", 70, 75>,
  NVVMKernelPart<"^fence_sc_cluster$", 90, 78>,
  NVVMKernelPart<"^fence_(mbarrier_init_|proxy_async)", 90, 80>,
  NVVMKernelPart<"^fence_proxy_tensormap_", 90, 83>,
  NVVMKernelPart<"^fence_.*_sync_restrict_", 90, 86>,

  NVVMKernelPart<"^cp_(reduce_)?async_bulk_", 90, 80>,
  NVVMKernelPart<"^cp_async_bulk_(tensor_g2s_cta_|global_to_shared_cta$)", 90,
                 86>,
  NVVMKernelPart<"^cp_async_bulk_.*_bytemask$", 100, 86>,
  NVVMKernelPart<"^cp_async_bulk_tensor_.*_(im2col_w|gather4|scatter4)_", 100,
                 86>,
  NVVMKernelPart<"^(red|st)_async", 90, 81>,
  NVVMKernelPart<"^(red|st)_async_(gpu|sys|mmio)(_|$)", 100, 87>,

  NVVMKernelPart<"^multimem_", 90, 81>,
  NVVMKernelPart<"^multimem_.*_acc_f32_", 90, 82>,
  NVVMKernelPart<"^multimem_.*_e[45]m", 100, 86>,

  NVVMKernelPart<"^mbarrier_", 80, 70>,
  NVVMKernelPart<"^mbarrier_test_wait_parity_", 80, 71>,
  NVVMKernelPart<"^mbarrier_(arrive|arrive_drop|try_wait.*)_scope_", 90, 78>,
  NVVMKernelPart<"^mbarrier_.*(_tx_scope_|_scope_cluster_|_space_cluster$)", 90,
                 80>,
  NVVMKernelPart<"^mbarrier_.*_relaxed_", 90, 86>,

  NVVMKernelPart<"^(mapa|getctarank|griddepcontrol)(_|$)", 90, 78>,
  NVVMKernelPart<"^elect_sync$", 90, 80>,
  NVVMKernelPart<"^setmaxnreg_", 90, 80>,

  NVVMKernelPart<"^prefetchu?_", 20, 20>,
  NVVMKernelPart<"^prefetch_global_L2_evict_", 80, 74>,
  NVVMKernelPart<"^prefetch_tensormap$", 90, 80>,
  NVVMKernelPart<"^(applypriority|createpolicy|discard)_", 80, 74>,

  NVVMKernelPart<"^st_bulk", 100, 86>,
  NVVMKernelPart<"^clusterlaunchcontrol_", 100, 86>,
  NVVMKernelPart<"^tensormap_", 90, 83>,
  NVVMKernelPart<"^tensormap_replace_swizzle_atomicity$", 100, 86>,

  NVVMKernelPart<"^tcgen05_", 100, 86>,
  // .block16 and .block32 are names of PTX 8.8, and ptxas takes one that is
  // left out for the latter.
  NVVMKernelPart<"^tcgen05_mma_.*_block_scale", 100, 88>,
  NVVMKernelPart<"^tcgen05_ld_red_", 101, 88>,
];

defvar NVVMKernelKinds = [
  NVVMKernelKind<"^cp_async_bulk_tensor_((g2s|prefetch)_(im2col_w|tile_gather4)"
                 "|s2g_tile_scatter4|g2s_cta_im2col_w_128)_",
                 BulkTensor5Target>,
  NVVMKernelKind<"^cp_async_bulk_tensor_g2s_(tile|im2col)_[1-5]d$", AnyTarget,
                 BulkTensorPair>,
  NVVMKernelKind<"^st_async_(gpu|sys)$", AnyTarget, AsyncMultimemStore>,
  NVVMKernelKind<"^multimem_.*_e[45]m", MultimemF8Target>,
  NVVMKernelKind<"^setmaxnreg_", SetMaxNRegTarget>,
  NVVMKernelKind<"^clusterlaunchcontrol_.*_multicast_", ByteMatrixTarget>,

  NVVMKernelKind<"^tensormap_replace_", TensormapReplaceTarget, NoArgument,
                 "_(elemtype|swizzle_(atomicity|mode))$">,
  NVVMKernelKind<"^tensormap_replace_elemtype$", TensormapReplaceTarget,
                 TensormapElemtype>,
  NVVMKernelKind<"^tensormap_replace_swizzle_mode$", TensormapReplaceTarget,
                 TensormapSwizzle>,
  NVVMKernelKind<"^tensormap_replace_swizzle_atomicity$", ByteMatrixTarget>,

  NVVMKernelKind<"^tcgen05_", TensorMemoryTarget, NoArgument,
                 "^tcgen05_(ld_red|mma|shift)_">,
  NVVMKernelKind<"^tcgen05_ld_red_", TensorMemoryReduceTarget>,
  NVVMKernelKind<"^tcgen05_shift_", TensorMemoryShiftTarget>,
  NVVMKernelKind<"^tcgen05_mma_", TensorMemoryTarget, TensorMemoryI8,
                 "_(block_scale|scale_d|disable_output_lane)">,
  NVVMKernelKind<"^tcgen05_mma_.*_disable_output_lane_", TensorMemoryTarget,
                 TensorMemoryMaskedI8, "_scale_d_">,
  NVVMKernelKind<"^tcgen05_mma_.*_scale_d", TensorMemoryScaleDTarget>,
  NVVMKernelKind<"^tcgen05_mma_.*_block_scale", TensorMemoryTarget, NoArgument,
                 "^tcgen05_mma_sp_.*_mxf4">,
  NVVMKernelKind<"^tcgen05_mma_sp_.*_mxf4(nvf4)?_block_scale",
                 TensorMemorySparseF4Target>,
];

class NVVMKernelTargetOf<string record> {
  defvar name = !substr(record, !size("int_nvvm_"));
  defvar parts = !filter(part, NVVMKernelParts, !match(name, part.Names));
  defvar kinds =
      !filter(kind, NVVMKernelKinds,
              !and(!match(name, kind.Names), !not(!match(name, kind.Except))));
  assert !not(!empty(parts)), record # " needs an unknown target";
  assert !lt(!size(kinds), 2), record # " has two kinds of targets";

  defvar since = NVVMLatest<!foreach(part, parts, part.Since)>.Target;
  NVVMTarget Target =
      !if(!empty(kinds), since,
          NVVMTarget<since.MinSM, since.MinPTX, !head(kinds).Kind,
                     !head(kinds).Argument>);
}
