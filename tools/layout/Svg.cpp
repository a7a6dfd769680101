//===- Svg.cpp - Pictures of layouts --------------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"

#include "WarpFragment.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace layout;

static constexpr unsigned Margin = 10, HeaderWidth = 64, HeaderHeight = 18,
                          CaptionHeight = 20, CellWidth = 54, CellHeight = 18,
                          Colors = 8;

namespace {

/// Collects what is drawn, as only the end tells the size.
class Picture {
public:
  void cell(unsigned X, unsigned Y, unsigned Width, unsigned Height,
            unsigned Color, const std::string &Label);
  /// Text whose middle or, for a caption, whose left end is at \p X.
  void text(unsigned X, unsigned Y, const std::string &Label,
            bool IsCaption = false);
  void write(std::ostream &OS) const;

private:
  void cover(unsigned X, unsigned Y) {
    Right = std::max(Right, X);
    Bottom = std::max(Bottom, Y);
  }

  std::string Rectangles, Texts;
  unsigned Right = 0, Bottom = 0;
};

} // namespace

void Picture::cell(unsigned X, unsigned Y, unsigned Width, unsigned Height,
                   unsigned Color, const std::string &Label) {
  auto Number = [](unsigned Value) { return std::to_string(Value); };
  Rectangles += "<path class=\"c" + Number(Color % Colors) + "\" d=\"M" +
                Number(X) + " " + Number(Y) + "h" + Number(Width) + "v" +
                Number(Height) + "h-" + Number(Width) + "z\"/>\n";
  text(X + Width / 2, Y + Height / 2 + 4, Label);
  cover(X + Width, Y + Height);
}

void Picture::text(unsigned X, unsigned Y, const std::string &Label,
                   bool IsCaption) {
  Texts += "<text x=\"" + std::to_string(X) + "\" y=\"" + std::to_string(Y) +
           "\"" + (IsCaption ? " class=\"l\"" : "") + ">" + Label + "</text>\n";
  cover(X + (IsCaption ? 7 * static_cast<unsigned>(Label.size()) : 0), Y);
}

