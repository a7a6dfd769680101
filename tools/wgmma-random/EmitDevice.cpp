//===- EmitDevice.cpp - Kernels to be taken to a GPU ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitDevice.h"
#include "Checker.h"
#include "DeviceData.h"
#include "Levels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace wgmmarandom;

static constexpr unsigned LaunchesPerKernel = 2;
static constexpr unsigned KernelsPerCubin = 50;

namespace {
class DeviceEmitter {
public:
  explicit DeviceEmitter(const Options &O) : O(O), Folder(O.Output) {}
  int run();

private:
  void kernel(uint64_t Seed);
  /// The manifest's lines, or nothing where sums are not exact.
  std::string launches(StringRef Text, uint64_t Seed, StringRef Name,
                       StringRef Cubin);
  std::string expected(const Module &M, const Function &Kernel,
                       unsigned FamilyIndex, ArrayRef<uint32_t> Scalars,
                       std::string &Error);
  void append(StringRef KernelPTX);
  bool flush();
  std::string cubin() const {
    return "kernels-" + utostr(NextCubin) + ".cubin";
  }

  const Options &O;
  std::string Folder;
  Compiler C;
  std::map<unsigned, std::vector<uint8_t>> Data;
  std::string Manifest, PTX;
  unsigned Kernels = 0, InCubin = 0, NextCubin = 0;
  unsigned WithFindings = 0, NotExact = 0;
};
} // namespace

static Launch makeDeviceLaunch(const Module &M,
                               const std::vector<uint8_t> &Data,
                               ArrayRef<uint32_t> Scalars) {
  Launch L;
  uint64_t Shared = SharedBase;
  for (const GlobalVariable &G : M.globals()) {
    uint64_t Size = M.getDataLayout().getTypeAllocSize(G.getValueType());
    L.Symbols[G.getName()] = Shared;
    L.Initial.add(Shared, std::vector<uint8_t>(Size));
    Shared = alignTo(Shared + Size + 1, 256);
  }
  auto Tiles = Data.begin() + TileBytes;
  std::vector<uint8_t> Buffers[] = {
      std::vector<uint8_t>(DeviceThreads * OutputBytes),
      std::vector<uint8_t>(Tiles, Data.end()),
      std::vector<uint8_t>(Data.begin(), Tiles)};
  auto Argument = [&](const void *From, size_t Size) {
    auto *Bytes = static_cast<const uint8_t *>(From);
    L.Arguments.emplace_back(Bytes, Bytes + Size);
  };
  uint64_t Address = GlobalBase;
  for (std::vector<uint8_t> &Buffer : Buffers) {
    L.Initial.add(Address, std::move(Buffer));
    Argument(&Address, 8);
    Address += GlobalStride;
  }
  for (uint32_t Scalar : Scalars)
    Argument(&Scalar, 4);
  return L;
}

std::string DeviceEmitter::expected(const Module &M, const Function &Kernel,
                                    unsigned FamilyIndex,
                                    ArrayRef<uint32_t> Scalars,
                                    std::string &Error) {
  Launch L = makeDeviceLaunch(M, Data[FamilyIndex], Scalars);
  MatrixArithmetic Matrices;
  Execution E = Evaluator(M, L, Matrices, DeviceThreads).run(Kernel);
  Error = E.Error;
  const auto &Out = E.Final.regions().at(GlobalBase).Bytes;
  return utohexstr(hashOf(Out.data(), Out.size()));
}

/// The types of the first wgmma of a module.
static const Family *familyOf(const Module &M) {
  for (const Function &F : M)
    if (auto Op = parseIntrinsic(F.getName()))
      return Op->Types;
  return nullptr;
}

