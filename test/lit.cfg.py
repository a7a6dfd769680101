# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# The tests of nvptx-mma. Run them with
#   lit BUILD/test              everything, LLVM's own NVPTX tests included
#   lit BUILD/test/CodeGen      a part
# Features and substitutions are listed below, where they are defined.

import json
import os
import re
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "nvptx-mma"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".mir", ".cu", ".cpp", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.nvptx_mma_build_dir, "test")
config.excludes = ["Inputs", "support"]
# LLVM's own tests are a suite of their own, there once CMake has configured it.
if not os.path.exists(f"{config.test_exec_root}/Upstream/lit.site.cfg.py"):
    config.excludes.append("Upstream")

support_dir = os.path.join(config.test_source_root, "support")
bin_dir = os.path.join(config.nvptx_mma_build_dir, "bin")

# The generators import each other; leave no __pycache__ in the source tree.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
path = [bin_dir, config.llvm_tools_dir, f"{config.distribution_llvm}/bin"]
llvm_config.with_environment("PATH", path, append_path=True)
llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "CUDA_PATH"])

# The tools under test, and LLVM's tools to test them with. Those with a percent sign,
# %src_include_dir and %host_cc are as in LLVM's tests of Clang.
major = config.llvm_version.split(".")[0]
resource_headers = (
    f"{os.path.dirname(os.path.realpath(bin_dir))}/lib/clang/{major}/include"
)
cc1 = ["-cc1", "-internal-isystem", resource_headers, "-nostdsysteminc"]
llvm_config.add_tool_substitutions(
    [
        ToolSubst("%clang_cc1", f"{bin_dir}/clang", extra_args=cc1),
        ToolSubst("%clangxx", f"{bin_dir}/clang++"),
        ToolSubst("%clang", f"{bin_dir}/clang"),
        ToolSubst("llc", unresolved="fatal"),
        ToolSubst("opt", unresolved="fatal"),
        ToolSubst("clang", unresolved="fatal"),  # And clang++, which begins so.
    ],
    bin_dir,
)
llvm_config.add_tool_substitutions(
    [
        ToolSubst("FileCheck", unresolved="fatal"),
        ToolSubst("not", unresolved="fatal"),
        ToolSubst("split-file", unresolved="fatal"),
        "llvm-as",
        "llvm-dis",
    ],
    config.llvm_tools_dir,
)
config.substitutions.append(("%python", f'"{sys.executable}"'))
config.substitutions.append(("%support", support_dir))
clang_include = f"{config.nvptx_mma_source_dir}/clang-builtins/include"
config.substitutions.append(("%src_include_dir", clang_include))
config.substitutions.append(("%host_cc", f"{bin_dir}/clang"))


def find_ptxas():
    """The ptxas to use: the one that was named, else CUDA's, else PATH's."""
    named = os.environ.get("LLVM_PTXAS_EXECUTABLE")
    if named and not os.access(named, os.X_OK):
        lit_config.fatal(f"LLVM_PTXAS_EXECUTABLE={named} cannot be run")
    cuda = os.path.join(config.cuda_path, "bin", "ptxas") if config.cuda_path else ""
    return named or shutil.which(cuda) or shutil.which("ptxas")


def ask_ptxas(assembler, option, answer):
    """What matches a regular expression in what ptxas says of itself."""
    said = subprocess.run([assembler, option], stdout=subprocess.PIPE, text=True)
    return re.findall(answer, said.stdout, re.MULTILINE)


def gpu_is_usable():
    """Whether a GPU that executes wgmma (compute capability 9.0) answers."""
    if not shutil.which("nvidia-smi"):
        return False
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        lit_config.warning("nvidia-smi does not answer: device tests are skipped")
        return False
    return answer.returncode == 0 and "9.0" in answer.stdout.split()


def find_other_assemblers():
    """Version and folder of what utils/fetch_assemblers.py has put into the cache."""
    script = os.path.join(config.nvptx_mma_source_dir, "utils", "fetch_assemblers.py")
    listing = subprocess.run(
        [sys.executable, script, "--list"], stdout=subprocess.PIPE, text=True
    )
    return [line.split(" ", 1) for line in listing.stdout.splitlines()]


# As LLVM calls it: both backends are always there.
config.available_features.add("nvptx-registered-target")

