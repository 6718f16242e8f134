#include "linear/petsc/petsc_matrix.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace unbarred {

void check_petsc(PetscErrorCode code, const char* what) {
  if (!code) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error(ExitCode::bad_input, std::string("PETSc failed in ") + what + ": " + (text ? text : "unknown error") +
                                       "; look at solver.linear.options and PETSC_OPTIONS");
}

namespace {

/// PETSc's block number of every local vertex: owned vertices are contiguous over ranks, ghosts learn from owners.
/// Numbers travel as Reals, exact up to 2^53.
std::vector<PetscInt> petsc_numbers(const Communicator& communicator, const IndexMap& map, Halo& halo) {
  const GlobalIndex first = communicator.exclusive_sum(map.owned());
  std::vector<Real> numbers(static_cast<std::size_t>(map.local()), 0);
  for (Index i = 0; i < map.owned(); ++i) numbers[static_cast<std::size_t>(i)] = static_cast<Real>(first + i);
  DeviceArray<Real> on_device(numbers);
  halo.forward(on_device.view(), 1);
  std::vector<PetscInt> result;
  for (Real number : on_device.to_host()) result.push_back(static_cast<PetscInt>(number));
  return result;
}

MatNullSpace make_rigid_modes(const Communicator& communicator, const std::vector<Vec3>& positions) {
  Vec coordinates;
  check_petsc(
      VecCreateMPI(communicator.handle(), 3 * static_cast<PetscInt>(positions.size()), PETSC_DETERMINE, &coordinates),
      "VecCreateMPI");
  check_petsc(VecSetBlockSize(coordinates, 3), "VecSetBlockSize");
  PetscScalar* xyz;
  check_petsc(VecGetArray(coordinates, &xyz), "VecGetArray");
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (int k = 0; k < 3; ++k) xyz[3 * i + static_cast<std::size_t>(k)] = positions[i][k];
  check_petsc(VecRestoreArray(coordinates, &xyz), "VecRestoreArray");
  MatNullSpace modes;
  check_petsc(MatNullSpaceCreateRigidBody(coordinates, &modes), "MatNullSpaceCreateRigidBody");
  VecDestroy(&coordinates);
  return modes;
}

PetscInt number_of(const Vec3& label) { return static_cast<PetscInt>(label[0]); }
AxisMask mask_of(const Vec3& label) { return static_cast<AxisMask>(label[1]); }

Mat3 without_prescribed(Mat3 block, AxisMask row, AxisMask column) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if ((row >> r & 1) || (column >> c & 1)) block(r, c) = 0;
  return block;
}

}  // namespace

PetscMatrix::PetscMatrix(const Communicator& communicator, const IndexMap& map, Halo& halo, const BlockPattern& pattern,
                         const std::vector<Vec3>& positions)
    : communicator_(communicator),
      pattern_(pattern),
      numbers_(petsc_numbers(communicator, map, halo)),
      labels_(map),
      rigid_modes_(make_rigid_modes(communicator, positions)) {
  for (Index i = 0; i < pattern_.rows(); ++i)
    for (Index e = pattern_.offsets[i]; e < pattern_.offsets[i + 1]; ++e)
      elastic_.push_back({i, numbers_[pattern_.columns[e]]});
  std::sort(elastic_.begin(), elastic_.end());
  create();
}

PetscMatrix::~PetscMatrix() {
  MatDestroy(&matrix_);
  MatNullSpaceDestroy(&rigid_modes_);
}

