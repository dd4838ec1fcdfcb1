/**
 * The functions that are on a cycle of calls, or between two such cycles: the rest after repeatedly removing
 * functions that call no remaining function or are called by none.
 *
 * @param calls the callees of each function
 */
export function recursiveFunctions(calls: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const left = new Set(calls.keys());
  const callers = reversed(calls);
  peel(left, calls, callers);
  peel(left, callers, calls);
  return left;
}

// --- internal ---

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

/** Removes everything without an edge to a remaining element. */
function peel(left: Set<string>, edges: Edges, back: Edges): void {
  const count = new Map<string, number>();
  for (const name of left) count.set(name, [...(edges.get(name) ?? [])].filter((to) => left.has(to)).length);
  const loose = [...left].filter((name) => count.get(name) === 0);
  for (let name = loose.pop(); name !== undefined; name = loose.pop()) {
    left.delete(name);
    for (const from of back.get(name) ?? []) {
      const rest = (count.get(from) ?? 0) - 1;
      count.set(from, rest);
      if (rest === 0 && left.has(from)) loose.push(from);
    }
  }
}

function reversed(edges: Edges): Edges {
  const back = new Map<string, Set<string>>();
  for (const [from, targets] of edges)
    for (const to of targets) {
      const known = back.get(to);
      if (known === undefined) back.set(to, new Set([from]));
      else known.add(from);
    }
  return back;
}
