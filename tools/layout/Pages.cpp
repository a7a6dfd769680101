//===- Pages.cpp - The pages of docs/layouts ------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pages.h"

#include "Formula.h"
#include "Instructions.h"
#include "Svg.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace layout;

static const char *const Generated =
    "<!-- Written by `build/bin/layout --pages docs/layouts`; not edited. "
    "-->\n\n";

namespace {

struct PageText {
  const char *File;
  std::vector<std::string> Families;
  const char *Introduction;
};

/// Draws the figures, and none twice.
class Figures {
public:
  explicit Figures(const std::string &Folder) : Folder(Folder) {}

  /// The name of the file; empty when it cannot be written.
  std::string fileOf(const Instruction &I, const Operand &O, const Table &T);

private:
  const std::string &Folder;
  std::map<std::string, std::string> FileOfPicture;
};

} // namespace

static const PageText Pages[] = {
    {"mma.md",
     {"mma"},
     "# Layouts of mma\n\n"
     "C and D have the same layout. Types of A and B that have the same width "
     "have the same layout, so that the type of A stands for both. In m8n8k4 "
     "of "
     "f16, threads 4c to 4c + 3 and 4c + 16 to 4c + 19 do computation c of "
     "four.\n"},
    {"mma-sp.md",
     {"mma.sp"},
     "# Layouts of mma.sp\n\n"
     "They are those of `mma.sp::ordered_metadata` as well. The columns of A "
     "are its kept elements: M x K/2. A chunk is what one nibble of the "
     "metadata "
     "describes; [sparsity.md](../sparsity.md) tells how.\n\n"
     "![What a nibble keeps](compression.svg)\n"},
    {"block-scale.md",
     {"mma.block_scale", "mma.sp.block_scale"},
     "# Layouts of mma with block scaling\n\n"
     "D = (A * scale_A) * (B * scale_B) + C, dense and with "
     "`sp::ordered_metadata`. scale_A has M rows and as many columns as the "
     "number before X says, scale_B that many rows and N columns. Each column "
     "of scale_A, and each row of scale_B, is for an equal part of K: the "
     "first "
     "for the lowest k. K is that of the whole matrix, also where A is sparse. "
     "A scale is one byte, a `ue8m0` or a `ue4m3`. `thread_id` and `byte_id` "
     "are the instruction's operands of that name, those of A for scale_A and "
     "those of B for scale_B; other threads and bytes are ignored. Figures "
     "show "
     "scales with a `byte_id` of 0; it is the first of the bytes.\n\n"
     "The PTX ISA (9.7.14.3) tells which threads and bytes `thread_id` and "
     "`byte_id` choose, and has the fragments of A, B, C and D. Which row or "
     "part of K a scale is of, is from CUTLASS's `mma_traits_sm120.hpp`. In "
     "the "
     "kind `mxf8f6f4` each element takes 8 bits; which of them are used is "
     "from "
     "there, too: the low 6 of `e3m2` and `e2m3`, bits 2 to 5 of `e2m1`. In "
     "the "
     "kinds `mxf4` and `mxf4nvf4` `e2m1` takes 4 bits, and a nibble of "
     "metadata "
     "describes 8 elements in pairs; see [mma-sp.md](mma-sp.md) and "
     "[sparsity.md](../sparsity.md).\n"},
    {"wgmma.md",
     {"wgmma", "wgmma.sp"},
     "# Layouts of wgmma.mma_async\n\n"
     "A in registers (rs), the accumulator D and the metadata. The threads are "
     "those of a warpgroup, 0 to 127. The formulas hold for every N; figures "
     "show 16 of the 64 rows, those of the first warp, and 16 of the N columns "
     "of D. The columns of a sparse A are its kept elements. A and B in shared "
     "memory: [shared-memory.md](shared-memory.md).\n"},
    {"ldmatrix.md",
     {"ldmatrix", "stmatrix", "movmatrix"},
     "# Layouts of ldmatrix, stmatrix and movmatrix\n\n"
     "Rows and columns are those of a matrix in memory, for movmatrix of "
     "the matrix that `d` and `a` hold in their own ways. `d` and `r` are the "
     "registers; `p` tells which thread's address is that of a row, 16 bytes "
     "long.\n\n"
     "The shapes m16n16, m8n16 and m16n8 are of 8-bit elements. m16n16 has 16 "
     "rows in memory and m16n8, whose name tells the matrix in registers, 8. "
     "`b6x16_p32` and `b4x16_p64` have 16 elements of 6 or 4 bits in a row, in "
     "its low 12 or 8 bytes; each comes in the low bits of 8. An `e2m1` that "
     "came so has to be shifted left by two bits for the kinds `f8f6f4` and "
     "`mxf8f6f4` of mma. The PTX ISA says that a thread has four neighbours of "
     "a "
     "row, of m16n16 in two rows, shows the rest in figures, and has no thread "
     "for the addresses of rows 8 to 15 of m16n16; what stands here is from "
     "CUTLASS's `copy_sm100.hpp` and `copy_traits_sm100.hpp`.\n"},
};

