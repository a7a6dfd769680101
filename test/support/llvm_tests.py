# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""A lit format for LLVM's tests: some are known to fail, and patches change some.

It stands in a module because lit sends formats to its workers by pickle, which
knows no classes from configuration files.
"""

import copy
import os

import lit.formats


class LLVMTests(lit.formats.ShTest):
    """known_failures: file names. patched: the folder with the tests that patches change."""

    def __init__(self, known_failures, patched):
        super().__init__(execute_external=False)
        self.known_failures = frozenset(known_failures)
        self.patched = patched

    def getTestsForPath(self, test_suite, path_in_suite, lit_config, local_config):
        for test in super().getTestsForPath(
            test_suite, path_in_suite, lit_config, local_config
        ):
            if path_in_suite[-1] in self.known_failures:
                test.xfails = ["*"]
            yield test

    def execute(self, test, lit_config):
        if os.path.isfile(os.path.join(self.patched, *test.path_in_suite)):
            test = copy.copy(test)
            test.suite = copy.copy(test.suite)
            test.suite.source_root = self.patched
        return super().execute(test, lit_config)