void Picture::write(std::ostream &OS) const {
  unsigned Width = Right + Margin, Height = Bottom + Margin;
  OS << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << Width
     << "\" height=\"" << Height << "\" viewBox=\"0 0 " << Width << ' '
     << Height << "\">\n<style>\n"
     << "text{font:10px sans-serif;text-anchor:middle}"
     << ".l{text-anchor:start;font-size:12px}path{stroke:#555}\n"
     << ".c0{fill:#fff3b0}.c1{fill:#cfe8ff}.c2{fill:#d6f5d6}.c3{fill:#ffd9d9}\n"
     << ".c4{fill:#f2dc6b}.c5{fill:#9fd0ff}.c6{fill:#a8e0a8}.c7{fill:#ffb3b3}\n"
     << "</style>\n<rect width=\"" << Width << "\" height=\"" << Height
     << "\" fill=\"#fff\"/>\n"
     << Rectangles << Texts << "</svg>\n";
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

namespace {

/// What one register holds of a row or a column of the matrix.
struct Run {
  Entry First;
  unsigned Rows = 1, Columns = 1;

  unsigned elements() const { return Rows * Columns; }
};

} // namespace

static bool sameRegister(const Entry &X, const Entry &Y) {
  return X.Parts == Y.Parts && X.Thread == Y.Thread && X.Register == Y.Register;
}

static bool showsParts(const Table &T, const Entry &E) {
  for (size_t I = 0; I != T.PartKinds.size(); ++I)
    if (T.PartKinds[I].OnlyFirstShown && E.Parts[I])
      return false;
  return true;
}

/// "thread_id 1, byte_id 0: ", or nothing where there are no parts.
static std::string partsCaption(const Table &T,
                                const std::vector<unsigned> &Parts) {
  std::string Text;
  for (size_t I = 0; I != Parts.size(); ++I)
    Text +=
        (I ? ", " : "") + T.PartKinds[I].Word + " " + std::to_string(Parts[I]);
  return Text.empty() ? Text : Text + ": ";
}

/// The runs of elements, each with the bits above those of the one before it.
static std::vector<Run> runs(const Table &T) {
  std::vector<Run> All;
  /// By parts, row and column, the index of the run that an element ended up
  /// in.
  std::map<std::tuple<std::vector<unsigned>, unsigned, unsigned>, size_t> RunOf;
  for (const Entry &E : T.Entries) {
    if (E.Row >= T.ShownRows || E.Column >= T.ShownColumns || !showsParts(T, E))
      continue;
    auto Continue = [&](unsigned Row, unsigned Column, bool Down) {
      auto It = RunOf.find({E.Parts, Row, Column});
      if (It == RunOf.end())
        return false;
      Run &R = All[It->second];
      if (!sameRegister(R.First, E) || (Down ? R.Columns : R.Rows) != 1 ||
          R.First.Bit + R.elements() * T.ElementBits != E.Bit)
        return false;
      ++(Down ? R.Rows : R.Columns);
      RunOf[{E.Parts, E.Row, E.Column}] = It->second;
      return true;
    };
    if ((E.Column && Continue(E.Row, E.Column - 1, /*Down=*/false)) ||
        (E.Row && Continue(E.Row - 1, E.Column, /*Down=*/true)))
      continue;
    RunOf[{E.Parts, E.Row, E.Column}] = All.size();
    All.push_back({E});
  }
  return All;
}

static std::string label(const Table &T, const Run &R) {
  std::string Label = "T" + std::to_string(R.First.Thread);
  if (T.Registers > 1)
    Label += " r" + std::to_string(R.First.Register);
  unsigned Bits = R.elements() * T.ElementBits;
  if (Bits != T.RegisterBits)
    Label += " " + std::to_string(R.First.Bit + Bits - 1) + ":" +
             std::to_string(R.First.Bit);
  return Label;
}

void layout::drawTable(const Table &T, std::ostream &OS) {
  std::vector<Run> Runs = runs(T);
  std::set<std::vector<unsigned>> AllParts;
  unsigned RunRows = 1, RunColumns = 1;
  size_t Longest = 0;
  for (const Run &R : Runs) {
    AllParts.insert(R.First.Parts);
    RunRows = std::max(RunRows, R.Rows);
    RunColumns = std::max(RunColumns, R.Columns);
    Longest = std::max(Longest, label(T, R).size());
  }
  // Of one element; a run must have room for its label.
  unsigned LabelWidth =
      std::max<unsigned>(CellWidth, 6 * static_cast<unsigned>(Longest) + 4);
  unsigned Width = std::max(2u, (LabelWidth + RunColumns - 1) / RunColumns);
  unsigned Height = std::max(2u, (CellHeight + RunRows - 1) / RunRows);

  Picture P;
  unsigned Top = Margin;
  for (const std::vector<unsigned> &Parts : AllParts) {
    P.text(Margin, Top + CaptionHeight - 8,
           partsCaption(T, Parts) + "rows \xE2\x86\x93, " + T.ColumnWord +
               "s \xE2\x86\x92",
           /*IsCaption=*/true);
    Top += CaptionHeight;
    unsigned Left = Margin + HeaderWidth, CellTop = Top + HeaderHeight;
    auto Range = [](unsigned First, unsigned Count) {
      std::string Text = std::to_string(First);
      if (Count > 1)
        Text += "\xE2\x80\x93" + std::to_string(First + Count - 1);
      return Text;
    };
    for (unsigned Row = 0; Row < T.ShownRows; Row += RunRows)
      P.text(Margin + HeaderWidth / 2,
             CellTop + Row * Height + RunRows * Height / 2 + 4,
             Range(Row, RunRows));
    for (unsigned Column = 0; Column < T.ShownColumns; Column += RunColumns)
      P.text(Left + Column * Width + RunColumns * Width / 2, CellTop - 5,
             Range(Column, RunColumns));
    for (const Run &R : Runs)
      if (R.First.Parts == Parts)
        P.cell(Left + R.First.Column * Width, CellTop + R.First.Row * Height,
               R.Columns * Width, R.Rows * Height,
               R.First.Thread % 4 + R.First.Thread / 4 % 2 * 4, label(T, R));
    Top = CellTop + T.ShownRows * Height + Margin;
  }
  P.write(OS);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

void layout::drawShared(const SharedMatrix &S, std::ostream &OS) {
  constexpr unsigned UnitBytes = 16, LineUnits = 8;
  devicetest::SharedLayout Layout = S.layout();
  unsigned PerUnit = UnitBytes * 8 / bitWidth(S.Type);
  unsigned Across = S.MNMajor ? S.K : S.MN, Along = S.MNMajor ? S.MN : S.K;
  const char *AcrossWord = S.MNMajor ? "k" : "mn";
  const char *AlongWord = S.MNMajor ? "mn" : "k";

  Picture P;
  auto Caption = [&](unsigned Y, const std::string &Text) {
    P.text(Margin, Y + CaptionHeight - 8, Text, /*IsCaption=*/true);
  };
  Caption(Margin, std::string("the matrix: ") + AcrossWord + " \xE2\x86\x93, " +
                      AlongWord +
                      " \xE2\x86\x92, and the byte offset of each 16 bytes");
  unsigned Left = Margin + HeaderWidth;
  unsigned Top = Margin + CaptionHeight + HeaderHeight;
  for (unsigned Unit = 0; Unit != Along / PerUnit; ++Unit)
    P.text(Left + Unit * CellWidth + CellWidth / 2, Top - 5,
           std::to_string(Unit * PerUnit) + "\xE2\x80\x93" +
               std::to_string((Unit + 1) * PerUnit - 1));
  struct Place {
    unsigned Across, Unit;
  };
  std::map<uint64_t, Place> Memory;
  for (unsigned Row = 0; Row != Across; ++Row) {
    P.text(Margin + HeaderWidth / 2, Top + Row * CellHeight + 13,
           std::to_string(Row));
    for (unsigned Unit = 0; Unit != Along / PerUnit; ++Unit) {
      unsigned First = Unit * PerUnit;
      uint64_t Byte =
          Layout.bitOffset(S.Start + Layout.start(0), S.MNMajor ? First : Row,
                           S.MNMajor ? Row : First) /
          8;
      Memory[Byte] = {Row, Unit};
      P.cell(Left + Unit * CellWidth, Top + Row * CellHeight, CellWidth,
             CellHeight, Unit, std::to_string(Byte));
    }
  }

  unsigned MemoryTop = Top + Across * CellHeight + Margin;
  Caption(MemoryTop, std::string("the memory: byte offset \xE2\x86\x93, its 16 "
                                 "bytes \xE2\x86\x92, and the ") +
                         AcrossWord + ", " + AlongWord +
                         " of the first element in them");
  MemoryTop += CaptionHeight + HeaderHeight;
  for (unsigned Unit = 0; Unit != LineUnits; ++Unit)
    P.text(Left + Unit * CellWidth + CellWidth / 2, MemoryTop - 5,
           "+" + std::to_string(Unit * UnitBytes));
  // Lines with nothing of the matrix are left out.
  std::map<uint64_t, unsigned> LineTops;
  for (const auto &[Byte, Where] : Memory) {
    uint64_t Line = Byte / (LineUnits * UnitBytes);
    auto [It, IsNew] = LineTops.try_emplace(
        Line, MemoryTop + static_cast<unsigned>(LineTops.size()) * CellHeight);
    if (IsNew)
      P.text(Margin + HeaderWidth / 2, It->second + 13,
             std::to_string(Line * LineUnits * UnitBytes));
    P.cell(Left +
               static_cast<unsigned>(Byte / UnitBytes % LineUnits) * CellWidth,
           It->second, CellWidth, CellHeight, Where.Unit,
           std::to_string(Where.Across) + ", " +
               std::to_string(Where.Unit * PerUnit));
  }
  P.write(OS);
}

//===----------------------------------------------------------------------===//
// Sparsity
//===----------------------------------------------------------------------===//

void layout::drawCompression(std::ostream &OS) {
  using devicetest::Element;
  constexpr unsigned KeptColor = 5, ZeroColor = 0, Gap = 20;
  Picture P;
  unsigned Left = Margin;
  for (auto [Type, Caption] :
       {std::pair(Element::f16, "16 and 8 bits: 2 of 4"),
        std::pair(Element::tf32, "tf32: 1 of 2"),
        std::pair(Element::s4, "4 bits: 4 of 8, in pairs")}) {
    devicetest::WarpSparsity Sparsity = devicetest::warpSparsity(Type);
    P.text(Left, Margin + CaptionHeight - 8, Caption, /*IsCaption=*/true);
    unsigned CellLeft = Left + HeaderWidth;
    unsigned Top = Margin + CaptionHeight + HeaderHeight;
    P.text(Left + HeaderWidth / 2, Top - 5, "nibble");
    for (unsigned Column = 0; Column != Sparsity.ChunkWidth; ++Column)
      P.text(CellLeft + Column * CellWidth + CellWidth / 2, Top - 5,
             std::to_string(Column));
    for (uint8_t Nibble : devicetest::warpNibbles(Type)) {
      std::string Bits;
      for (unsigned Bit = 4; Bit-- != 0;)
        Bits += static_cast<char>('0' + (Nibble >> Bit & 1));
      P.text(Left + HeaderWidth / 2, Top + 13,
             Bits + " = " + std::to_string(Nibble));
      std::map<unsigned, std::string> Kept;
      for (unsigned Index = 0; Index != Sparsity.kept(); ++Index)
        Kept[devicetest::warpKeptColumn(Type, Nibble, Index)] =
            "kept " + std::to_string(Index);
      for (unsigned Column = 0; Column != Sparsity.ChunkWidth; ++Column) {
        auto It = Kept.find(Column);
        bool IsKept = It != Kept.end();
        P.cell(CellLeft + Column * CellWidth, Top, CellWidth, CellHeight,
               IsKept ? KeptColor : ZeroColor, IsKept ? It->second : "0");
      }
      Top += CellHeight;
    }
    Left = CellLeft + Sparsity.ChunkWidth * CellWidth + Gap;
  }
  P.write(OS);
}