static std::string lower(std::string Text) {
  for (char &C : Text)
    C = static_cast<char>(std::tolower(C));
  return Text;
}

static bool writeFile(const std::string &Path, const std::string &Text) {
  std::ofstream File(Path, std::ios::binary);
  File << Text;
  File.close();
  if (!File)
    std::cerr << "layout: cannot write " << Path << '\n';
  return bool(File);
}

std::string Figures::fileOf(const Instruction &I, const Operand &O,
                            const Table &T) {
  std::ostringstream Picture;
  drawTable(T, Picture);
  std::string &File = FileOfPicture[Picture.str()];
  if (!File.empty())
    return File;
  File = I.Name + "-" + lower(O.Name);
  std::replace(File.begin(), File.end(), '.', '-');
  File += ".svg";
  return writeFile(Folder + "/" + File, Picture.str()) ? File : "";
}

static std::string code(const std::vector<Formula> &Formulas) {
  std::string Text;
  for (const Formula &F : Formulas)
    Text += std::string(Text.empty() ? "" : "<br>") + "`" + F.Name + " = " +
            F.Value + "`";
  return Text;
}

/// Whether both have operands of the same names and layouts.
static bool sameOperands(const Instruction &X, const Instruction &Y) {
  if (X.NotRun != Y.NotRun || X.Operands.size() != Y.Operands.size())
    return false;
  for (size_t I = 0; I != X.Operands.size(); ++I)
    if (X.Operands[I].Name != Y.Operands[I].Name ||
        !sameLayout(X.Operands[I].MakeTable(), Y.Operands[I].MakeTable()))
      return false;
  return true;
}

static bool writeSection(const std::vector<const Instruction *> &Group,
                         Figures &All, std::ostream &OS) {
  OS << '\n';
  for (const Instruction *I : Group)
    OS << "<a id=\"" << I->Name << "\"></a>\n";
  OS << "\n## ";
  for (const Instruction *I : Group)
    OS << (I == Group.front() ? "" : ", ") << I->Name;
  OS << "\n\n";
  const Instruction &First = *Group.front();
  if (!First.NotRun.empty())
    OS << First.NotRun << "\n\n";
  OS << "| operand | registers | element of a place | place of an element |\n"
     << "|---|---|---|---|\n";
  std::string Pictures;
  for (const Operand &O : First.Operands) {
    Table T = O.MakeTable();
    OS << "| " << O.Name << " | " << T.Registers << " | "
       << code(elementByPlace(T)) << " | " << code(placeByElement(T)) << " |\n";
    std::string File = All.fileOf(First, O, T);
    if (File.empty())
      return false;
    Pictures += "\n" + O.Name + ":\n\n![" + O.Name + " of " + First.Name +
                "](" + File + ")\n";
  }
  OS << "\n<details><summary>Figures</summary>\n"
     << Pictures << "\n</details>\n";
  return true;
}

static bool writeRegisterPage(const std::string &Folder, const PageText &Page,
                              Figures &All) {
  std::ostringstream OS;
  OS << Generated << Page.Introduction
     << "\nt is the thread, r the register, e the element in the register "
        "counted from its low bits, n the nibble; see "
        "[README.md](README.md).\n";
  std::vector<std::vector<const Instruction *>> Groups;
  for (const Instruction &I : instructions()) {
    if (std::find(Page.Families.begin(), Page.Families.end(), I.Family) ==
        Page.Families.end())
      continue;
    auto Group = std::find_if(Groups.begin(), Groups.end(), [&](const auto &G) {
      return sameOperands(*G.front(), I);
    });
    if (Group == Groups.end())
      Groups.push_back({&I});
    else
      Group->push_back(&I);
  }
  for (const auto &Group : Groups)
    if (!writeSection(Group, All, OS))
      return false;
  return writeFile(Folder + "/" + Page.File, OS.str());
}