void PetscMatrix::create() {
  const PetscInt rows = pattern_.rows();
  MatDestroy(&matrix_);
  check_petsc(MatCreate(communicator_.handle(), &matrix_), "MatCreate");
  check_petsc(MatSetSizes(matrix_, 3 * rows, 3 * rows, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
  check_petsc(MatSetBlockSize(matrix_, 3), "MatSetBlockSize");
  check_petsc(MatSetType(matrix_, MATAIJ), "MatSetType");
  // GAMG then bounds spectra by Lanczos, which finds what stiff pairs add: smoothers beyond their bound are indefinite.
  // Before the options are read: parallel BAIJ keeps the flag but refuses to be told.
  for (const MatOption option : {MAT_SPD, MAT_SPD_ETERNAL})
    check_petsc(MatSetOption(matrix_, option, PETSC_TRUE), "MatSetOption");
  check_petsc(MatSetFromOptions(matrix_), "MatSetFromOptions");
  const PetscInt first = rows > 0 ? numbers_[0] : 0;
  std::vector<PetscInt> diagonal(static_cast<std::size_t>(rows), 0), off_diagonal(diagonal);
  for (const auto* couplings : {&elastic_, &further_})
    for (const Coupling& c : *couplings)
      ++(c.column >= first && c.column < first + rows ? diagonal : off_diagonal)[static_cast<std::size_t>(c.row)];
  check_petsc(MatXAIJSetPreallocation(matrix_, 3, diagonal.data(), off_diagonal.data(), nullptr, nullptr),
              "MatXAIJSetPreallocation");
  check_petsc(MatSetNearNullSpace(matrix_, rigid_modes_), "MatSetNearNullSpace");
}

std::vector<AddedBlock> PetscMatrix::labeled_blocks(const LinearSystem& system, const std::vector<AxisMask>& fixed) {
  if (!system.added) return {};
  std::vector<Vec3> labels;
  for (std::size_t v = 0; v < numbers_.size(); ++v)
    labels.push_back({{static_cast<Real>(numbers_[v]), static_cast<Real>(fixed[v]), 0}});
  labels_.set_owned_from_host(labels);
  labels_.forward(system.halo);
  return system.added->blocks(labels_);
}

void PetscMatrix::fit_pattern(const std::vector<AddedBlock>& blocks) {
  std::vector<Coupling> couplings, further;
  for (const AddedBlock& block : blocks) couplings.push_back({block.row, number_of(block.column)});
  std::sort(couplings.begin(), couplings.end());
  couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
  std::set_difference(couplings.begin(), couplings.end(), elastic_.begin(), elastic_.end(),
                      std::back_inserter(further));
  if (communicator_.max(further != further_ ? 1 : 0) > 0) {
    further_ = std::move(further);
    create();
  }
}

void PetscMatrix::fill(const LinearSystem& system) {
  const std::vector<Block> values = system.matrix.values_to_host();
  const std::vector<AxisMask> fixed = system.fixed.to_host();
  const std::vector<AddedBlock> added = labeled_blocks(system, fixed);
  fit_pattern(added);
  check_petsc(MatZeroEntries(matrix_), "MatZeroEntries");
  for (Index i = 0; i < pattern_.rows(); ++i)
    for (Index e = pattern_.offsets[i]; e < pattern_.offsets[i + 1]; ++e) {
      const Index j = pattern_.columns[e];
      Mat3 block = without_prescribed(to_matrix(values[e]), fixed[i], fixed[j]);
      // Of a prescribed row: its own size keeps the scaling; an obstacle's vertex has none.
      for (int k = 0; k < 3 && i == j; ++k)
        if (fixed[i] >> k & 1) block(k, k) = values[e](k, k) > 0 ? values[e](k, k) : 1;
      add(i, numbers_[j], block);
    }
  for (const AddedBlock& block : added)
    add(block.row, number_of(block.column), without_prescribed(block.value, fixed[block.row], mask_of(block.column)));
  check_petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyBegin");
  check_petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), "MatAssemblyEnd");
}

void PetscMatrix::add(Index row, PetscInt column, const Mat3& block) {
  check_petsc(MatSetValuesBlocked(matrix_, 1, &numbers_[row], 1, &column, &block.m[0][0], ADD_VALUES),
              "MatSetValuesBlocked");
}

}  // namespace unbarred
