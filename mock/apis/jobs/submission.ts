import { isRefusedFormat } from '../../../contract/policies/refused-format.ts';
import type { AssumeJobs } from './assumptions.ts';
import type { JobFacts } from './facts.ts';
import { isRecord } from '../../../contract/index.ts';

/** The member of a submission that is passed to its run and never stored. */
export const EXTRA_DATA = 'extra_data';

/** A parsed submission: its graph, and the other members. */
export type SubmitBody =
  | { readonly kind: 'editor-format' }
  | { readonly kind: 'graph'; readonly graph: unknown; readonly extraData: unknown };

/**
 * Finds the graph in a body (open point ): in its member of an envelope, else the body itself,
 * without the reserved members and the extra data. A body is an envelope if that member is not a node.
 */
export function readSubmission(
  body: unknown,
  assume: AssumeJobs,
  { reserved, refusedFormat }: Pick<JobFacts, 'reserved' | 'refusedFormat'>,
): SubmitBody {
  if (!isRecord(body)) return { kind: 'graph', graph: body, extraData: undefined };
  const { graphMember } = assume('A-60');
  const isEditorFormat = (value: unknown): boolean => isRefusedFormat(refusedFormat, value);
  const inner = body[graphMember];
  const isEnvelope = Object.hasOwn(body, graphMember) && !isNodeLike(inner);
  if (isEditorFormat(body) || (isEnvelope && isEditorFormat(inner))) return { kind: 'editor-format' };
  const extraData = body[EXTRA_DATA];
  if (isEnvelope) return { kind: 'graph', graph: inner, extraData };
  const beside = new Set([...reserved.members, EXTRA_DATA]);
  const nodes = Object.entries(body).filter(([member]) => !beside.has(member));
  return { kind: 'graph', graph: Object.fromEntries(nodes), extraData };
}

/**
 * The faults of the extra data: its members are a closed list, and their values are texts (open point A-61).
 */
export function extraDataFault(extraData: unknown, keys: readonly string[]): string | undefined {
  if (extraData === undefined) return undefined;
  if (!isRecord(extraData)) return `${EXTRA_DATA} must be an object.`;
  const unknown = Object.keys(extraData).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    return `${EXTRA_DATA} has no member ${JSON.stringify(unknown.slice(0, 80))}. It takes: ${keys.join(', ')}.`;
  const noText = keys.find((key) => Object.hasOwn(extraData, key) && typeof extraData[key] !== 'string');
  return noText === undefined ? undefined : `${EXTRA_DATA}.${noText} must be a string.`;
}

// --- internal ---

function isNodeLike(value: unknown): boolean {
  return isRecord(value) && typeof value['class_type'] === 'string';
}
