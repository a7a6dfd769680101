//===- Pages.h - The pages of docs/layouts ----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVPTX_MMA_TOOLS_LAYOUT_PAGES_H
#define NVPTX_MMA_TOOLS_LAYOUT_PAGES_H

#include <string>

namespace layout {

/// Writes the pages and their figures, one for each distinct layout. Returns
/// false when a file cannot be written.
bool writePages(const std::string &Folder);

} // namespace layout

#endif // NVPTX_MMA_TOOLS_LAYOUT_PAGES_H
