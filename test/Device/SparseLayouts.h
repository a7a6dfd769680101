//===- SparseLayouts.h - Reading layouts of sparse operands -----*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the probes of wgmma and of mma.sp share: which inputs show where a
// nibble of the metadata and an element of A belong, and the comparison with
// the model. B is the identity, in parts, so that the results are the full A.
// What is read takes nothing from the model; it only serves to be compared
// with.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_SPARSELAYOUTS_H
#define NVPTX_MMA_TEST_DEVICE_SPARSELAYOUTS_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace devicetest {

/// A row of A and a column: of the full A, of the packed one, or a chunk.
struct PlaceInA {
  unsigned Row, Column;

  bool operator==(const PlaceInA &Other) const {
    return Row == Other.Row && Column == Other.Column;
  }
};

using PlacesInA = std::vector<PlaceInA>;

/// The sparse operand of one problem.
struct SparseInputs {
  std::vector<uint32_t> Metadata; ///< [thread]
  /// Small numbers, in the order in which registers or memory have them.
  std::vector<uint8_t> Elements;
};

/// An instruction and what the model says of it.
class SparseSubject {
public:
  virtual ~SparseSubject() = default;

  /// Executes the instruction with each of these, and gives the full A of each
  /// as [row][column]. Returns what went wrong, or nothing.
  virtual std::string expand(const std::vector<SparseInputs> &Problems,
                             std::vector<std::vector<double>> &A) = 0;
  /// Where an element of A is stored, in words.
  virtual std::string nameOf(unsigned Element) const = 0;

  std::string Name;
  unsigned Selector;
  unsigned Rows, K, Threads;

  // The model.
  unsigned ChunkWidth;
  /// The columns within a chunk that a nibble keeps, in order.
  std::map<uint8_t, std::vector<unsigned>> Kept;
  /// [8 * thread + nibble]: the row and chunk that it describes.
  std::vector<std::optional<PlaceInA>> Chunks;
  /// [element]: the row and column of the packed A.
  PlacesInA Packed;

  /// The place in the full A of a packed element whose chunk has this nibble.
  PlaceInA unpacked(uint8_t Nibble, const PlaceInA &P) const {
    const std::vector<unsigned> &Columns = Kept.at(Nibble);
    return {P.Row, unsigned(P.Column / Columns.size() * ChunkWidth +
                            Columns[P.Column % Columns.size()])};
  }
};

/// Reads the layouts of one instruction, and prints a line about each, with a
/// list of what is not as the model says.
class SparseLayouts {
public:
  SparseLayouts(SparseSubject &S, std::ostream &Out) : S(S), Out(Out) {}

  /// Returns whether all is as modelled.
  bool probe(bool AInRegisters) {
    metadata();
    if (!Stopped)
      keptElements();
    if (!Stopped && AInRegisters)
      elements();
    return Agrees && !Stopped;
  }

private:
  /// Valid nibbles of every type, which have no kept element in common.
  static constexpr uint8_t LowerHalf = 0x4, UpperHalf = 0xE;
  static constexpr unsigned ProblemsPerLaunch = 256;
  static constexpr unsigned PrintedLines = 16;
  static constexpr unsigned PrintedPlaces = 16;

  /// Whose positions each nibble of the metadata determines.
  void metadata();
  /// Which columns of its chunk each nibble keeps, and which element is where.
  void keptElements();
  /// Where in A each element belongs.
  void elements();

  using Maker = std::function<SparseInputs(unsigned)>;
  using User = std::function<void(unsigned, const std::vector<double> &)>;

  SparseInputs uniform(uint8_t Nibble, uint8_t Element) const {
    return {std::vector<uint32_t>(S.Threads, 0x11111111u * Nibble),
            std::vector<uint8_t>(S.Packed.size(), Element)};
  }
  bool forEach(unsigned Count, const Maker &Make, const User &Use);
  template <class Condition> PlacesInA placesWhere(Condition Holds) const;
  static std::string describe(const PlacesInA &Places);
  static unsigned digit(size_t Number, unsigned Digit) {
    return 1 + (Number >> Digit & 1);
  }
  std::string describeChunk(const double *Found,
                            const std::vector<double> &Codes) const;
  void compare(bool Same, const std::function<std::string()> &Line);
  void print(const std::string &What, const std::string &Note);

  SparseSubject &S;
  std::ostream &Out;
  bool Agrees = true;
  /// An execution failed.
  bool Stopped = false;
  /// Of the current comparison.
  unsigned Different = 0;
  std::string Lines;
};

/// Executes as many problems, some at a time. False, after a message, if that
/// went wrong.
inline bool SparseLayouts::forEach(unsigned Count, const Maker &Make,
                                   const User &Use) {
  for (unsigned First = 0; First < Count; First += ProblemsPerLaunch) {
    unsigned End = std::min(Count, First + ProblemsPerLaunch);
    std::vector<SparseInputs> Problems;
    for (unsigned Index = First; Index != End; ++Index)
      Problems.push_back(Make(Index));
    std::vector<std::vector<double>> A;
    if (std::string Error = S.expand(Problems, A); !Error.empty()) {
      Out << S.Name << ": " << Error << "\n";
      Stopped = true;
      return false;
    }
    for (unsigned Index = First; Index != End; ++Index)
      Use(Index, A[Index - First]);
  }
  return true;
}

template <class Condition>
PlacesInA SparseLayouts::placesWhere(Condition Holds) const {
  PlacesInA Places;
  for (unsigned Row = 0; Row != S.Rows; ++Row)
    for (unsigned Column = 0; Column != S.K; ++Column)
      if (Holds(size_t(Row) * S.K + Column))
        Places.push_back({Row, Column});
  return Places;
}

