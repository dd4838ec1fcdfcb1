import { isObject } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { bodyOf, keyed, submit, withGraph } from './job.ts';

/** What an oracle judges by each refusal of a graph; another one judges the shape of each error. */
const RULES = ['jobs.submit.node-errors'] as const;

/** A graph like this one, with something else in one place. */
type Change = (graph: Readonly<Record<string, unknown>>) => unknown;

/** Values that are no node and no graph, and that are no part of most nodes. */
const STRANGE = [null, 'tallystick', []] as const;

/** How many members of a node are changed. */
const MOST_MEMBERS = 2;

const whole: readonly Change[] = [() => undefined, ...STRANGE.map((value) => () => value)];

/** The last node, or one of its members, is missing or something else. */
const ofNode: readonly Change[] = STRANGE.map((value) => (graph) => ({
  ...graph,
  ...lastOf(graph, () => value),
}));

const ofMembers: readonly Change[] = Array.from({ length: MOST_MEMBERS }, (_, at) =>
  [undefined, ...STRANGE].map((value): Change => (graph) => ({
    ...graph,
    ...lastOf(graph, (node) => withMemberAt(node, at, value)),
  })),
).flat();

const CHANGES = [...whole, ...ofNode, ...ofMembers];

export const oddGraphs = scenario({
  id: 'jobs.submit.odd-graphs',
  api: 'jobs',
  title: 'graphs in which something is missing or of another type',
  permissions: ['negatives', 'jobs'],
  needs: ['job.ok'],
  judges: RULES,
  searches: RULES,
  requests: { submit: { ...submit, times: CHANGES.length } },
  run: async function* ({ send, fixtures, freshKey }) {
    const ok = bodyOf(fixtures, 'ok');
    const sent = new Set([JSON.stringify(ok)]);
    // Document 3, Error body: oracles judge the answers. The inner structure of the graph is not documented, so some
    // of these may be valid.
    for (const [index, change] of CHANGES.entries()) {
      const body = withGraph(fixtures, ok, (graph) => (isObject(graph) ? change(graph) : graph));
      const text = JSON.stringify(body);
      if (sent.has(text)) continue;
      sent.add(text);
      await send('submit', index % 2 === 0 ? { body } : keyed(body, freshKey()));
    }
    yield* [];
  },
});

// --- internal ---

function lastOf(
  graph: Readonly<Record<string, unknown>>,
  change: (node: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const last = Object.entries(graph).at(-1);
  return last === undefined ? {} : { [last[0]]: change(last[1]) };
}

function withMemberAt(node: unknown, at: number, value: unknown): unknown {
  const name = isObject(node) ? Object.keys(node)[at] : undefined;
  return name === undefined ? node : { ...(node as object), [name]: value };
}
