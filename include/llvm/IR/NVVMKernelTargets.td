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
    "getctarank|griddepcontrol|mapa|mbarrier|prefetchu?|red_async|setmaxnreg|"
    "st_(async$|bulk)|tcgen05|tensormap_(cp_fenceproxy|replace))(_|$)";

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
// In LLVM from version 23 on.
def TensorMemoryReduceTarget
    : NVVMMatrixTargetKind<[NVVMAlternative<101, "f", 88>,
                            NVVMAlternative<103, "f", 88>,
                            NVVMAlternative<110, "f", 90>]>;
// .cta_group, the last argument, where it is not 0.
def BulkTensorPair : NVVMArgumentTarget<1, 1, BulkTensor5Target>;
// .kind::i8, the largest number of a kind.
def TensorMemoryI8 : NVVMArgumentTarget<3, 3, TensorMemoryI8Target>;
def TensorMemoryMaskedI8 : NVVMArgumentTarget<2, 3, TensorMemoryI8Target>;

defvar NVVMKernelTargets = [
  NVVMMatrixTarget<"^barrier_cta_.*_aligned_", 20, 20>,
  NVVMMatrixTarget<"^barrier_cta_", 30, 60>,
  NVVMMatrixTarget<"^barrier_cluster_arrive_relaxed", 90, 80>,
  NVVMMatrixTarget<"^barrier_cluster_", 90, 78>,

  NVVMMatrixTarget<"^fence_sc_cluster$", 90, 78>,
  NVVMMatrixTarget<"^fence_proxy_alias$", 70, 75>,
  NVVMMatrixTarget<"^fence_proxy_tensormap_", 90, 83>,
  NVVMMatrixTarget<"^fence_.*_sync_restrict_", 90, 86>,
  NVVMMatrixTarget<"^fence_", 90, 80>,

  NVVMMatrixTarget<"^cp_async_bulk_shared_cta_to_global_bytemask$", 100, 86>,
  NVVMMatrixTarget<"^cp_async_bulk_tensor_(g2s|prefetch)_im2col_w_", 100, 86,
                   BulkTensor5Target>,
  NVVMMatrixTarget<"^cp_async_bulk_tensor_(g2s|prefetch|s2g)_tile_(gath|scatt)",
                   100, 86, BulkTensor5Target>,
  NVVMMatrixTarget<"^cp_async_bulk_tensor_g2s_cta_im2col_w_128_", 100, 86,
                   BulkTensor5Target>,
  NVVMMatrixTarget<"^cp_async_bulk_tensor_g2s_cta_(im2col_w|tile_gather4)_",
                   100, 86>,
  NVVMMatrixTarget<"^cp_async_bulk_(tensor_g2s_cta_|global_to_shared_cta$)", 90,
                   86>,
  NVVMMatrixTarget<"^cp_async_bulk_tensor_g2s_", 90, 80, AnyTarget,
                   BulkTensorPair>,
  NVVMMatrixTarget<"^cp_(reduce_)?async_bulk_", 90, 80>,
  NVVMMatrixTarget<"^(red_async_|st_async$)", 90, 81>,

  NVVMMatrixTarget<"^mbarrier_(arrive|test|try).*_relaxed_", 90, 86>,
  NVVMMatrixTarget<"^mbarrier_.*_scope_cluster_", 90, 80>,
  NVVMMatrixTarget<"^mbarrier_.*_tx_scope_", 90, 80>,
  NVVMMatrixTarget<"^mbarrier_.*_space_cluster$", 90, 80>,
  NVVMMatrixTarget<"^mbarrier_(arrive|arrive_drop|try_wait.*)_scope_", 90, 78>,
  NVVMMatrixTarget<"^mbarrier_test_wait_parity_", 80, 71>,
  NVVMMatrixTarget<"^mbarrier_", 80, 70>,

  NVVMMatrixTarget<"^(mapa|getctarank|griddepcontrol)(_|$)", 90, 78>,
  NVVMMatrixTarget<"^elect_sync$", 90, 80>,
  NVVMMatrixTarget<"^setmaxnreg_", 90, 80, SetMaxNRegTarget>,

  NVVMMatrixTarget<"^prefetch_tensormap$", 90, 80>,
  NVVMMatrixTarget<"^prefetch_global_L2_evict_", 80, 74>,
  NVVMMatrixTarget<"^prefetch", 20, 20>,
  NVVMMatrixTarget<"^(applypriority|createpolicy|discard)_", 80, 74>,

  NVVMMatrixTarget<"^st_bulk", 100, 86>,
  NVVMMatrixTarget<"^clusterlaunchcontrol_.*_multicast_", 100, 86,
                   ByteMatrixTarget>,
  NVVMMatrixTarget<"^clusterlaunchcontrol_", 100, 86>,
  NVVMMatrixTarget<"^tensormap_replace_swizzle_atomicity$", 100, 86,
                   ByteMatrixTarget>,
  NVVMMatrixTarget<"^tensormap_replace_", 90, 83, TensormapReplaceTarget>,
  NVVMMatrixTarget<"^tensormap_cp_fenceproxy_", 90, 83>,

  NVVMMatrixTarget<"^tcgen05_shift_", 100, 86, TensorMemoryShiftTarget>,
  // .block16 and .block32 are names of PTX 8.8, and ptxas takes one that is
  // left out for the latter.
  NVVMMatrixTarget<"^tcgen05_mma_sp_.*_mxf4(nvf4)?_block_scale", 100, 88,
                   TensorMemorySparseF4Target>,
  NVVMMatrixTarget<"^tcgen05_mma_.*_block_scale", 100, 88,
                   TensorMemoryTarget>,
  NVVMMatrixTarget<"^tcgen05_mma_.*_scale_d", 100, 86,
                   TensorMemoryScaleDTarget>,
  NVVMMatrixTarget<"^tcgen05_mma_.*_disable_output_lane_", 100, 86,
                   TensorMemoryTarget, TensorMemoryMaskedI8>,
  NVVMMatrixTarget<"^tcgen05_mma_", 100, 86, TensorMemoryTarget,
                   TensorMemoryI8>,
  NVVMMatrixTarget<"^tcgen05_ld_red_", 101, 88, TensorMemoryReduceTarget>,
  NVVMMatrixTarget<"^tcgen05_", 100, 86, TensorMemoryTarget>,
];
