# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The device, through CUDA's driver alone."""

import ctypes

CAPABILITY_MAJOR, CAPABILITY_MINOR, MULTIPROCESSORS = 75, 76, 16
MOST_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
# Of a block's accumulators: 256 threads with 128 words, or 512 with 64.
SUM_BYTES = 256 * 128 * 4


class Device:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.device = device
        self.multiprocessors = self.attribute(MULTIPROCESSORS)
        self.cycles = self.allocate(8 * self.multiprocessors)
        self.sums = self.allocate(SUM_BYTES * self.multiprocessors)
        self.events = [ctypes.c_void_p() for _ in range(2)]
        for event in self.events:
            self.call("cuEventCreate", ctypes.byref(event), 0)

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            words = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(words))
            raise RuntimeError(f"{name}: {(words.value or b'?').decode()}")

    def attribute(self, which):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), which, self.device)
        return value.value

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def machine(self):
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, len(name), self.device)
        capability = [self.attribute(a) for a in (CAPABILITY_MAJOR, CAPABILITY_MINOR)]
        return {
            "gpu": name.value.decode(),
            "capability": "{}.{}".format(*capability),
            "multiprocessors": self.multiprocessors,
        }

    def load(self, path):
        """The kernels of a file."""
        with open(path, "rb") as file:
            image = file.read()
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def unload(self, module):
        self.call("cuModuleUnload", module)

    def kernel(self, module, name, shared_bytes):
        """Makes a function of (warpgroups, groups, base, mask, metadata) that launches
        a block on each multiprocessor."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self.call("cuFuncSetAttribute", function, MOST_SHARED_BYTES, shared_bytes)

        def launch(warpgroups, groups, base, mask, metadata):
            words = [ctypes.c_uint32(w) for w in (groups, base, mask, metadata)]
            values = [self.cycles, self.sums, *words]
            pointers = (ctypes.c_void_p * len(values))(
                *(ctypes.addressof(value) for value in values)
            )
            grid = (self.multiprocessors, 1, 1)
            block = (128 * warpgroups, 1, 1)
            self.call(
                "cuLaunchKernel",
                function,
                *grid,
                *block,
                shared_bytes,
                None,
                pointers,
                None,
            )

        return launch

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def read_cycles(self):
        """Of each block of the last launch."""
        result = (ctypes.c_int64 * self.multiprocessors)()
        self.call(
            "cuMemcpyDtoH_v2", result, self.cycles, ctypes.c_size_t(len(result) * 8)
        )
        return list(result)

    def seconds(self, launch, count):
        """Between events before and after that many launches."""
        self.call("cuEventRecord", self.events[0], None)
        for _ in range(count):
            launch()
        self.call("cuEventRecord", self.events[1], None)
        self.call("cuEventSynchronize", self.events[1])
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), *self.events)
        return milliseconds.value / 1000
