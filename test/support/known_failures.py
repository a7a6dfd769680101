# ===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""A lit format for tests of which some are known to fail.

It stands in a module because lit sends formats to its workers by pickle, which
knows no classes from configuration files.
"""

import lit.formats


class KnownFailures(lit.formats.ShTest):
    def __init__(self, names):
        super().__init__(execute_external=False)
        self.names = frozenset(names)

    def getTestsForPath(self, test_suite, path_in_suite, lit_config, local_config):
        for test in super().getTestsForPath(
            test_suite, path_in_suite, lit_config, local_config
        ):
            if path_in_suite[-1] in self.names:
                test.xfails = ["*"]
            yield test
