//===- Kernel.cpp - The kernels that make_kernels.py made -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace devicetest;

/// The manifest comes from our own script: whatever it lacks is a mistake
/// there.
[[noreturn]] static void malformed(const Kernel &K, const std::string &Key) {
  std::fprintf(stderr, "error: manifest: kernel %s has no valid %s\n",
               K.Name.c_str(), Key.c_str());
  std::exit(2);
}

const std::string &Kernel::field(const std::string &Key) const {
  auto Found = Fields.find(Key);
  if (Found == Fields.end())
    malformed(*this, Key);
  return Found->second;
}

unsigned Kernel::number(const std::string &Key) const {
  return std::strtoul(field(Key).c_str(), nullptr, 10);
}

Element Kernel::element(const std::string &Key) const {
  std::optional<Element> Type = elementNamed(field(Key));
  if (!Type)
    malformed(*this, Key);
  return *Type;
}

WarpShape Kernel::shape() const {
  WarpShape S;
  if (std::sscanf(field("shape").c_str(), "m%un%uk%u", &S.M, &S.N, &S.K) != 3)
    malformed(*this, "shape");
  return S;
}

KernelKind Kernel::kind() const {
  const std::string &Kind = field("kind");
  if (Kind == "registers")
    return KernelKind::Registers;
  if (Kind == "load")
    return KernelKind::Load;
  if (Kind == "store")
    return KernelKind::Store;
  malformed(*this, "kind");
}

size_t Kernel::inRecord() const {
  switch (kind()) {
  case KernelKind::Registers:
    return WarpThreads * inWords();
  case KernelKind::Load:
    return ImageWords + WarpThreads * ParameterWords;
  case KernelKind::Store:
    break;
  }
  return WarpThreads * (inWords() + ParameterWords);
}

size_t Kernel::outRecord() const {
  return kind() == KernelKind::Store ? ImageWords : WarpThreads * outWords();
}

const Kernel *
Manifest::find(const std::string &Family,
               const std::map<std::string, std::string> &Fields) const {
  auto Has = [](const Kernel &K, const auto &Field) {
    auto Found = K.Fields.find(Field.first);
    return Found != K.Fields.end() && Found->second == Field.second;
  };
  for (const Kernel &K : Kernels)
    if (K.Family == Family &&
        std::all_of(Fields.begin(), Fields.end(),
                    [&](const auto &Field) { return Has(K, Field); }))
      return &K;
  return nullptr;
}

std::string devicetest::readManifest(std::istream &In, Manifest &Result) {
  std::string Line;
  for (unsigned Number = 1; std::getline(In, Line); ++Number) {
    std::istringstream Words(Line);
    std::vector<std::string> Parts;
    for (std::string Part; std::getline(Words, Part, '\t');)
      Parts.push_back(Part);
    if (Parts.size() == 4 && Parts[0] == "lacks") {
      Result.Lacking.push_back({Parts[1], Parts[2], Parts[3]});
    } else if (Parts.size() >= 5 && Parts[0] == "kernel") {
      Kernel K = {Parts[1], Parts[2], Parts[3], Parts[4], {}};
      for (size_t Index = 5; Index != Parts.size(); ++Index) {
        size_t Equals = Parts[Index].find('=');
        if (Equals != std::string::npos)
          K.Fields[Parts[Index].substr(0, Equals)] =
              Parts[Index].substr(Equals + 1);
      }
      Result.Kernels.push_back(K);
    } else {
      return "line " + std::to_string(Number) + " of the manifest is malformed";
    }
  }
  return Result.Kernels.empty() ? "the manifest lists no kernel" : "";
}
