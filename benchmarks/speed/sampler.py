# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Clocks and power of the device, read by NVML all the time."""

import threading
import time

# What slows the clock down, of nvmlClocksEventReasons.
REASONS = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "heat",
    0x40: "hardware, heat",
    0x80: "power brake",
}
PERIOD_SECONDS = 0.005
INSTANT_POWER = 186  # NVML_FI_DEV_POWER_INSTANT


class Sampler:
    """Reads in a thread of its own. Without NVML there is nothing to read."""

    def __init__(self):
        self.readings = []
        self.stopped = threading.Event()
        self.thread = None
        try:
            import pynvml

            pynvml.nvmlInit()
            self.nvml = pynvml
            self.device = pynvml.nvmlDeviceGetHandleByIndex(0)
            self.read()
        except Exception as error:
            self.why_not = str(error)
            return
        self.why_not = None
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def read(self):
        nvml, device = self.nvml, self.device
        mhz = nvml.nvmlDeviceGetClockInfo(device, nvml.NVML_CLOCK_SM)
        reasons = nvml.nvmlDeviceGetCurrentClocksThrottleReasons(device)
        return time.monotonic(), mhz, self.watts(), reasons, self.joules()

    def joules(self):
        try:
            return self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.device) / 1000
        except Exception:  # not every device counts it
            return None

    def watts(self):
        try:
            field = self.nvml.nvmlDeviceGetFieldValues(self.device, [INSTANT_POWER])[0]
            if field.nvmlReturn == 0 and field.value.uiVal:
                return field.value.uiVal / 1000
        except Exception:  # older drivers know the average alone
            pass
        return self.nvml.nvmlDeviceGetPowerUsage(self.device) / 1000

    def watch(self):
        while not self.stopped.wait(PERIOD_SECONDS):
            self.readings.append(self.read())

    def inside(self, start, end):
        """The readings of that time, the last one first."""
        for reading in reversed(self.readings):
            if reading[0] < start:
                return
            if reading[0] <= end:
                yield reading

    def samples(self, start, end):
        inside = list(self.inside(start, end))
        return {
            "mhz": [mhz for _, mhz, _, _, _ in inside],
            "watts": [watts for _, _, watts, _, _ in inside],
            "reasons": [
                name
                for bit, name in REASONS.items()
                if any(r & bit for _, _, _, r, _ in inside)
            ],
        }

    def mean_watts(self, start, end):
        """By the energy between the first and the last time that it was counted up;
        None where it is not counted, or seldom."""
        ticks = []
        for time_read, _, _, _, joules in self.inside(start, end):
            if joules is None:
                return None
            if not ticks or ticks[-1][1] != joules:
                ticks.append((time_read, joules))
            else:  # the first reading that has it is the nearest
                ticks[-1] = (time_read, joules)
        # What was counted before the start may be old.
        ticks = ticks[:-1]
        if len(ticks) < 3:
            return None
        (last, most), (first, least) = ticks[0], ticks[-1]
        return (most - least) / (last - first)

    def machine(self):
        """What there is to tell of the device."""
        if self.thread is None:
            return {"clocks": f"not read: {self.why_not}"}
        nvml, device = self.nvml, self.device

        def text(value):
            return value.decode() if isinstance(value, bytes) else value

        return {
            "gpu": text(nvml.nvmlDeviceGetName(device)),
            "driver": text(nvml.nvmlSystemGetDriverVersion()),
            "power_limit_watts": nvml.nvmlDeviceGetEnforcedPowerLimit(device) / 1000,
            "most_mhz": nvml.nvmlDeviceGetMaxClockInfo(device, nvml.NVML_CLOCK_SM),
        }

    def stop(self):
        self.stopped.set()
        if self.thread:
            self.thread.join()
