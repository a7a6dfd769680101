# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Device tests: made here, carried to a machine with a GPU, run and reported there.

  build            what making a folder to carry has in common
  run              running its programs, with Python alone
  report           what the pages of results have in common
  options          what the command lines have in common
  warpgroup_build  the programs of wgmma,
  warpgroup_run    what is run of them
  warpgroup_page   and the page of it

utils/gpu_tests.py, gpu_warp_tests.py and gpu_kernel_tests.py are the commands. The
folder holds a copy of the command and of this package.
"""
