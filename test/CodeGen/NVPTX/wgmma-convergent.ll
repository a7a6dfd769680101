; All threads of a warpgroup together: what wgmma-sp-convergent.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-convergent.ll > %t.ll
; RUN: opt -O3 -unroll-runtime=false -S %t.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | FileCheck %t.ll --check-prefix=IR
; RUN: opt -S %t.ll -mtriple=nvptx64 -passes='function(sink,early-cse<memssa>,gvn,instcombine,simplifycfg<hoist-common-insts;sink-common-insts;speculate-blocks>,jump-threading,loop-mssa(licm,simple-loop-unswitch<nontrivial>),dce)' \
; RUN: | FileCheck %t.ll --check-prefix=IR
; RUN: opt -O3 -unroll-runtime=false %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll --check-prefix=PTX
