"""The best modularity of ten runs of the reference Leiden implementations on the file graph of a map.

    pip install leidenalg igraph
    python leiden_reference.py map.json...
"""

import json
import random
import sys

import igraph
import leidenalg


def file_graph(path):
    with open(path, encoding="utf-8") as map_json:
        graph = json.load(map_json)["graph"]["file_graph"]
    weights = {}
    for source, target, weight in graph["edges"]:
        pair = (min(source, target), max(source, target))
        weights[pair] = weights.get(pair, 0) + weight
    made = igraph.Graph(n=len(graph["files"]), edges=list(weights))
    made.es["weight"] = list(weights.values())
    return made


def main():
    for path in sys.argv[1:]:
        graph = file_graph(path)
        best = {"leidenalg": 0.0, "igraph": 0.0}
        for seed in range(10):
            found = leidenalg.find_partition(
                graph, leidenalg.ModularityVertexPartition, weights="weight", seed=seed, n_iterations=-1
            )
            best["leidenalg"] = max(best["leidenalg"], graph.modularity(found.membership, weights="weight"))
            random.seed(seed)
            found = graph.community_leiden(objective_function="modularity", weights="weight", n_iterations=-1)
            best["igraph"] = max(best["igraph"], graph.modularity(found.membership, weights="weight"))
        print(f"{path}: leidenalg {best['leidenalg']:.6f}, igraph {best['igraph']:.6f}")


if __name__ == "__main__":
    main()
