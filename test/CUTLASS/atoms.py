# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes a CUDA program with a kernel for each wgmma atom of a CUTLASS header.

usage: atoms.py CUTLASS-HEADER... > PROGRAM

Which atoms there are, and their template arguments, is read from the header's
text; how many registers they have is left to the compiler. A kernel calls its
atom three times with other template arguments, such that no two of them have the
same values in all three.
"""

import re
import sys
from dataclasses import dataclass

# What each template argument of an atom may be.
VALUES = {
    "GMMA::Major": ("GMMA::Major::K", "GMMA::Major::MN"),
    "GMMA::ScaleIn": ("GMMA::ScaleIn::One", "GMMA::ScaleIn::Neg"),
    "GMMA::SparseSel": ("GMMA::SparseSel::Zero", "GMMA::SparseSel::One"),
}
# The values' indices in the three calls, for each template argument.
CODES = ((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1))

# With 8-bit types all threads contribute metadata: PTX has no selector but 0.
# An A in registers cannot be transposed.
BYTES = re.compile("E4M3|E5M2|S8|U8")

PROLOGUE = """\
#include <cute/arch/mma_sm90_gmma_sparse.hpp>
#include <cute/numeric/integer_sequence.hpp>

using namespace cute;
using namespace cute::SM90;

// Passes each register of the arrays to fma() of the atoms, one after the other.
template <class... Atoms> struct Test {
  using First = std::tuple_element_t<0, std::tuple<Atoms...>>;
  using A = std::remove_extent_t<typename First::ARegisters>;
  using C = std::remove_extent_t<typename First::CRegisters>;
  template <class T> using Indices = make_index_sequence<std::extent_v<T>>;

  template <size_t... I, size_t... J, class... E>
  __device__ __forceinline__ static void
  run(index_sequence<I...>, index_sequence<J...>, const A *from, uint64_t b,
      C *c, GMMA::ScaleOut scale, E... e) {
    A a[] = {from[I]...};
    C d[] = {c[J]...};
    (warpgroup_fence_operand(d[J]), ...);
    warpgroup_arrive();
    (Atoms::fma(a[I]..., b, d[J]..., e..., scale), ...);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    (warpgroup_fence_operand(d[J]), ...);
    ((c[J] = d[J]), ...);
  }
};

#define TEST(NAME, ...)                                                        \\
  extern "C" __global__ void test_##NAME(                                      \\
      const Test<__VA_ARGS__>::A *a, uint64_t b, Test<__VA_ARGS__>::C *c,      \\
      GMMA::ScaleOut scale PARAMETERS) {                                       \\
    using T = Test<__VA_ARGS__>;                                               \\
    T::run(T::Indices<T::First::ARegisters>{},                                 \\
           T::Indices<T::First::CRegisters>{}, a, b, c, scale ARGUMENTS);      \\
  }
"""

DENSE = "#define PARAMETERS\n#define ARGUMENTS\nusing namespace cute::SM90::GMMA;\n"
SPARSE = (
    "#define PARAMETERS , uint32_t e\n#define ARGUMENTS , e\n"
    "using namespace cute::SM90::GMMA::SPARSE;\n"
)


@dataclass(frozen=True)
class Atom:
    name: str
    parameters: tuple  # ((type, name), ...)

    def arguments(self, call):
        for code, (kind, name) in zip(CODES, self.parameters):
            fixed = (name == "tnspA" and "_RS" in self.name) or (
                name == "spsel" and BYTES.search(self.name)
            )
            yield VALUES[kind][0 if fixed else code[call]]

    def instance(self, call):
        if not self.parameters:
            return self.name
        return f"{self.name}<{', '.join(self.arguments(call))}>"

    def test(self):
        return f"TEST({self.name}, {', '.join(map(self.instance, range(3)))})"


def read_atoms(text):
    """The atoms that a header declares."""
    declaration = r"(?:template <([^>]*)>\s*)?struct (G?MMA_64x\w+)"
    for parameters, name in re.findall(declaration, text):
        words = (p.split("=")[0].split() for p in parameters.split(",") if p.strip())
        yield Atom(name, tuple(map(tuple, words)))


def main():
    atoms = [a for path in sys.argv[1:] for a in read_atoms(open(path).read())]
    sparse = {a.name.startswith("G") for a in atoms}
    assert len(sparse) == 1, "headers of dense and sparse atoms, or none"
    print(PROLOGUE + (SPARSE if sparse.pop() else DENSE))
    print("\n".join(a.test() for a in atoms))


if __name__ == "__main__":
    main()
