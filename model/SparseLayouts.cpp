//===- SparseLayouts.cpp - Reading layouts of sparse operands -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLayouts.h"

#include <algorithm>

using namespace devicetest;

PlaceInA SparseModel::unpacked(uint8_t Nibble, const PlaceInA &P) const {
  const std::vector<unsigned> &Columns = Kept.at(Nibble);
  return {P.Row, unsigned(P.Column / Columns.size() * ChunkWidth +
                          Columns[P.Column % Columns.size()])};
}

bool SparseLayouts::probe(bool AInRegisters) {
  metadata();
  if (!Stopped)
    keptElements();
  if (!Stopped && AInRegisters)
    elements();
  return Agrees && !Stopped;
}

/// Executes as many problems, some at a time. False, after a message, if that
/// went wrong.
bool SparseLayouts::forEach(unsigned Count, const Maker &Make,
                            const User &Use) {
  for (unsigned First = 0; First < Count; First += ProblemsPerLaunch) {
    unsigned End = std::min(Count, First + ProblemsPerLaunch);
    std::vector<SparseInputs> Problems;
    for (unsigned Index = First; Index != End; ++Index)
      Problems.push_back(Make(Index));
    std::vector<std::vector<double>> A;
    if (std::string Error = S.expand(Problems, A); !Error.empty()) {
      Out << Model.Name << ": " << Error << "\n";
      Stopped = true;
      return false;
    }
    for (unsigned Index = First; Index != End; ++Index)
      Use(Index, A[Index - First]);
  }
  return true;
}

/// For example "row 0, columns 4 5 6 7".
std::string SparseLayouts::describe(const PlacesInA &Places) {
  std::string Text;
  for (size_t Index = 0; Index != Places.size(); ++Index) {
    if (Index == PrintedPlaces)
      return Text + " ...";
    if (!Index || Places[Index].Row != Places[Index - 1].Row)
      Text += (Index ? "; row " : "row ") + std::to_string(Places[Index].Row) +
              ", columns";
    Text += " " + std::to_string(Places[Index].Column);
  }
  return Text.empty() ? "nothing" : Text;
}

void SparseLayouts::compare(bool Same,
                            const std::function<std::string()> &Line) {
  if (Same)
    return;
  if (Different < PrintedLines)
    Lines += "  " + Line() + "\n";
  else if (Different == PrintedLines)
    Lines += "  ...\n";
  ++Different;
}

void SparseLayouts::print(const std::string &What, const std::string &Note) {
  Out << Model.Name << ": " << What << ": ";
  if (Different)
    Out << "not as modelled, " << Different << " differ, ";
  else
    Out << "as modelled, ";
  Out << Note << "\n" << Lines;
  Agrees = Agrees && !Different;
  Different = 0;
  Lines.clear();
}

void SparseLayouts::metadata() {
  std::vector<double> Before;
  SparseInputs Baseline = uniform(LowerHalf, 1);
  if (!forEach(
          1, [&](unsigned) { return Baseline; },
          [&](unsigned, const std::vector<double> &A) { Before = A; }))
    return;

  const uint32_t Change = LowerHalf ^ UpperHalf;
  auto Changed = [&](unsigned Index) {
    SparseInputs Inputs = Baseline;
    Inputs.Metadata[Index / 8] ^= Change << Index % 8 * 4;
    return Inputs;
  };
  unsigned Effective = 0;
  auto Check = [&](unsigned Index, const std::vector<double> &A) {
    PlacesInA Found =
        placesWhere([&](size_t Place) { return A[Place] != Before[Place]; });
    PlacesInA Modelled;
    if (const std::optional<PlaceInA> &Chunk = Model.Chunks[Index])
      for (unsigned Column = 0; Column != Model.ChunkWidth; ++Column)
        Modelled.push_back(
            {Chunk->Row, Chunk->Column * Model.ChunkWidth + Column});
    Effective += !Found.empty();
    compare(Found == Modelled, [&] {
      return "thread " + std::to_string(Index / 8) + ", nibble " +
             std::to_string(Index % 8) + ": " + describe(Found) +
             "; modelled: " + describe(Modelled);
    });
  };
  unsigned Count = 8 * Model.Threads;
  if (forEach(Count, Changed, Check))
    print("metadata, selector " + std::to_string(Model.Selector),
          std::to_string(Effective) + " of " + std::to_string(Count) +
              " nibbles have an effect");
}

