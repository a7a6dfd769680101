//===-- nvptx_tensor_map.h - Tensor maps made on the host -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For CUDA alone, and for its host part. The driver's function that encodes a
// tensor map is asked for through CUDA's runtime, so that a program is linked
// with cudart and not with libcuda.
//
//   // A row-major matrix of rows x columns halves, in boxes of 128 x 64.
//   nvptx::tensor_map map;
//   cudaError_t error = nvptx::make_tensor_map(
//       map, nvptx::tensor_type::f16, device_pointer, {columns, rows},
//       {columns * 2}, {64, 128}, nvptx::wgmma::swizzle::bytes_128);
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_TENSOR_MAP_H
#define __NVPTX_TENSOR_MAP_H

#ifndef __CUDA__
#error "nvptx_tensor_map.h needs CUDA (-x cuda --cuda-gpu-arch=sm_90a)"
#endif

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvptx_tma.h>
#include <nvptx_wgmma.h>

namespace nvptx {

static_assert(sizeof(tensor_map) == sizeof(CUtensorMap) &&
                  alignof(tensor_map) >= alignof(CUtensorMap),
              "a tensor_map has the bytes of a CUtensorMap");

/// What a tensor's elements are. Loads and stores move bits, so that fp8 and
/// s8 are u8; the type matters where a reduction adds, and tf32 rounds f32 on
/// the way to shared memory.
enum class tensor_type {
  u8 = CU_TENSOR_MAP_DATA_TYPE_UINT8,
  u16 = CU_TENSOR_MAP_DATA_TYPE_UINT16,
  u32 = CU_TENSOR_MAP_DATA_TYPE_UINT32,
  s32 = CU_TENSOR_MAP_DATA_TYPE_INT32,
  u64 = CU_TENSOR_MAP_DATA_TYPE_UINT64,
  s64 = CU_TENSOR_MAP_DATA_TYPE_INT64,
  f16 = CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  bf16 = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  f32 = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  tf32 = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  f64 = CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
};

namespace __detail {

/// cuTensorMapEncodeTiled, or null without a driver that has it.
inline cudaError_t __find_encode_tiled(void **__function) {
  cudaDriverEntryPointQueryResult __found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  cudaError_t __error = cudaGetDriverEntryPointByVersion(
      "cuTensorMapEncodeTiled", __function, 12000, cudaEnableDefault, &__found);
#else
  cudaError_t __error = cudaGetDriverEntryPoint(
      "cuTensorMapEncodeTiled", __function, cudaEnableDefault, &__found);
#endif
  if (__error == cudaSuccess && __found != cudaDriverEntryPointSuccess)
    return cudaErrorNotSupported;
  return __error;
}

inline CUtensorMapSwizzle __driver_swizzle(wgmma::swizzle __mode) {
  switch (__mode) {
  case wgmma::swizzle::none:
    return CU_TENSOR_MAP_SWIZZLE_NONE;
  case wgmma::swizzle::bytes_128:
    return CU_TENSOR_MAP_SWIZZLE_128B;
  case wgmma::swizzle::bytes_64:
    return CU_TENSOR_MAP_SWIZZLE_64B;
  case wgmma::swizzle::bytes_32:
    return CU_TENSOR_MAP_SWIZZLE_32B;
  }
  return CU_TENSOR_MAP_SWIZZLE_NONE;
}

} // namespace __detail

/// Makes the map of a tensor in global memory, which TMA moves in boxes.
///
/// All lists begin with the innermost dimension, whose elements are contiguous.
/// \param __address Of the tensor, on the device; a multiple of 16.
/// \param __sizes Elements in each dimension, 1 to 2^32.
/// \param __strides Bytes from one element to the next in each dimension but
///        the innermost one: multiples of 16 below 2^40.
/// \param __box Elements that one copy moves, 1 to 256 in each dimension. The
///        innermost one has a multiple of 16 bytes, with a swizzle at most the
///        swizzle's width; of that width it is what wgmma reads.
/// \returns cudaErrorInvalidValue where one of these is not kept, and
///          cudaErrorNotSupported without a driver for CUDA 12.
template <int __rank>
cudaError_t make_tensor_map(
    tensor_map &__map, tensor_type __type, const void *__address,
    const unsigned long long (&__sizes)[__rank],
    const unsigned long long (&__strides)[__rank == 1 ? 1 : __rank - 1],
    const unsigned (&__box)[__rank],
    wgmma::swizzle __swizzle = wgmma::swizzle::none,
    CUtensorMapL2promotion __promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B) {
  static_assert(__rank >= 1 && __rank <= 5, "a tensor has 1 to 5 dimensions");
  void *__function = nullptr;
  if (cudaError_t __error = __detail::__find_encode_tiled(&__function))
    return __error;
  cuuint64_t __size_list[__rank], __stride_list[__rank];
  cuuint32_t __box_list[__rank], __steps[__rank];
  for (int __i = 0; __i != __rank; ++__i) {
    __size_list[__i] = __sizes[__i];
    __box_list[__i] = __box[__i];
    __steps[__i] = 1;
    if (__i + 1 < __rank)
      __stride_list[__i] = __strides[__i];
  }
  auto __encode =
      reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(__function);
  CUresult __result =
      __encode(reinterpret_cast<CUtensorMap *>(&__map),
               static_cast<CUtensorMapDataType>(__type), __rank,
               const_cast<void *>(__address), __size_list, __stride_list,
               __box_list, __steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               __detail::__driver_swizzle(__swizzle), __promotion,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return __result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace nvptx

#endif // __NVPTX_TENSOR_MAP_H
