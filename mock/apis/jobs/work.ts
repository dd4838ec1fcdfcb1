import { createHash } from 'node:crypto';
import type { GraphNode } from './graph.ts';
import { workMsOf, type OutputKind } from './node-classes.ts';
import { colouredPng, greyJpeg } from './pictures.ts';
import type { Work, WorkNode } from './stored-forms.ts';

/** How a scenario changes the work. */
export interface WorkChanges {
  /** The last node fails. */
  readonly fails?: boolean;
  /** The factor for the duration of every node. */
  readonly slower?: number;
  /** The last node never ends. */
  readonly endless?: boolean;
  /** It is cancelled from elsewhere while it runs. */
  readonly stopped?: boolean;
}

/** The progress of a job: `tick` ticks of the node are over. */
export interface WorkPosition {
  readonly node: number;
  readonly tick: number;
}

/** A complete snapshot of the progress (open point A-72). */
export interface Progress {
  readonly value: number;
  readonly nodes_done: number;
  readonly nodes_total: number;
  readonly current_node: string | null;
  readonly current_node_class: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

/** A preview of the output (open point A-73). */
export interface Preview {
  readonly node_id: string;
  readonly bytes: Uint8Array;
}

/** An output of a node (open point A-74); parts that depend on the job are added when it is shown. */
export interface NodeOutput {
  readonly node_id: string;
  readonly name: string;
  readonly type: OutputKind;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly id: string;
  readonly hash: string;
  readonly url: string;
}

/** The failure of a job (open point A-75). */
export interface Breakdown {
  readonly node_id: string;
  readonly class_type: string;
}

/** The events of one tick. */
export interface WorkStep {
  /** `undefined` at the end of the work. */
  readonly next: WorkPosition | undefined;
  readonly progress: Progress;
  readonly preview?: Preview;
  readonly output?: NodeOutput;
  readonly breakdown?: Breakdown;
}

/** @param tickMs the longest time between two progress updates, in milliseconds */
export function workFor(nodes: readonly GraphNode[], tickMs: number, changes: WorkChanges = {}): Work {
  let fromMs = 0;
  const work = nodes.map(({ id, nodeClass, inputs }, index): WorkNode => {
    const isLast = index === nodes.length - 1;
    const ms =
      isLast && changes.endless === true ? ENDLESS_MS : workMsOf(nodeClass, inputs) * (changes.slower ?? 1);
    const ticks = Math.max(1, Math.ceil(ms / tickMs));
    const node: WorkNode = {
      id,
      className: nodeClass.name,
      ticks,
      tickMs: ms / ticks,
      fromMs,
      ...(nodeClass.makes === undefined ? {} : { makes: nodeClass.makes }),
      text: textOf(inputs),
      previews: nodeClass.previews === true,
      fails: nodeClass.fails === true || (isLast && changes.fails === true),
    };
    fromMs += ms;
    return node;
  });
  return { nodes: work, totalMs: fromMs, isStopped: changes.stopped === true };
}

export const START: WorkPosition = { node: 0, tick: 0 };

/** The duration of the tick at a position, in milliseconds. */
export function tickAt({ nodes }: Work, place: WorkPosition): number {
  return nodes[place.node]?.tickMs ?? 0;
}

export function progressAt({ nodes, totalMs }: Work, place: WorkPosition): Progress {
  const node = nodes[place.node];
  const doneMs = node === undefined ? totalMs : node.fromMs + place.tick * node.tickMs;
  return {
    value: totalMs === 0 ? (node === undefined ? 1 : 0) : Math.round((doneMs / totalMs) * 1_000) / 1_000,
    nodes_done: place.node,
    nodes_total: nodes.length,
    current_node: node?.id ?? null,
    current_node_class: node?.className ?? null,
    step: node === undefined ? null : place.tick,
    steps: node?.ticks ?? null,
    message: null,
  };
}

/** Advances by one tick. Pure: the same position always gives the same step. */
export function stepFrom(work: Work, place: WorkPosition, jobId: string): WorkStep {
  const node = work.nodes[place.node];
  if (node === undefined) return { next: undefined, progress: progressAt(work, place) };
  const tick = place.tick + 1;
  if (node.fails && tick * 2 >= node.ticks) {
    const progress = progressAt(work, { node: place.node, tick });
    return { next: undefined, progress, breakdown: { node_id: node.id, class_type: node.className } };
  }
  const isOver = tick >= node.ticks;
  const next: WorkPosition = isOver ? { node: place.node + 1, tick: 0 } : { node: place.node, tick };
  return {
    next: next.node < work.nodes.length ? next : undefined,
    progress: progressAt(work, next),
    ...(node.previews ? { preview: { node_id: node.id, bytes: greyJpeg(tick / node.ticks) } } : {}),
    ...(isOver && node.makes !== undefined ? { output: outputOf(node, node.makes, place.node, jobId) } : {}),
  };
}

// --- internal ---

/** Longer than any job is kept. */
const ENDLESS_MS = 1_000 * 24 * 3_600_000;

const LONGEST_TEXT = 1_000;

function textOf({ text }: GraphNode['inputs']): string {
  return typeof text === 'string' ? text.slice(0, LONGEST_TEXT) : 'A lighthouse at dusk.';
}

function outputOf({ id, text }: WorkNode, kind: OutputKind, index: number, jobId: string): NodeOutput {
  const number = String(index + 1).padStart(5, '0');
  const made =
    kind === 'text'
      ? { name: `text-${number}.txt`, contentType: 'text/plain', bytes: Buffer.from(text) }
      : {
          name: `picture-${number}.png`,
          contentType: 'image/png',
          bytes: Buffer.from(colouredPng(40, 80 + ((index * 37) % 150), 160)),
        };
  return {
    node_id: id,
    name: made.name,
    type: kind,
    content_type: made.contentType,
    size_bytes: made.bytes.length,
    id: `${jobId.slice(0, 8)}-${number}`,
    hash: createHash('sha256').update(made.bytes).digest('hex'),
    // The mock stores no files: the address contains the data.
    url: `data:${made.contentType};base64,${made.bytes.toString('base64')}`,
  };
}
