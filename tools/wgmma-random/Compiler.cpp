//===- Compiler.cpp - IR to PTX in this process ---------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "AssemblyForm.h"

#include "llvm/AsmParser/LLParser.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;
using namespace wgmmarandom;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

Compiler::Compiler() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  CrashRecoveryContext::Enable();
}

namespace {
/// Keeps what the compiler says.
class Listener : public DiagnosticHandler {
public:
  explicit Listener(Compilation &Result) : Result(Result) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error && Info.getSeverity() != DS_Warning)
      return true;
    std::string Text;
    raw_string_ostream Stream(Text);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    (Info.getSeverity() == DS_Error ? Result.Errors : Result.Warnings)
        .push_back(Text);
    const auto *OfWGMMA = dyn_cast<nvvm::DiagnosticInfoWGMMA>(&Info);
    if (OfWGMMA &&
        OfWGMMA->getCategory() == nvvm::DiagnosticInfoWGMMA::Protocol &&
        OfWGMMA->getMessage().contains("is waited for at once"))
      Result.Faults.push_back(Text);
    return true;
  }

private:
  Compilation &Result;
};
} // namespace

std::unique_ptr<Module> Compiler::parse(StringRef Text, LLVMContext &Context,
                                        std::string &Error) {
  SMDiagnostic Diagnostic;
  SourceMgr Sources;
  Sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(Text), SMLoc());
  auto M = std::make_unique<Module>("program", Context);
  // Debug info is not upgraded: that ends the process where a module is not
  // valid.
  LLParser Parser(Text, Sources, Diagnostic, M.get(), nullptr, Context);
  if (!Parser.Run(/*UpgradeDebugInfo=*/false))
    return M;
  raw_string_ostream Stream(Error);
  Diagnostic.print("", Stream, /*ShowColors=*/false);
  return nullptr;
}

TargetMachine &Compiler::machine(unsigned CodeGenLevel, StringRef CPU,
                                 StringRef Features) {
  std::string Key = (Twine(CodeGenLevel) + CPU + Features).str();
  for (auto &[Known, TM] : Machines)
    if (Known == Key)
      return *TM;
  Triple TT("nvptx64-nvidia-cuda");
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(TT, Error);
  if (!T)
    report_fatal_error(Twine(Error));
  Machines.emplace_back(
      Key, T->createTargetMachine(TT, CPU, Features, TargetOptions(),
                                  std::nullopt, std::nullopt,
                                  *CodeGenOpt::getLevel(CodeGenLevel)));
  return *Machines.back().second;
}

static OptimizationLevel optimizationLevel(char Pipeline) {
  switch (Pipeline) {
  case '1':
    return OptimizationLevel::O1;
  case '2':
    return OptimizationLevel::O2;
  case '3':
    return OptimizationLevel::O3;
  default:
    return OptimizationLevel::O0;
  }
}

static void optimize(Module &M, char Pipeline, TargetMachine &TM) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager Passes;
  if (Pipeline == 's' || Pipeline == 'n') {
    Passes.addPass(AlwaysInlinerPass());
    if (Pipeline == 's')
      Passes.addPass(
          createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  } else if (Pipeline == '0') {
    Passes = PB.buildO0DefaultPipeline(OptimizationLevel::O0);
  } else {
    Passes = PB.buildPerModuleDefaultPipeline(optimizationLevel(Pipeline));
  }
  Passes.run(M, MAM);
}

void Compiler::compileUnguarded(StringRef Text, Level L, StringRef CPU,
                                StringRef Features, Compilation &Result) {
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Listener>(Result));
  std::string Error;
  std::unique_ptr<Module> M = parse(Text, Context, Error);
  raw_string_ostream ErrorStream(Error);
  if (!M || verifyModule(*M, &ErrorStream)) {
    Result.Errors.push_back(Error);
    return;
  }
  TargetMachine &TM = machine(L.CodeGen, CPU, Features);
  M->setTargetTriple(TM.getTargetTriple());
  M->setDataLayout(TM.createDataLayout());
  writeAsAssembly(*M);
  optimize(*M, L.Pipeline, TM);
  SmallString<0> PTX;
  raw_svector_ostream Stream(PTX);
  legacy::PassManager Passes;
  TM.addPassesToEmitFile(Passes, Stream, nullptr, CodeGenFileType::AssemblyFile,
                         /*DisableVerify=*/false);
  Passes.run(*M);
  Result.PTX = PTX.str().str();
}

Compilation Compiler::compile(StringRef Text, Level L, StringRef CPU,
                              StringRef Features) {
  Compilation Result;
  std::string Fatal;
  install_fatal_error_handler(
      [](void *To, const char *Reason, bool) {
        *static_cast<std::string *>(To) = Reason;
        abort();
      },
      &Fatal);
  CrashRecoveryContext Guard;
  bool Ended = Guard.RunSafely(
      [&]() { compileUnguarded(Text, L, CPU, Features, Result); });
  remove_fatal_error_handler();
  if (!Ended)
    Result.Crash = Fatal.empty() ? "crash" : "fatal error: " + Fatal;
  return Result;
}

std::string wgmmarandom::promoteAllocas(Module &M) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
  Passes.run(M, MAM);
  std::string Text;
  raw_string_ostream Stream(Text);
  M.print(Stream, nullptr);
  return Text;
}