# Feature ptxas: PTX can be assembled.
#   %ptxas-verify -arch=sm_90a [FILE]  assembles FILE or its standard input with
#     ptxas and with each other one that knows the PTX version and the target; fails,
#     too, where one says that it had to serialize wgmma or insert waits, or where its
#     machine code of sm_90a touches registers of wgmma in flight, if it can be read.
#   %ptxas-verify-alone               does so with ptxas alone.
#   %ptxas                             is ptxas alone.
# Features ptxas-11.8, ptxas-12.4: so can it by these; substitutions of that name.
# Features ptxas-sm_90a, ptxas-isa-8.0, as in LLVM's tests: some of them knows this
# target, and the first this version of PTX.
# Feature nvdisasm: machine code of sm_90a can be read, by %nvdisasm.
#   %sass-verify FILE.ptx  compares the loops with wgmma in PTX and in SASS.
#   %sass-count OURS.ptx NVCC.ptx  compares their length in SASS.
#   %sass-in-flight FILE  finds what touches registers of wgmma in flight.
ptxas = find_ptxas()
others = find_other_assemblers()
for version, folder in others:
    config.available_features.add(f"ptxas-{version}")
    config.substitutions.append((rf"%ptxas-{re.escape(version)}", f"{folder}/ptxas"))
if not others:
    lit_config.note(
        "no other versions of ptxas: what they say is not tested; "
        "utils/fetch_assemblers.py gets them"
    )
folders = [f"{config.cuda_path}/bin"] if config.cuda_path else []
folders += [folder for _, folder in reversed(others)]
nvdisasm = shutil.which("nvdisasm", path=os.pathsep.join(folders))
if ptxas:
    config.available_features.add("ptxas")
    for version in ask_ptxas(ptxas, "--list-version", r"^\d+\.\d+"):
        config.available_features.add(f"ptxas-isa-{version}")
    for assembler in (ptxas, *(f"{folder}/ptxas" for _, folder in others)):
        for target in ask_ptxas(assembler, "--help", r"'(sm_\w+)'"):
            config.available_features.add(f"ptxas-{target}")
    all_ptxas = os.pathsep.join([ptxas, *(f"{folder}/ptxas" for _, folder in others)])
    verify = f'"{sys.executable}" {support_dir}/ptxas_verify.py'
    if nvdisasm:
        verify += f" --nvdisasm={nvdisasm}"
    config.substitutions.append(("%ptxas-verify-alone", f"{verify} {ptxas}"))
    config.substitutions.append(("%ptxas-verify", f"{verify} {all_ptxas}"))
    config.substitutions.append(("%ptxas", ptxas))
else:
    lit_config.note("ptxas not found: assembling is skipped")

if nvdisasm and ptxas:
    config.available_features.add("nvdisasm")
    for name in ("verify", "count"):
        script = f'"{sys.executable}" {support_dir}/sass_{name}.py'
        config.substitutions.append((f"%sass-{name}", f"{script} {ptxas} {nvdisasm}"))
    script = f'"{sys.executable}" {support_dir}/sass_in_flight.py'
    config.substitutions.append(("%sass-in-flight", f"{script} {nvdisasm}"))
    config.substitutions.append(("%nvdisasm", nvdisasm))
else:
    lit_config.note("nvdisasm not found: machine code is not looked at")

# Feature nvcc: there is CUDA's own compiler to compare with.
nvcc = os.path.join(config.cuda_path, "bin", "nvcc") if config.cuda_path else ""
if shutil.which(nvcc):
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))

# Feature cuda-toolkit: CUDA programs can be compiled and linked.
#   %clang_cuda  compiles host and device code for sm_90a.
#   %cuda_libs   links the result with the CUDA runtime.
#   %cuda_path   is where the toolkit stands.
if config.cuda_path and os.path.exists(f"{config.cuda_path}/include/cuda_runtime.h"):
    config.available_features.add("cuda-toolkit")
    clang_cuda = (
        f"{bin_dir}/clang++ --cuda-path={config.cuda_path} --cuda-gpu-arch=sm_90a"
    )
    cuda_libs = f"-L{config.cuda_path}/lib64 -lcudart_static -ldl -lrt -lpthread"
    config.substitutions.append(("%clang_cuda", clang_cuda))
    config.substitutions.append(("%cuda_libs", cuda_libs))
    config.substitutions.append(("%cuda_path", config.cuda_path))
else:
    lit_config.note("no CUDA toolkit: tests that need its headers are skipped")

# Feature cutlass: there is a tree of CUTLASS to compare with, named by the
# environment variable NVPTX_MMA_CUTLASS or by the CMake variable of that name.
#   %cutlass       is its folder.
#   %clang_cutlass compiles CUTLASS's code for sm_90a, with its own atoms or, if
#                  %cutlass_overlay follows, with those on our builtins.
cutlass = os.environ.get("NVPTX_MMA_CUTLASS") or config.cutlass_path
contrib_dir = f"{config.nvptx_mma_source_dir}/contrib/cutlass"
if not cutlass:
    lit_config.note("no CUTLASS (NVPTX_MMA_CUTLASS): its atoms are not compared")
elif not os.path.exists(f"{cutlass}/include/cute/arch/mma_sm90_gmma.hpp"):
    lit_config.fatal(f"NVPTX_MMA_CUTLASS={cutlass} is no tree of CUTLASS")
