// The only file that includes ptscotch.h, which needs <stdio.h> and <mpi.h> before it and, in some releases, C linkage.
#include <stdio.h>

#include <limits>

#include <mpi.h>
extern "C" {
#include <ptscotch.h>
}

#include "core/log.hpp"
#include "partitioning/partitioner.hpp"
#include "partitioning/vertex_graph.hpp"

namespace unbarred {

/// PT-Scotch's objects for one call; every part is freed whatever fails.
class ScotchPartition {
 public:
  ScotchPartition(const Communicator& communicator, const VertexGraph& graph)
      : communicator_(communicator),
        offsets_(graph.offsets.begin(), graph.offsets.end()),
        neighbours_(graph.neighbours.begin(), graph.neighbours.end()) {
    SCOTCH_contextInit(&context_);
    SCOTCH_dgraphInit(&graph_, communicator.handle());
    SCOTCH_stratInit(&strategy_);
  }
  ScotchPartition(const ScotchPartition&) = delete;
  ScotchPartition& operator=(const ScotchPartition&) = delete;
  ~ScotchPartition() {
    SCOTCH_stratExit(&strategy_);
    SCOTCH_dgraphExit(&graph_);
    SCOTCH_contextExit(&context_);
  }

  /// The part of every vertex of this rank; empty when PT-Scotch failed on any rank. @note Collective
  std::vector<int> run() {
    const SCOTCH_Num vertices = static_cast<SCOTCH_Num>(offsets_.size()) - 1;
    const SCOTCH_Num arcs = static_cast<SCOTCH_Num>(neighbours_.size());
    neighbours_.resize(std::max<std::size_t>(neighbours_.size(), 1));  // never a null pointer
    const bool built = SCOTCH_dgraphBuild(&graph_, 0, vertices, vertices, offsets_.data(), nullptr, nullptr, nullptr,
                                          arcs, arcs, neighbours_.data(), nullptr, nullptr) == 0;
    if (!communicator_.min(built && reproducible() ? 1 : 0)) return {};

    const SCOTCH_Num parts = communicator_.size();
    std::vector<SCOTCH_Num> part(offsets_.size());
    SCOTCH_Dgraph bound;
    SCOTCH_dgraphInit(&bound, communicator_.handle());
    const bool done =
        SCOTCH_contextBindDgraph(&context_, &graph_, &bound) == 0 &&
        SCOTCH_stratDgraphMapBuild(&strategy_, SCOTCH_STRATDEFAULT, parts, parts, allowed_imbalance) == 0 &&
        SCOTCH_dgraphPart(&bound, parts, &strategy_, part.data()) == 0;
    SCOTCH_dgraphExit(&bound);
    if (!communicator_.min(done ? 1 : 0)) return {};
    return {part.begin(), part.end() - 1};
  }

 private:
  static constexpr double allowed_imbalance = 0.02;

  /// One thread, a fixed seed and no shortcuts that depend on the order of arrival.
  bool reproducible() {
    SCOTCH_contextRandomClone(&context_);
    SCOTCH_contextRandomSeed(&context_, 1);
    SCOTCH_contextRandomReset(&context_);
    return SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
           SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1) == 0 &&
           SCOTCH_contextThreadSpawn(&context_, 1, nullptr) == 0;
  }

  const Communicator& communicator_;
  std::vector<SCOTCH_Num> offsets_, neighbours_;
  SCOTCH_Context context_;
  SCOTCH_Dgraph graph_;
  SCOTCH_Strat strategy_;
};

/// Largest part over the mean; infinite for parts that do not exist.
static Real imbalance(const Communicator& communicator, const std::vector<int>& owners, GlobalIndex vertices) {
  std::vector<Real> counts(static_cast<std::size_t>(communicator.size()), 0);
  bool valid = true;
  for (int owner : owners) {
    if (owner >= 0 && owner < communicator.size()) counts[static_cast<std::size_t>(owner)] += 1;
    else valid = false;
  }
  communicator.sum(std::span<Real>(counts));
  if (!communicator.min(valid ? 1 : 0)) return std::numeric_limits<Real>::infinity();
  return *std::max_element(counts.begin(), counts.end()) * communicator.size() / static_cast<Real>(vertices);
}

class GraphPartitioner final : public Partitioner {
 public:
  std::vector<int> owners(const Communicator& communicator, const BlockMesh& mesh) const override {
    name_ = graph_name;
    if (communicator.size() == 1) return std::vector<int>(mesh.positions.size(), 0);
    if (mesh.vertices.size < smallest_part * communicator.size())
      return fall_back(communicator, mesh, "fewer than 64 vertices a rank", LogLevel::detail);

    std::vector<int> owners;
    {
      const VertexGraph graph = build_vertex_graph(communicator, mesh);
      const GlobalIndex arcs = communicator.sum(static_cast<GlobalIndex>(graph.neighbours.size()));
      if (std::max(arcs, mesh.vertices.size) > std::numeric_limits<SCOTCH_Num>::max())
        return fall_back(communicator, mesh, "the graph is too large for PT-Scotch's integers");
      owners = ScotchPartition(communicator, graph).run();
    }
    if (communicator.max(owners.size() == mesh.positions.size() ? 0 : 1))
      return fall_back(communicator, mesh, "PT-Scotch failed");
    if (imbalance(communicator, owners, mesh.vertices.size) > largest_imbalance)
      return fall_back(communicator, mesh, "PT-Scotch's parts are unbalanced");
    return owners;
  }
  const char* name() const override { return name_; }

 private:
  static constexpr const char* graph_name = "graph (PT-Scotch)";
  static constexpr GlobalIndex smallest_part = 64;  // below it a cut of the graph gains nothing, and may fail
  static constexpr Real largest_imbalance = 1.3;

  std::vector<int> fall_back(const Communicator& communicator, const BlockMesh& mesh, const char* reason,
                             LogLevel level = LogLevel::warning) const {
    const auto geometric = make_geometric_partitioner();
    name_ = geometric->name();
    if (communicator.is_root()) log_message(level, std::string("partition: ") + reason + "; " + name_ + " is used");
    return geometric->owners(communicator, mesh);
  }

  mutable const char* name_ = graph_name;  // what the last call used
};

std::unique_ptr<Partitioner> make_graph_partitioner() { return std::make_unique<GraphPartitioner>(); }

}  // namespace unbarred