static bool writeSharedPage(const std::string &Folder) {
  using devicetest::Swizzle;
  std::ostringstream OS;
  OS << Generated
     << "# Layouts of wgmma's operands in shared memory\n\n"
        "mn is the coordinate along M (of A) or N (of B), k that along K; of a "
        "sparse A, k counts the kept elements. The atoms follow one another "
        "along K first. [matrix-descriptors.md](../matrix-descriptors.md) "
        "explains all this.\n";
  for (bool MNMajor : {false, true})
    for (Swizzle Mode :
         {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
      SharedMatrix S;
      S.MNMajor = MNMajor;
      S.Mode = Mode;
      S.MN = MNMajor ? 64 : 16;
      S.K = MNMajor ? 16 : 64;
      std::string Major = MNMajor ? "mn" : "k";
      std::string File =
          "shared-" + Major + "-major-swizzle-" + name(Mode) + ".svg";
      DescriptorOffsets Offsets = descriptorOffsets(S.layout().descriptor(0));
      OS << "\n## " << (MNMajor ? "MN" : "K") << "-major, swizzle "
         << name(Mode) << "\n\n"
         << "`layout shared.f16 --mn " << S.MN << " --k " << S.K << " --major "
         << Major << " --swizzle " << name(Mode) << "`: leading byte offset "
         << Offsets.Leading << ", stride byte offset " << Offsets.Stride
         << ".\n\n![" << File << "](" << File << ")\n";
      std::ostringstream Picture;
      drawShared(S, Picture);
      if (!writeFile(Folder + "/" + File, Picture.str()))
        return false;
    }
  return writeFile(Folder + "/shared-memory.md", OS.str());
}

static bool writeIndex(const std::string &Folder) {
  std::ostringstream OS;
  OS << Generated
     << "# Which thread holds which element\n\n"
        "| page | operands |\n|---|---|\n"
        "| [mma.md](mma.md) | A, B, C and D of `mma` |\n"
        "| [mma-sp.md](mma-sp.md) | those of `mma.sp`, and its metadata |\n"
        "| [block-scale.md](block-scale.md) | those of `mma` with block "
        "scaling, dense and sparse, and its scales |\n"
        "| [wgmma.md](wgmma.md) | registers and metadata of "
        "`wgmma.mma_async` |\n"
        "| [shared-memory.md](shared-memory.md) | its operands in shared "
        "memory "
        "|\n"
        "| [ldmatrix.md](ldmatrix.md) | `ldmatrix`, `stmatrix`, `movmatrix` "
        "|\n\n"
        "Fragments of `wmma` are not here: PTX leaves their layout open.\n\n"
        "All of it, formulas included, is computed from the model in "
        "`model`, with which the device tests agree bit for bit on "
        "an H200; a section says so where its instruction was not run.\n\n"
        "The same as a command, for one place or one element:\n\n"
        "```\n"
        "build/bin/layout --list                          # all names\n"
        "build/bin/layout mma.m16n8k16.f16                # operands, as "
        "formulas\n"
        "build/bin/layout mma.m16n8k16.f16 A              # every element\n"
        "build/bin/layout mma.m16n8k16.f16 A --thread 5   # what thread 5 "
        "holds\n"
        "build/bin/layout mma.m16n8k16.f16 A --element 3,4\n"
        "build/bin/layout mma.sp.m16n8k32.f16 metadata --selector 1\n"
        "build/bin/layout mma.block_scale.m16n8k64.mxf4nvf4.4X.e2m1 scale_A "
        "--thread-id 1\n"
        "build/bin/layout wgmma.m64n96k16.f16 D.f32 --svg > d.svg\n"
        "build/bin/layout shared.f16 --mn 64 --k 64 --swizzle 128 --element "
        "9,8\n"
        "```\n\n"
        "## Notation\n\n"
        "`t` is the thread: of the warp, for wgmma of the warpgroup. `r` is "
        "the "
        "register among those of the operand. `e` is the element in the "
        "register: its bits are w\\*e to w\\*e + w - 1 for elements of w bits. "
        "`n` is the nibble in the metadata: bits 4n to 4n + 3. Division "
        "truncates, `%` is its remainder; both bind as in C.\n\n"
        "In a figure, a cell is what one register holds of a row or column, "
        "with the lowest bits left or on top. Colours tell t % 4; every other "
        "four threads are darker.\n";
  return writeFile(Folder + "/README.md", OS.str());
}

static bool writeCompression(const std::string &Folder) {
  std::ostringstream Picture;
  drawCompression(Picture);
  return writeFile(Folder + "/compression.svg", Picture.str());
}

bool layout::writePages(const std::string &Folder) {
  Figures All(Folder);
  for (const PageText &Page : Pages)
    if (!writeRegisterPage(Folder, Page, All))
      return false;
  return writeCompression(Folder) && writeSharedPage(Folder) &&
         writeIndex(Folder);
}
