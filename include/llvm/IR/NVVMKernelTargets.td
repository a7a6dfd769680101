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
// fifth generation of tensor cores, tcgen05. Included by NVVMMatrixTargets.td,
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
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<110, "f", 90>]>;
def SetMaxNRegTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<90, "a", 80>,
                            NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<120, "f", 88>,
                            NVVMAlternative<110, "a", 90>,
                            NVVMAlternative<110, "f", 90>]>;
def TensormapReplaceTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<90, "a", 83>,
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
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 87>,
                            NVVMAlternative<101, "a", 87>,
                            NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<120, "f", 88>,
                            NVVMAlternative<110, "a", 90>,
                            NVVMAlternative<110, "f", 90>]>;
// The swizzle of 96 bytes.
def TensormapSwizzleTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<103, "a", 88>]>;
def TensorMemoryTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<110, "f", 90>]>;
def TensorMemoryShiftTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<103, "a", 88>,
                            NVVMAlternative<110, "a", 90>]>;
def TensorMemoryScaleDTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<100, "f", 88>]>;
def TensorMemoryI8Target
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<110, "a", 90>]>;
def TensorMemorySparseF4Target
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<103, "a", 88>,
                            NVVMAlternative<110, "a", 90>]>;
// multimem of elements of 8 bits.
def MultimemF8Target
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "a", 86>,
                            NVVMAlternative<101, "a", 86>,
                            NVVMAlternative<120, "a", 87>,
                            NVVMAlternative<121, "a", 88>,
                            NVVMAlternative<100, "f", 88>,
                            NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<110, "a", 90>,
                            NVVMAlternative<110, "f", 90>]>;
// In LLVM from version 23 on.
def TensorMemoryReduceTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<103, "f", 88>,
                            NVVMAlternative<110, "f", 90>]>;
// A multimem address, the last argument of st.async to global memory.
def AsyncMultimemStoreTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<100, "", 93>]>;
def AsyncMultimemStore : NVVMArgumentTarget<1, 1, AsyncMultimemStoreTarget>;
// .cta_group, the last argument, where it is not 0.
def BulkTensorPair : NVVMArgumentTarget<1, 1, BulkTensor5Target>;
// The last values of two fields of a tensor map.
def TensormapElemtype : NVVMArgumentTarget<1, 13, TensormapElemtypeTarget>;
def TensormapSwizzle : NVVMArgumentTarget<1, 4, TensormapSwizzleTarget>;
// .kind::i8, the largest number of a kind.
def TensorMemoryI8 : NVVMArgumentTarget<3, 3, TensorMemoryI8Target>;
def TensorMemoryMaskedI8 : NVVMArgumentTarget<2, 3, TensorMemoryI8Target>;

// What the intrinsics have in common whose name, without "int_nvvm_", matches a
// regular expression, and no earlier one in the list.
class NVVMKernelTarget<string names, int sm, int ptx,
                       NVVMMatrixTargetKind kind = AnyTarget,
                       NVVMArgumentTarget argument = NoArgument>
    : NVVMTarget<sm, ptx, kind, argument> {
  string Names = names;
}