elif "cuda-toolkit" in config.available_features:
    config.available_features.add("cutlass")
    config.substitutions += [
        ("%cutlass_overlay", f"-I{contrib_dir}/include"),
        (
            "%clang_cutlass",
            f"{clang_cuda} --config={contrib_dir}/clang.cfg -std=c++17 -O1 -DNDEBUG "
            f"-isystem {cutlass}/include",
        ),
        ("%cutlass", cutlass),
    ]

# Feature llvm-14: there is the assembler of an LLVM with typed pointers.
llvm_as_14 = shutil.which("llvm-as-14")
if llvm_as_14:
    config.available_features.add("llvm-14")
    config.substitutions.append(("%llvm-as-14", llvm_as_14))
else:
    lit_config.note("llvm-as-14 not found: old bitcode is not tested")

#   %model  compiles a program of the host that uses the model of the instructions, and
#     links it; after the program's sources.
#   %model-headers  compiles what is not linked there.
model_headers = f"-I{config.nvptx_mma_source_dir}/model"
model = f"{config.nvptx_mma_build_dir}/lib/libnvptx-mma-model.a"
config.substitutions.append(("%model-headers", model_headers))
config.substitutions.append(("%model", f"{model_headers} {model}"))

#   %clang_packaged  is the distribution's clang, for programs with its LLVM.
llvm_dir = config.distribution_llvm
packaged = f"{llvm_dir}/bin/clang -Wall -Wextra -Werror -I{llvm_dir}/include"
packaged += f" -L{llvm_dir}/lib -Wl,--no-as-needed -lLLVM -Wl,-rpath,{llvm_dir}/lib"
config.substitutions.append(("%clang_packaged", packaged))

# Feature mlir-translate: MLIR's NVVM dialect can be translated to LLVM IR.
if shutil.which("mlir-translate", path=f"{llvm_dir}/bin"):
    config.available_features.add("mlir-translate")
    llvm_config.add_tool_substitutions(["mlir-translate"], f"{llvm_dir}/bin")
else:
    lit_config.note("mlir-translate not found: tests of MLIR are skipped")

# Feature wgmma-gpu: a GPU is there that executes wgmma.
if gpu_is_usable():
    config.available_features.add("wgmma-gpu")

# Feature gtest: the tests of host code can be linked.
if os.path.exists("/usr/include/gtest/gtest.h"):
    config.available_features.add("gtest")
else:
    lit_config.note("GoogleTest not found: tests of host code are skipped")

# Feature llvm-23: what LLVM 23 has otherwise than 22; the grammar's intrinsics are of
# the version that the environment says.
config.available_features.add(f"llvm-{major}")
config.environment["NVPTX_MMA_LLVM_MAJOR"] = major

# Features clang-format, black, shellcheck: the sources' format can be checked.
formatters = {"clang-format": "clang-format-22"}
for feature in ("clang-format", "black", "shellcheck"):
    if shutil.which(formatters.get(feature, feature)):
        config.available_features.add(feature)
    else:
        lit_config.note(f"{feature} not found: its part of the format is not checked")

# Feature llvm-23.1-sources: the files that llvm-patches/23.1 changes are there, as
# utils/build/fetch_llvm.py --series unpacks them; %llvm_23_1_source is their folder.
llvm_23_1 = os.path.join(config.nvptx_mma_build_dir, "llvm-23.1.1")
if os.path.exists(os.path.join(llvm_23_1, "cmake", "Modules", "LLVMVersion.cmake")):
    config.available_features.add("llvm-23.1-sources")
    config.substitutions.append(("%llvm_23_1_source", llvm_23_1))
else:
    lit_config.note("no sources of LLVM 23.1.1: its series of patches is not tested")

# Feature packaged-build: the tools are linked with the distribution's archives.
if config.built_from_packages:
    config.available_features.add("packaged-build")

# Feature sanitizers: what is ours is compiled with some; valgrind cannot run it.
if config.sanitizers:
    config.available_features.add("sanitizers")

#   %build_dir    is the build directory, which ninja can build in.
#   %bin_dir      is where clang says that it stands.
config.substitutions.append(("%bin_dir", os.path.realpath(bin_dir)))
#   %llvm_series  is the LLVM that the tools are, as in 22.1.
#   %series       is the folder of its patches.
series = config.llvm_version.rpartition(".")[0]
folder = f"{config.nvptx_mma_source_dir}/llvm-patches/{series}"
config.substitutions.append(("%llvm_series", series))
config.substitutions.append(("%series", folder))
#   %mir FILE     writes FILE as these tools read machine IR.
with open(f"{folder}/patches.json", encoding="utf-8") as metadata:
    edit = json.load(metadata).get("mir", "").replace("%", "%%")
config.substitutions.append(("%mir", f"sed '{edit}'"))
#   %llvm_source  is LLVM's unpatched source tree.
config.substitutions.append(("%build_dir", config.nvptx_mma_build_dir))
config.substitutions.append(("%llvm_source", config.llvm_source_dir))
