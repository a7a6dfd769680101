//===- SparseLayouts.h - Reading layouts of sparse operands -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
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

#ifndef NVPTX_MMA_MODEL_SPARSELAYOUTS_H
#define NVPTX_MMA_MODEL_SPARSELAYOUTS_H

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

/// What the model says of an instruction.
struct SparseModel {
  std::string Name;
  unsigned Selector;
  unsigned Rows, K, Threads;

  unsigned ChunkWidth;
  /// The columns within a chunk that a nibble keeps, in order.
  std::map<uint8_t, std::vector<unsigned>> Kept;
  /// [8 * thread + nibble]: the row and chunk that it describes.
  std::vector<std::optional<PlaceInA>> Chunks;
  /// [element]: the row and column of the packed A.
  PlacesInA Packed;

  /// The place in the full A of a packed element whose chunk has this nibble.
  PlaceInA unpacked(uint8_t Nibble, const PlaceInA &P) const;
};

/// An instruction, how it is executed, and its model.
class SparseSubject {
public:
  virtual ~SparseSubject() = default;

  /// Executes the instruction with each of these, and gives the full A of each
  /// as [row][column]. Returns what went wrong, or nothing.
  virtual std::string expand(const std::vector<SparseInputs> &Problems,
                             std::vector<std::vector<double>> &A) = 0;
  /// Where an element of A is stored, in words.
  virtual std::string nameOf(unsigned Element) const = 0;

  const SparseModel &model() const { return Model; }

protected:
  SparseModel Model;
};

/// Reads the layouts of one instruction, and prints a line about each, with a
/// list of what is not as the model says.
class SparseLayouts {
public:
  SparseLayouts(SparseSubject &S, std::ostream &Out)
      : S(S), Model(S.model()), Out(Out) {}

  /// Returns whether all is as modelled.
  bool probe(bool AInRegisters);

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
    return {std::vector<uint32_t>(Model.Threads, 0x11111111u * Nibble),
            std::vector<uint8_t>(Model.Packed.size(), Element)};
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
  const SparseModel &Model;
  std::ostream &Out;
  bool Agrees = true;
  /// An execution failed.
  bool Stopped = false;
  /// Of the current comparison.
  unsigned Different = 0;
  std::string Lines;
};

template <class Condition>
PlacesInA SparseLayouts::placesWhere(Condition Holds) const {
  PlacesInA Places;
  for (unsigned Row = 0; Row != Model.Rows; ++Row)
    for (unsigned Column = 0; Column != Model.K; ++Column)
      if (Holds(size_t(Row) * Model.K + Column))
        Places.push_back({Row, Column});
  return Places;
}

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_SPARSELAYOUTS_H