std::string DeviceEmitter::launches(StringRef Text, uint64_t Seed,
                                    StringRef Name, StringRef Cubin) {
  LLVMContext Context;
  std::string Error, Lines;
  std::unique_ptr<Module> M = C.parse(Text, Context, Error);
  const Family *F = familyOf(*M);
  if (!F)
    return "";
  unsigned Index = F - families().data();
  if (!Data.count(Index))
    Data[Index] = makeDeviceData(*F, O.Seed);
  for (unsigned I = 0; I != LaunchesPerKernel; ++I) {
    SmallVector<uint32_t, 5> Scalars = {uint32_t(mix(Seed, 40 + I))};
    for (unsigned Bound = 0; Bound != 4; ++Bound)
      Scalars.push_back(mix(Seed, 50 + 4 * I + Bound) % 4);
    std::string Hash = expected(*M, *findKernel(*M), Index, Scalars, Error);
    if (!Error.empty())
      return "";
    Lines += (Name + " " + Cubin + " data-" + Twine(Index) + ".bin").str();
    for (uint32_t Scalar : Scalars)
      Lines += " " + utostr(Scalar);
    Lines += " " + Hash + "\n";
  }
  return Lines;
}

/// All of a module but the first head.
void DeviceEmitter::append(StringRef KernelPTX) {
  static const StringRef HeadEnd = ".address_size 64";
  if (!PTX.empty())
    KernelPTX = KernelPTX.split(HeadEnd).second;
  PTX += KernelPTX;
  ++InCubin;
  ++Kernels;
}

bool DeviceEmitter::flush() {
  if (!InCubin)
    return true;
  std::string Source = Folder + "/kernels.ptx", Target = Folder + "/" + cubin();
  std::error_code Error;
  raw_fd_ostream(Source, Error) << PTX;
  int ExitCode = sys::ExecuteAndWait(
      O.PTXAS, {O.PTXAS, "-arch=sm_90a", Source, "-o", Target}, std::nullopt,
      {std::nullopt, StringRef(""), StringRef("")}, MaxPTXASSeconds);
  if (ExitCode)
    errs() << O.PTXAS << " does not take " << Source << "\n";
  else
    sys::fs::remove(Source);
  PTX.clear();
  InCubin = 0;
  ++NextCubin;
  return ExitCode == 0;
}

void DeviceEmitter::kernel(uint64_t Seed) {
  GeneratorOptions G = O.Generator;
  G.ForDevice = true;
  G.DebugInfo = 0;
  G.MaxN = std::min(G.MaxN, DeviceMaxN);
  G.Name = "k" + utostr(Seed);
  std::string Text = makeProgram(Seed, G, C);
  Expectation Expected(Text, C, Seed, O.Executions);
  Level L = levelsOf(O.Levels, Seed).front();
  Compilation Result = C.compile(Text, L);
  Verdict V;
  V.Unusable = Expected.unusable().str();
  if (V.Unusable.empty())
    V = judgeCompilation(Result, Expected);
  if (!V.Findings.empty() || !V.Unusable.empty()) {
    print(V, "seed-" + Twine(Seed) + " " + L.name());
    ++WithFindings;
    return;
  }
  std::string Lines = launches(Text, Seed, G.Name, cubin());
  if (Lines.empty()) {
    ++NotExact;
    return;
  }
  Manifest += Lines;
  append(Result.PTX);
}

int DeviceEmitter::run() {
  if (O.PTXAS.empty()) {
    errs() << "--ptxas is needed\n";
    return 2;
  }
  sys::fs::create_directories(Folder);
  for (uint64_t Seed = O.Seed; Kernels != O.Count; ++Seed) {
    kernel(Seed);
    if (InCubin == KernelsPerCubin && !flush())
      return 2;
  }
  if (!flush())
    return 2;
  std::error_code Error;
  raw_fd_ostream(Folder + "/manifest.txt", Error) << Manifest;
  for (const auto &[Index, Bytes] : Data)
    raw_fd_ostream(Folder + "/data-" + utostr(Index) + ".bin", Error)
        .write(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  outs() << "kernels: " << Kernels
         << ", left out with findings: " << WithFindings
         << ", with sums that round: " << NotExact << "\n";
  return WithFindings ? 1 : 0;
}

int wgmmarandom::emitDevice(const Options &O) { return DeviceEmitter(O).run(); }
