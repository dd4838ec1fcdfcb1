/**
 * The functions that can lead back to themselves, and those between two of such circles: what is left when functions that
 * call none of the others, or that none of the others calls, are taken away again and again.
 *
 * @param calls for each function those that it calls
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

/** Takes away what has no edge to anything that is left. */
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
