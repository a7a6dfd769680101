; Each matrix intrinsic that a target or a PTX version lacks is one error, which
; names the intrinsic, what it needs, and the target; see matrix-errors.py.
; DEFINE: %{arch} =
; DEFINE: %{ptx} =
; DEFINE: %{check} = %python %S/matrix-errors.py %{arch} %{ptx} > %t.ll && \
; DEFINE:   not llc %t.ll -o /dev/null -mtriple=nvptx64 -mcpu=%{arch} -mattr=+ptx%{ptx} 2>&1 | \
; DEFINE:   FileCheck %t.ll --implicit-check-not='error:' --implicit-check-not='LLVM ERROR'

; REDEFINE: %{arch} = sm_62
; REDEFINE: %{ptx} = 60
; RUN: %{check}

; REDEFINE: %{arch} = sm_70
; REDEFINE: %{ptx} = 60
; RUN: %{check}

; REDEFINE: %{arch} = sm_70
; REDEFINE: %{ptx} = 61
; RUN: %{check}

; REDEFINE: %{arch} = sm_72
; REDEFINE: %{ptx} = 63
; RUN: %{check}

; REDEFINE: %{arch} = sm_75
; REDEFINE: %{ptx} = 64
; RUN: %{check}

; REDEFINE: %{arch} = sm_75
; REDEFINE: %{ptx} = 65
; RUN: %{check}

; REDEFINE: %{arch} = sm_80
; REDEFINE: %{ptx} = 70
; RUN: %{check}

; REDEFINE: %{arch} = sm_80
; REDEFINE: %{ptx} = 78
; RUN: %{check}

; REDEFINE: %{arch} = sm_86
; REDEFINE: %{ptx} = 84
; RUN: %{check}

; REDEFINE: %{arch} = sm_89
; REDEFINE: %{ptx} = 85
; RUN: %{check}

; REDEFINE: %{arch} = sm_90
; REDEFINE: %{ptx} = 78
; RUN: %{check}

; REDEFINE: %{arch} = sm_90
; REDEFINE: %{ptx} = 90
; RUN: %{check}

; REDEFINE: %{arch} = sm_100
; REDEFINE: %{ptx} = 90
; RUN: %{check}

; REDEFINE: %{arch} = sm_120
; REDEFINE: %{ptx} = 90
; RUN: %{check}

; REDEFINE: %{arch} = sm_120a
; REDEFINE: %{ptx} = 87
; RUN: %{check}

; REDEFINE: %{arch} = sm_120f
; REDEFINE: %{ptx} = 90
; RUN: %{check}

; REDEFINE: %{arch} = sm_100a
; REDEFINE: %{ptx} = 90
; RUN: %{check}
