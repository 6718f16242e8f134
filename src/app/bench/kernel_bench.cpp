// `unbarred bench kernels`: what the kernels reach on this machine, beside the memory bandwidth of the same run.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/bench/bench.hpp"
#include "app/copy_kernels.hpp"
#include "app/simulation.hpp"
#include "dynamics/elastic/elastic_kernels.hpp"
#include "linear/pcg.hpp"

namespace unbarred {

namespace {

Scene bench_scene(int cells) {
  Scene scene;
  scene.name = "bench_kernels";
  scene.time_step = 0.01;
  scene.end_time = 1;
  scene.gravity = {{0, -9.81, 0}};
  scene.materials.push_back({"rubber", MaterialModel::stable_neo_hookean, 1000, 1e6, 0.3});
  BodySpec body;
  body.name = "block";
  body.mesh.generator = "box";
  body.mesh.parameters = {{"size", {1, 1, 1}}, {"cells", {Real(cells), Real(cells), Real(cells)}}};
  scene.bodies.push_back(body);
  return scene;
}

/// Bytes/s over all ranks; a copy moves every byte twice. The better of a plain kernel and the library's copy.
double copy_bandwidth(const Communicator& world) {
  const std::int64_t n = std::int64_t{1} << 23;  // 64 MiB an array, past every cache
  DeviceArray<double> from = DeviceArray<double>::zeros(n), to = DeviceArray<double>::zeros(n);
  const double kernel = seconds_of(world, [&] { copy_values(from.view(), to.view()); });
  const double library = seconds_of(world, [&] { memory::copy_on_device(to.data(), from.data(), n * sizeof(double)); });
  return 2.0 * static_cast<double>(n) * sizeof(double) * world.size() / std::min(kernel, library);
}

/// A tenth of a cell this way or that, the same for a vertex on every rank; and a turn, a stretch and a shear: at rest
/// the decompositions in the element kernel would have nothing to do.
Vec3 deformed(const Vec3& x, GlobalIndex id, int cells) {
  const Mat3 map{{{0.8, -0.7, 0.1}, {0.6, 0.9, 0.0}, {0.1, 0.2, 1.1}}};
  Vec3 noise;
  for (int k = 0; k < 3; ++k) {
    const Real phase = std::fmod(static_cast<Real>(3 * id + k) * 0.6180339887498949, 1.0);
    noise[k] = 0.2 * (phase - 0.5) / cells;
  }
  return map * x + noise;
}

struct KernelBench {
  Simulation& simulation;
  const Communicator& world;
  Field predicted, x, y, b;
  DeviceArray<AxisMask> fixed;
  AssemblyWindow window;

  KernelBench(Simulation& s, const Communicator& c, int cells)
      : simulation(s),
        world(c),
        predicted(s.map()),
        x(s.map()),
        y(s.map()),
        b(s.map()),
        fixed(DeviceArray<AxisMask>::zeros(s.map().local())),
        window(s.plan().largest_tile) {
    std::vector<Vec3> positions = s.state().x.to_host();
    for (Index i = 0; i < s.map().local(); ++i) positions[i] = deformed(positions[i], s.map().to_global(i), cells);
    x.set_owned_from_host(positions);
    x.forward(s.halo());
    predicted.assign(x);
  }

  double assembly_seconds() {
    return seconds_of(world, [&] {
      assemble(simulation.elastic(), simulation.plan(), 0.01, x.local(), predicted.local(), {}, window,
               simulation.matrix(), b.write_owned());
    });
  }

  LinearSystem system() { return {world, simulation.map(), simulation.halo(), simulation.matrix(), fixed}; }

  double multiply_seconds() {
    return seconds_of(world, [&] { apply(system(), x, y); });
  }

  /// Seconds an iteration.
  double pcg_seconds(int iterations) {
    Pcg pcg(simulation.map(), {.tolerance = 0, .maximum_iterations = iterations});
    Field p(simulation.map());
    return seconds_of(world,
                      [&] {
                        p.set_zero();
                        pcg.solve(system(), x, p);
                      }) /
           iterations;
  }
};

double multiply_bytes(const BlockMatrix& matrix, const IndexMap& map) {
  return static_cast<double>(matrix.blocks()) * (sizeof(Block) + sizeof(Index)) +
         matrix.rows() * (sizeof(Index) + sizeof(Vec3) + 1.0) + map.local() * sizeof(Vec3);
}

/// advance_solution reads d, q, x, r and the inverse block, writes x, r, z; next_direction reads z, d, writes d.
double vector_bytes(const IndexMap& map) { return map.owned() * (10.0 * sizeof(Vec3) + sizeof(SymmetricBlock)); }

}  // namespace

void bench_kernels(const Communicator& world, int cells) {
  memory::reset_peak();
  const double resident_before = resident_peak_bytes();
  Simulation simulation(bench_scene(cells), world);
  simulation.release_host_mesh();
  // One whole step, so that the peak is that of a run.
  simulation.advance();
  const double tetrahedra = static_cast<double>(simulation.mesh().global_tetrahedra);
  const double arrays = world.sum(static_cast<double>(memory::usage().peak)) / tetrahedra;
  const double resident = world.sum(resident_peak_bytes() - resident_before) / tetrahedra;
  const double bandwidth = copy_bandwidth(world);
  KernelBench bench(simulation, world, cells);
  const double assembly = bench.assembly_seconds();
  const double multiply = bench.multiply_seconds();
  constexpr int iterations = 50;
  const double pcg = bench.pcg_seconds(iterations);
  const double matrix_bytes = world.sum(multiply_bytes(simulation.matrix(), simulation.map()));
  const double all_bytes = matrix_bytes + world.sum(vector_bytes(simulation.map()));
  if (!world.is_root()) return;
  fmt::print("{}", bench_heading("kernels", world.size()));
  fmt::print("tetrahedra {:.0f}, vertices {}, blocks of rank 0 {}, median of {}\n", tetrahedra,
             simulation.map().global_size(), simulation.matrix().blocks(), bench_repetitions);
  fmt::print("{:<28} {:>10.2f} GB/s\n", "copy", bandwidth / 1e9);
  fmt::print("{:<28} {:>10.3f} M tetrahedra/s\n", "gradient + Hessian", tetrahedra / assembly / 1e6);
  fmt::print("{:<28} {:>10.2f} GB/s  {:>5.1f} % of copy\n", "sparse matrix x vector", matrix_bytes / multiply / 1e9,
             100 * matrix_bytes / multiply / bandwidth);
  fmt::print("{:<28} {:>10.2f} GB/s  {:>5.1f} % of copy\n", "PCG iteration", all_bytes / pcg / 1e9,
             100 * all_bytes / pcg / bandwidth);
  fmt::print("{:<28} {:>10.0f} bytes/tetrahedron\n", "peak, arrays of the run", arrays);
  fmt::print("{:<28} {:>10.0f} bytes/tetrahedron\n", "peak, resident, with set-up", resident);
}

}  // namespace unbarred
