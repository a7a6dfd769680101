//===- gmma_names.hpp - CuTe's names of the wgmma atoms ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Macros that the rows of gmma_dense.def and gmma_sparse.def call to declare an
// atom for each N: in the namespace cute::SM90::GMMA, as
//
//   [G]MMA_64x<N>x<K>_<types>_<form>[_TN[_SATURATE]]<template arguments>
//
// The operands that may be transposed come first among the template arguments,
// then those that may be negated, then the sparsity selector. _TN stands in
// the name where nothing can be transposed.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <nvptx_mma/gmma_atoms.hpp>
#include <nvptx_mma/gmma_shapes.def>

#define NVPTX_MMA_K_MAJOR Major::K, Major::K
#define NVPTX_MMA_NOT_NEGATED ScaleIn::One, ScaleIn::One
#define NVPTX_MMA_MAJORS Major tnspA, Major tnspB
#define NVPTX_MMA_SCALES                                                       \
  ScaleIn scaleA = ScaleIn::One, ScaleIn scaleB = ScaleIn::One
#define NVPTX_MMA_SELECTOR SparseSel spsel = SparseSel::Zero

#define NVPTX_MMA_ATOM(SPARSE, TYPES, FORM, N, ...)                            \
  ::nvptx_mma::gmma::SPARSE##FORM##_##TYPES<                                   \
      N, ::nvptx_mma::gmma::Flags<__VA_ARGS__>>

// Dense. 16-bit operands can be transposed and negated, other floating point
// ones only negated, integers neither.
#define NVPTX_MMA_DENSE_MAJOR(N, K, TYPES, FORM)                               \
  template <NVPTX_MMA_MAJORS, NVPTX_MMA_SCALES>                                \
  struct MMA_64x##N##x##K##_##TYPES##_##FORM                                   \
      : NVPTX_MMA_ATOM(Dense, TYPES, FORM, N, tnspA, tnspB, scaleA, scaleB,    \
                       SparseSel::Zero, false) {};
#define NVPTX_MMA_DENSE_SCALE(N, K, TYPES, FORM)                               \
  template <NVPTX_MMA_SCALES>                                                  \
  struct MMA_64x##N##x##K##_##TYPES##_##FORM##_TN                              \
      : NVPTX_MMA_ATOM(Dense, TYPES, FORM, N, NVPTX_MMA_K_MAJOR, scaleA,       \
                       scaleB, SparseSel::Zero, false) {};
#define NVPTX_MMA_DENSE_SATURATE(N, K, TYPES, FORM)                            \
  struct MMA_64x##N##x##K##_##TYPES##_##FORM##_TN                              \
      : NVPTX_MMA_ATOM(Dense, TYPES, FORM, N, NVPTX_MMA_K_MAJOR,               \
                       NVPTX_MMA_NOT_NEGATED, SparseSel::Zero, false) {};      \
  struct MMA_64x##N##x##K##_##TYPES##_##FORM##_TN_SATURATE                     \
      : NVPTX_MMA_ATOM(Dense, TYPES, FORM, N, NVPTX_MMA_K_MAJOR,               \
                       NVPTX_MMA_NOT_NEGATED, SparseSel::Zero, true) {};

// Sparse.
#define NVPTX_MMA_SPARSE_MAJOR(N, K, TYPES, FORM)                              \
  template <NVPTX_MMA_MAJORS, NVPTX_MMA_SCALES, NVPTX_MMA_SELECTOR>            \
  struct GMMA_64x##N##x##K##_##TYPES##_##FORM                                  \
      : NVPTX_MMA_ATOM(Sparse, TYPES, FORM, N, tnspA, tnspB, scaleA, scaleB,   \
                       spsel, false) {};
#define NVPTX_MMA_SPARSE_SCALE(N, K, TYPES, FORM)                              \
  template <NVPTX_MMA_SCALES, NVPTX_MMA_SELECTOR>                              \
  struct GMMA_64x##N##x##K##_##TYPES##_##FORM##_TN                             \
      : NVPTX_MMA_ATOM(Sparse, TYPES, FORM, N, NVPTX_MMA_K_MAJOR, scaleA,      \
                       scaleB, spsel, false) {};
#define NVPTX_MMA_SPARSE_SATURATE(N, K, TYPES, FORM)                           \
  template <NVPTX_MMA_SELECTOR>                                                \
  struct GMMA_64x##N##x##K##_##TYPES##_##FORM##_TN                             \
      : NVPTX_MMA_ATOM(Sparse, TYPES, FORM, N, NVPTX_MMA_K_MAJOR,              \
                       NVPTX_MMA_NOT_NEGATED, spsel, false) {};                \
  template <NVPTX_MMA_SELECTOR>                                                \
  struct GMMA_64x##N##x##K##_##TYPES##_##FORM##_TN_SATURATE                    \
      : NVPTX_MMA_ATOM(Sparse, TYPES, FORM, N, NVPTX_MMA_K_MAJOR,              \
                       NVPTX_MMA_NOT_NEGATED, spsel, true) {};
