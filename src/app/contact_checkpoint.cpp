#include "app/contact_checkpoint.hpp"

#include <algorithm>
#include <set>

#include "app/mesh_bodies.hpp"
#include "core/log.hpp"
#include "partitioning/partitioner.hpp"

namespace unbarred {

namespace {

/// The fields of a saved pair, by their names in the file.
struct SavedField {
  const char* name;
  Real (*get)(const ActivePair&);
  void (*set)(ActivePair&, Real);
};
constexpr SavedField saved_fields[] = {
    {"active", [](const ActivePair& p) { return Real(p.active); },
     [](ActivePair& p, Real value) { p.active = value != 0; }},
    {"decay", [](const ActivePair& p) { return p.decay; }, [](ActivePair& p, Real value) { p.decay = value; }},
    {"friction_x", [](const ActivePair& p) { return p.friction_hold[0]; },
     [](ActivePair& p, Real value) { p.friction_hold[0] = value; }},
    {"friction_y", [](const ActivePair& p) { return p.friction_hold[1]; },
     [](ActivePair& p, Real value) { p.friction_hold[1] = value; }},
    {"friction_z", [](const ActivePair& p) { return p.friction_hold[2]; },
     [](ActivePair& p, Real value) { p.friction_hold[2] = value; }},
    {"friction_multiplier", [](const ActivePair& p) { return p.friction_multiplier; },
     [](ActivePair& p, Real value) { p.friction_multiplier = value; }},
    {"multiplier", [](const ActivePair& p) { return p.multiplier; },
     [](ActivePair& p, Real value) { p.multiplier = value; }},
    {"offset", [](const ActivePair& p) { return p.offset; }, [](ActivePair& p, Real value) { p.offset = value; }},
};

const CheckpointField& field_named(const CheckpointPairs& pairs, const std::string& name) {
  const auto found = std::ranges::find(pairs.fields, name, &CheckpointField::name);
  if (found == pairs.fields.end() || found->components != 1)
    throw Error(ExitCode::checkpoint_mismatch,
                "the checkpoint's contact pairs have no `" + name + "`: another version of the program wrote them");
  return *found;
}

/// Keys and states, holders still to be found.
std::vector<SavedPair> read_pairs(const CheckpointPairs& stored, const Communicator& world) {
  std::vector<SavedPair> pairs(stored.keys.size() / CheckpointPairs::key_width);
  world.agree([&] {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::int64_t* key = &stored.keys[i * CheckpointPairs::key_width];
      if (key[0] < 0 || key[0] > 1)
        throw Error(ExitCode::checkpoint_mismatch,
                    "the checkpoint has a contact pair of the unknown kind " + std::to_string(key[0]));
      SavedPair& pair = pairs[i];
      pair.key.kind = static_cast<PairKind>(key[0]);
      std::copy_n(key + 1, 4, pair.key.id);
      pair.state = {};
      pair.state.pair.kind = pair.key.kind;
    }
    for (const SavedField& saved : saved_fields) {
      const CheckpointField& field = field_named(stored, saved.name);
      for (std::size_t i = 0; i < pairs.size(); ++i) saved.set(pairs[i].state, field.values[i]);
    }
  });
  return pairs;
}

/// Ranks and bodies of the vertices in the partition at hand.
void find_holders(const Simulation& simulation, std::vector<SavedPair>& pairs, const Communicator& world) {
  const IndexMap& map = simulation.map();
  const std::vector<GlobalIndex> owned(map.global_ids().begin(), map.global_ids().begin() + map.owned());
  std::vector<Real> rows;  // exact: both are far below 2^53
  for (std::size_t v = 0; v < owned.size(); ++v) {
    rows.push_back(world.rank());
    rows.push_back(simulation.mesh().vertex_body[v]);
  }
  std::vector<GlobalIndex> wanted;
  for (const SavedPair& pair : pairs) wanted.insert(wanted.end(), pair.key.id, pair.key.id + 4);
  const std::vector<Real> found = fetch_rows(world, map.global_size(), owned, rows, 2, wanted);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    PairHolders& holders = pairs[i].holders;
    for (std::size_t k = 0; k < 4; ++k) holders.owner[k] = static_cast<std::int32_t>(found[2 * (4 * i + k)]);
    holders.body[0] = static_cast<std::int32_t>(found[2 * (4 * i) + 1]);
    holders.body[1] = static_cast<std::int32_t>(found[2 * (4 * i + 3) + 1]);
  }
}

/// Returns how many went, over all ranks.
GlobalIndex drop_excluded(const Simulation& simulation, std::vector<SavedPair>& pairs, const Communicator& world) {
  const Scene& scene = simulation.scene();
  std::set<std::pair<std::int32_t, std::int32_t>> excluded;
  for (const auto& [a, b] : mesh_body_pairs(scene.contact->none, scene, simulation.mesh().scene_body))
    excluded.insert(std::minmax(a, b));
  const std::size_t dropped = std::erase_if(pairs, [&](const SavedPair& pair) {
    return excluded.contains(std::minmax(pair.holders.body[0], pair.holders.body[1]));
  });
  return world.sum(static_cast<GlobalIndex>(dropped));
}

}  // namespace

std::optional<ContactState> contact_state(const Simulation& simulation) {
  const ContactProblem* contact = simulation.contact();
  if (!contact) return std::nullopt;
  return ContactState{contact->active().saved()};
}

void save_contact(const std::optional<ContactState>& state, CheckpointData& data) {
  if (!state) return;
  CheckpointPairs& stored = data.pairs.emplace();
  for (const SavedField& saved : saved_fields) stored.fields.push_back({saved.name, 1, {}});
  for (const SavedPair& pair : state->pairs) {
    stored.keys.push_back(static_cast<std::int64_t>(pair.key.kind));
    stored.keys.insert(stored.keys.end(), pair.key.id, pair.key.id + 4);
    for (std::size_t f = 0; f < std::size(saved_fields); ++f)
      stored.fields[f].values.push_back(saved_fields[f].get(pair.state));
  }
}

void restore_contact(Simulation& simulation, const CheckpointData& data, const Communicator& world) {
  ContactProblem* contact = simulation.contact();
  const auto log = [&](const std::string& text) {
    if (world.is_root()) log_info(text);
  };
  if (!contact) {
    if (data.pairs)
      log("the checkpoint has " + std::to_string(*data.pair_count) +
          " contact pairs and the scene no contact: they are left out");
    return;
  }
  if (!data.pairs) return log("the checkpoint is of a run without contact: no pair touches yet");
  std::vector<SavedPair> pairs = read_pairs(*data.pairs, world);
  find_holders(simulation, pairs, world);
  const GlobalIndex dropped = drop_excluded(simulation, pairs, world);
  if (dropped > 0) log(std::to_string(dropped) + " contact pairs are left out: contact.pairs.none lists their bodies");
  const Real ratio = simulation.scene().time_step / data.time_step;
  if (ratio != 1)
    for (SavedPair& pair : pairs) {
      pair.state.multiplier *= ratio * ratio;
      pair.state.friction_multiplier *= ratio * ratio;
      pair.state.friction_hold = (ratio * ratio) * pair.state.friction_hold;
    }
  contact->restore(pairs);
}

}  // namespace unbarred
