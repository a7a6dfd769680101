//===- Json.h - Strings as JSON has them ------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_COMMON_JSON_H
#define NVPTX_MMA_TEST_DEVICE_COMMON_JSON_H

#include "RoundingCheck.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace devicetest {

/// Text in quotes, with what JSON wants escaped.
inline std::string quote(const std::string &Text) {
  std::string Quoted = "\"";
  for (unsigned char C : Text) {
    char Escape[8];
    if (C == '"' || C == '\\') {
      Quoted += '\\';
      Quoted += C;
    } else if (C < 0x20) {
      std::snprintf(Escape, sizeof(Escape), "\\u%04x", C);
      Quoted += Escape;
    } else {
      Quoted += C;
    }
  }
  return Quoted + "\"";
}

/// A number; JSON has none that is not finite.
inline std::string number(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.6g", Value);
  return std::isfinite(Value) ? Text : "null";
}

inline std::string json(const RoundingReport &R) {
  return "{\"elements\": " + std::to_string(R.Elements) +
         ", \"worst_error\": " + number(R.WorstError) +
         ", \"worst_of_required\": " + number(R.WorstOfRequired) +
         ", \"models_left\": " + std::to_string(R.ModelsLeft) +
         ", \"model\": " + quote(R.Model) + "}";
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_COMMON_JSON_H