defvar NVVMKernelTargets = [
  NVVMKernelTarget<"^barrier_cta_.*_aligned_", 20, 20>,
  NVVMKernelTarget<"^barrier_cta_", 30, 60>,
  NVVMKernelTarget<"^barrier_cluster_arrive_relaxed", 90, 80>,
  NVVMKernelTarget<"^barrier_cluster_", 90, 78>,

  NVVMKernelTarget<"^fence_sc_cluster$", 90, 78>,
  NVVMKernelTarget<"^fence_proxy_alias$", 70, 75>,
  NVVMKernelTarget<"^fence_proxy_tensormap_", 90, 83>,
  NVVMKernelTarget<"^fence_.*_sync_restrict_", 90, 86>,
  NVVMKernelTarget<"^fence_", 90, 80>,

  NVVMKernelTarget<"^cp_async_bulk_shared_cta_to_global_bytemask$", 100, 86>,
  NVVMKernelTarget<"^cp_async_bulk_tensor_(g2s|prefetch)_im2col_w_", 100, 86,
                   BulkTensor5Target>,
  NVVMKernelTarget<"^cp_async_bulk_tensor_(g2s|prefetch|s2g)_tile_(gath|scatt)",
                   100, 86, BulkTensor5Target>,
  NVVMKernelTarget<"^cp_async_bulk_tensor_g2s_cta_im2col_w_128_", 100, 86,
                   BulkTensor5Target>,
  NVVMKernelTarget<"^cp_async_bulk_tensor_g2s_cta_(im2col_w|tile_gather4)_",
                   100, 86>,
  NVVMKernelTarget<"^cp_async_bulk_(tensor_g2s_cta_|global_to_shared_cta$)", 90,
                   86>,
  NVVMKernelTarget<"^cp_async_bulk_tensor_g2s_", 90, 80, AnyTarget,
                   BulkTensorPair>,
  NVVMKernelTarget<"^cp_(reduce_)?async_bulk_", 90, 80>,
  NVVMKernelTarget<"^st_async_(gpu|sys)$", 100, 87, AnyTarget,
                   AsyncMultimemStore>,
  NVVMKernelTarget<"^(red|st)_async_(gpu|sys|mmio)_", 100, 87>,
  NVVMKernelTarget<"^(red_async_|st_async$)", 90, 81>,

  NVVMKernelTarget<"^multimem_.*_e[45]m", 100, 86, MultimemF8Target>,
  NVVMKernelTarget<"^multimem_.*_acc_f32_", 90, 82>,
  NVVMKernelTarget<"^multimem_", 90, 81>,

  NVVMKernelTarget<"^mbarrier_(arrive|test|try).*_relaxed_", 90, 86>,
  NVVMKernelTarget<"^mbarrier_.*_scope_cluster_", 90, 80>,
  NVVMKernelTarget<"^mbarrier_.*_tx_scope_", 90, 80>,
  NVVMKernelTarget<"^mbarrier_.*_space_cluster$", 90, 80>,
  NVVMKernelTarget<"^mbarrier_(arrive|arrive_drop|try_wait.*)_scope_", 90, 78>,
  NVVMKernelTarget<"^mbarrier_test_wait_parity_", 80, 71>,
  NVVMKernelTarget<"^mbarrier_", 80, 70>,

  NVVMKernelTarget<"^(mapa|getctarank|griddepcontrol)(_|$)", 90, 78>,
  NVVMKernelTarget<"^elect_sync$", 90, 80>,
  NVVMKernelTarget<"^setmaxnreg_", 90, 80, SetMaxNRegTarget>,

  NVVMKernelTarget<"^prefetch_tensormap$", 90, 80>,
  NVVMKernelTarget<"^prefetch_global_L2_evict_", 80, 74>,
  NVVMKernelTarget<"^prefetch", 20, 20>,
  NVVMKernelTarget<"^(applypriority|createpolicy|discard)_", 80, 74>,

  NVVMKernelTarget<"^st_bulk", 100, 86>,
  NVVMKernelTarget<"^clusterlaunchcontrol_.*_multicast_", 100, 86,
                   ByteMatrixTarget>,
  NVVMKernelTarget<"^clusterlaunchcontrol_", 100, 86>,
  NVVMKernelTarget<"^tensormap_replace_swizzle_atomicity$", 100, 86,
                   ByteMatrixTarget>,
  NVVMKernelTarget<"^tensormap_replace_elemtype$", 90, 83,
                   TensormapReplaceTarget, TensormapElemtype>,
  NVVMKernelTarget<"^tensormap_replace_swizzle_mode$", 90, 83,
                   TensormapReplaceTarget, TensormapSwizzle>,
  NVVMKernelTarget<"^tensormap_replace_", 90, 83, TensormapReplaceTarget>,
  NVVMKernelTarget<"^tensormap_cp_fenceproxy_", 90, 83>,

  NVVMKernelTarget<"^tcgen05_shift_", 100, 86, TensorMemoryShiftTarget>,
  // .block16 and .block32 are names of PTX 8.8, and ptxas takes one that is
  // left out for the latter.
  NVVMKernelTarget<"^tcgen05_mma_sp_.*_mxf4(nvf4)?_block_scale", 100, 88,
                   TensorMemorySparseF4Target>,
  NVVMKernelTarget<"^tcgen05_mma_.*_block_scale", 100, 88,
                   TensorMemoryTarget>,
  NVVMKernelTarget<"^tcgen05_mma_.*_scale_d", 100, 86,
                   TensorMemoryScaleDTarget>,
  NVVMKernelTarget<"^tcgen05_mma_.*_disable_output_lane_", 100, 86,
                   TensorMemoryTarget, TensorMemoryMaskedI8>,
  NVVMKernelTarget<"^tcgen05_mma_", 100, 86, TensorMemoryTarget,
                   TensorMemoryI8>,
  NVVMKernelTarget<"^tcgen05_ld_red_", 101, 88, TensorMemoryReduceTarget>,
  NVVMKernelTarget<"^tcgen05_", 100, 86, TensorMemoryTarget>,
];

class NVVMKernelTargetOf<string record> {
  defvar name = !substr(record, !size("int_nvvm_"));
  NVVMTarget Target = !head(!filter(target, NVVMKernelTargets,
                                    !match(name, target.Names)));
}