/// A chunk's columns, each with the element that is there.
std::string
SparseLayouts::describeChunk(const double *Found,
                             const std::vector<double> &Codes) const {
  std::string Text;
  for (unsigned Column = 0; Column != Model.ChunkWidth; ++Column) {
    Text += Column ? ", " : "";
    auto Code = std::find(Codes.begin(), Codes.end(), Found[Column]);
    if (Code != Codes.end())
      Text += S.nameOf(Code - Codes.begin());
    else
      Text += Found[Column] == 0 ? "-" : "?";
  }
  return Text;
}

void SparseLayouts::keptElements() {
  // Each problem shows one binary digit of every element's number, as 1 or 2,
  // and 0 where nothing is kept. To the base of 3 they make a code.
  std::vector<double> Codes(Model.Packed.size());
  std::vector<double> Weights; // of the digits
  while (size_t(1) << Weights.size() < Codes.size()) {
    unsigned Digit = Weights.size();
    Weights.push_back(Digit ? 3 * Weights.back() : 1);
    for (size_t Element = 0; Element != Codes.size(); ++Element)
      Codes[Element] += digit(Element, Digit) * Weights[Digit];
  }
  unsigned Digits = Weights.size();
  std::vector<uint8_t> Nibbles;
  for (const auto &Kept : Model.Kept)
    Nibbles.push_back(Kept.first);

  size_t Places = size_t(Model.Rows) * Model.K;
  std::vector<double> Found(Nibbles.size() * Places);
  auto Make = [&](unsigned Index) {
    SparseInputs Inputs = uniform(Nibbles[Index / Digits], 0);
    for (size_t Element = 0; Element != Codes.size(); ++Element)
      Inputs.Elements[Element] = digit(Element, Index % Digits);
    return Inputs;
  };
  auto Add = [&](unsigned Index, const std::vector<double> &A) {
    double *OfNibble = &Found[Index / Digits * Places];
    for (size_t Place = 0; Place != Places; ++Place)
      OfNibble[Place] += A[Place] * Weights[Index % Digits];
  };
  if (!forEach(Nibbles.size() * Digits, Make, Add))
    return;

  for (size_t Index = 0; Index != Nibbles.size(); ++Index) {
    std::vector<double> Modelled(Places);
    for (size_t Element = 0; Element != Codes.size(); ++Element) {
      PlaceInA P = Model.unpacked(Nibbles[Index], Model.Packed[Element]);
      Modelled[P.Row * Model.K + P.Column] = Codes[Element];
    }
    for (size_t Place = 0; Place != Places; Place += Model.ChunkWidth) {
      const double *Is = &Found[Index * Places + Place];
      const double *ShouldBe = &Modelled[Place];
      compare(std::equal(Is, Is + Model.ChunkWidth, ShouldBe), [&] {
        return "nibble " + std::to_string(Nibbles[Index]) + ", row " +
               std::to_string(Place / Model.K) + ", columns from " +
               std::to_string(Place % Model.K) + ": " +
               describeChunk(Is, Codes) +
               "; modelled: " + describeChunk(ShouldBe, Codes);
      });
    }
  }
  std::string Values;
  for (uint8_t Nibble : Nibbles)
    Values += " " + std::to_string(Nibble);
  print("kept elements, nibbles" + Values,
        std::to_string(Nibbles.size() * Places / Model.ChunkWidth) + " chunks");
}

void SparseLayouts::elements() {
  auto OneHot = [&](unsigned Index) {
    SparseInputs Inputs = uniform(LowerHalf, 0);
    Inputs.Elements[Index] = 1;
    return Inputs;
  };
  auto Check = [&](unsigned Index, const std::vector<double> &A) {
    PlacesInA Found = placesWhere([&](size_t Place) { return A[Place] != 0; });
    PlacesInA Modelled = {Model.unpacked(LowerHalf, Model.Packed[Index])};
    compare(Found == Modelled, [&] {
      return S.nameOf(Index) + ": " + describe(Found) +
             "; modelled: " + describe(Modelled);
    });
  };
  if (forEach(Model.Packed.size(), OneHot, Check))
    print("A in registers", std::to_string(Model.Packed.size()) + " elements");
}
