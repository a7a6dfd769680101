# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readings as NVML gives them: energy is counted up ten times a second, here by 70 J, by
140 J from 0.6 s on."""

from sampler import Sampler

sampler = Sampler()
sampler.stop()
sampler.readings = []
for i in range(240):
    tenths = i // 20
    joules = 1000 + 70 * tenths + 70 * max(0, tenths - 6)
    sampler.readings.append((0.005 * i + 0.03, 1755, 600, 4, joules))
print("steady:", round(sampler.mean_watts(0, 0.65), 3))
print("twice as much:", round(sampler.mean_watts(0.65, 1.3), 3))
print("too short:", sampler.mean_watts(0.1, 0.25))
