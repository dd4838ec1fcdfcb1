import type { NodeClass, NodeClasses } from './node-classes.ts';
import { isRecord } from '../../../contract/index.ts';

/** One node of a graph in API format: a class, and inputs that are values or links to other nodes. */
export interface GraphNode {
  readonly id: string;
  readonly nodeClass: NodeClass;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The fault of a node, in the terms of the error body. */
export interface NodeFault {
  readonly field: string;
  readonly reason: string;
}

export type GraphReading =
  /** In topological order: a node follows the nodes that it is linked to. */
  | { readonly kind: 'graph'; readonly nodes: readonly GraphNode[] }
  | { readonly kind: 'faulty'; readonly message: string; readonly faults: NodeFaults };

export type NodeFaults = Readonly<Record<string, readonly NodeFault[]>>;

/** Parses a graph and reports all its faults (document 3, "Error body", `node_errors`). */
export function readGraph(graph: unknown, classes: NodeClasses): GraphReading {
  if (!isRecord(graph)) return faulty('A workflow is an object of nodes.', []);
  const entries = Object.entries(graph);
  if (entries.length === 0) return faulty('The workflow has no nodes.', []);
  const ids = new Set(entries.map(([id]) => id));
  const nodes: GraphNode[] = [];
  const faults: [string, readonly NodeFault[]][] = [];
  for (const [id, value] of entries) {
    const read = readNode(id, value, ids, classes);
    if (read.node !== undefined) nodes.push(read.node);
    if (read.faults.length > 0) faults.push([id, read.faults]);
  }
  if (faults.length > 0) return faulty('The workflow has nodes that cannot run.', faults);
  const { order, circle } = inOrder(nodes);
  if (circle === undefined) return { kind: 'graph', nodes: order };
  return faulty('The workflow runs in a circle.', [[circle.id, [{ field: circle.input, reason: 'circle' }]]]);
}

/** The node that an input is linked to; a link is the id of a node and the number of its output. */
export function linkedNode(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [id, output] = value as readonly unknown[];
  return typeof id === 'string' && Number.isInteger(output) ? id : undefined;
}

// --- internal ---

function faulty(message: string, faults: readonly (readonly [string, readonly NodeFault[]])[]): GraphReading {
  return { kind: 'faulty', message, faults: Object.fromEntries(faults) };
}

function readNode(
  id: string,
  value: unknown,
  ids: ReadonlySet<string>,
  classes: NodeClasses,
): { node?: GraphNode; faults: readonly NodeFault[] } {
  if (!isRecord(value)) return { faults: [{ field: '', reason: 'not_a_node' }] };
  const { class_type: name, inputs = {} } = value;
  if (typeof name !== 'string' || name === '')
    return { faults: [{ field: 'class_type', reason: 'missing_class_type' }] };
  if (!isRecord(inputs)) return { faults: [{ field: 'inputs', reason: 'not_an_object' }] };
  const nodeClass = classes(name);
  if (nodeClass === undefined) return { faults: [{ field: 'class_type', reason: 'unknown_class' }] };
  const missing = (nodeClass.requires ?? []).filter((input) => (inputs[input] ?? undefined) === undefined);
  const astray = Object.entries(inputs).filter(([, input]) => {
    const linked = linkedNode(input);
    return linked !== undefined && !ids.has(linked);
  });
  return {
    node: { id, nodeClass, inputs },
    faults: [
      ...missing.map((field) => ({ field, reason: 'missing_input' })),
      ...astray.map(([field]) => ({ field, reason: 'unknown_node' })),
    ],
  };
}

/**
 * Kahn's algorithm; nodes of equal rank keep the order of the document. No recursion, because graphs can be
 * long.
 */
function inOrder(nodes: readonly GraphNode[]): {
  order: readonly GraphNode[];
  circle?: { id: string; input: string };
} {
  const links = new Map(
    nodes.map(({ id, inputs }) => [
      id,
      new Set(Object.values(inputs).flatMap((input) => linkedNode(input) ?? [])),
    ]),
  );
  const followers = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    for (const id of links.get(node.id) ?? []) {
      const known = followers.get(id);
      if (known === undefined) followers.set(id, [node]);
      else known.push(node);
    }
  }
  const open = new Map(nodes.map(({ id }) => [id, links.get(id)?.size ?? 0]));
  const order = nodes.filter(({ id }) => open.get(id) === 0);
  for (const { id } of order) {
    for (const follower of followers.get(id) ?? []) {
      const left = (open.get(follower.id) ?? 0) - 1;
      open.set(follower.id, left);
      if (left === 0) order.push(follower);
    }
  }
  if (order.length === nodes.length) return { order };
  const stuck = nodes.find(({ id }) => (open.get(id) ?? 0) > 0);
  const input = Object.entries(stuck?.inputs ?? {}).find(
    ([, value]) => (open.get(linkedNode(value) ?? '') ?? 0) > 0,
  );
  return { order, circle: { id: stuck?.id ?? '', input: input?.[0] ?? '' } };
}