/// For example "row 0, columns 4 5 6 7".
inline std::string SparseLayouts::describe(const PlacesInA &Places) {
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

inline void SparseLayouts::compare(bool Same,
                                   const std::function<std::string()> &Line) {
  if (Same)
    return;
  if (Different < PrintedLines)
    Lines += "  " + Line() + "\n";
  else if (Different == PrintedLines)
    Lines += "  ...\n";
  ++Different;
}

inline void SparseLayouts::print(const std::string &What,
                                 const std::string &Note) {
  Out << S.Name << ": " << What << ": ";
  if (Different)
    Out << "not as modelled, " << Different << " differ, ";
  else
    Out << "as modelled, ";
  Out << Note << "\n" << Lines;
  Agrees = Agrees && !Different;
  Different = 0;
  Lines.clear();
}

inline void SparseLayouts::metadata() {
  std::vector<double> Before;
  SparseInputs Baseline = uniform(LowerHalf, 1);
  if (!forEach(
          1, [&](unsigned) { return Baseline; },
          [&](unsigned, const std::vector<double> &A) { Before = A; }))
    return;

  auto Changed = [&](unsigned Index) {
    SparseInputs Inputs = Baseline;
    Inputs.Metadata[Index / 8] ^= (LowerHalf ^ UpperHalf) << Index % 8 * 4;
    return Inputs;
  };
  unsigned Effective = 0;
  auto Check = [&](unsigned Index, const std::vector<double> &A) {
    PlacesInA Found =
        placesWhere([&](size_t Place) { return A[Place] != Before[Place]; });
    PlacesInA Modelled;
    if (const std::optional<PlaceInA> &Chunk = S.Chunks[Index])
      for (unsigned Column = 0; Column != S.ChunkWidth; ++Column)
        Modelled.push_back({Chunk->Row, Chunk->Column * S.ChunkWidth + Column});
    Effective += !Found.empty();
    compare(Found == Modelled, [&] {
      return "thread " + std::to_string(Index / 8) + ", nibble " +
             std::to_string(Index % 8) + ": " + describe(Found) +
             "; modelled: " + describe(Modelled);
    });
  };
  unsigned Count = 8 * S.Threads;
  if (forEach(Count, Changed, Check))
    print("metadata, selector " + std::to_string(S.Selector),
          std::to_string(Effective) + " of " + std::to_string(Count) +
              " nibbles have an effect");
}

/// A chunk's columns, each with the element that is there.
inline std::string
SparseLayouts::describeChunk(const double *Found,
                             const std::vector<double> &Codes) const {
  std::string Text;
  for (unsigned Column = 0; Column != S.ChunkWidth; ++Column) {
    Text += Column ? ", " : "";
    auto Code = std::find(Codes.begin(), Codes.end(), Found[Column]);
    if (Code != Codes.end())
      Text += S.nameOf(Code - Codes.begin());
    else
      Text += Found[Column] == 0 ? "-" : "?";
  }
  return Text;
}

inline void SparseLayouts::keptElements() {
  // Each problem shows one binary digit of every element's number, as 1 or 2,
  // and 0 where nothing is kept. To the base of 3 they make a code.
  std::vector<double> Codes(S.Packed.size());
  std::vector<double> Weights; // of the digits
  while (size_t(1) << Weights.size() < Codes.size()) {
    unsigned Digit = Weights.size();
    Weights.push_back(Digit ? 3 * Weights.back() : 1);
    for (size_t Element = 0; Element != Codes.size(); ++Element)
      Codes[Element] += digit(Element, Digit) * Weights[Digit];
  }
  unsigned Digits = Weights.size();
  std::vector<uint8_t> Nibbles;
  for (const auto &Kept : S.Kept)
    Nibbles.push_back(Kept.first);

  size_t Places = size_t(S.Rows) * S.K;
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
      PlaceInA P = S.unpacked(Nibbles[Index], S.Packed[Element]);
      Modelled[P.Row * S.K + P.Column] = Codes[Element];
    }
    for (size_t Place = 0; Place != Places; Place += S.ChunkWidth) {
      const double *Is = &Found[Index * Places + Place];
      const double *ShouldBe = &Modelled[Place];
      compare(std::equal(Is, Is + S.ChunkWidth, ShouldBe), [&] {
        return "nibble " + std::to_string(Nibbles[Index]) + ", row " +
               std::to_string(Place / S.K) + ", columns from " +
               std::to_string(Place % S.K) + ": " + describeChunk(Is, Codes) +
               "; modelled: " + describeChunk(ShouldBe, Codes);
      });
    }
  }
  std::string Values;
  for (uint8_t Nibble : Nibbles)
    Values += " " + std::to_string(Nibble);
  print("kept elements, nibbles" + Values,
        std::to_string(Nibbles.size() * Places / S.ChunkWidth) + " chunks");
}

inline void SparseLayouts::elements() {
  auto OneHot = [&](unsigned Index) {
    SparseInputs Inputs = uniform(LowerHalf, 0);
    Inputs.Elements[Index] = 1;
    return Inputs;
  };
  auto Check = [&](unsigned Index, const std::vector<double> &A) {
    PlacesInA Found = placesWhere([&](size_t Place) { return A[Place] != 0; });
    PlacesInA Modelled = {S.unpacked(LowerHalf, S.Packed[Index])};
    compare(Found == Modelled, [&] {
      return S.nameOf(Index) + ": " + describe(Found) +
             "; modelled: " + describe(Modelled);
    });
  };
  if (forEach(S.Packed.size(), OneHot, Check))
    print("A in registers", std::to_string(S.Packed.size()) + " elements");
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_SPARSELAYOUTS_H
