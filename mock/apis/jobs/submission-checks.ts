import { reservedIn } from '../../../contract/policies/reserved-fields.ts';
import type { Call } from '../../call/call.ts';
import { assetReferences, type AssetOwnership } from './assets.ts';
import { scopeOf, type JobRefusal, type Jobs } from './context.ts';
import { type GraphNode, type GraphReading, readGraph } from './graph.ts';
import { extraDataFault, readSubmission } from './submission.ts';

export type CheckedSubmission =
  | { readonly kind: 'good'; readonly nodes: readonly GraphNode[] }
  | { readonly kind: 'refused'; readonly refusal: JobRefusal };

/**
 * All checks of a submission before it becomes a job (document 3, "Submit request" and "POST /api/v2/jobs"):
 * the body, reserved members, its extra data, its graph, the assets of the graph.
 */
export function checkSubmission(jobs: Jobs, call: Call): CheckedSubmission {
  const body = call.request.body();
  if (body.kind === 'oversize')
    return refused('badRequest', `The body is longer than ${String(body.limit)} bytes.`, {
      status: TOO_LARGE,
    });
  if (body.kind === 'none') return refused('badRequest', 'Send a workflow as JSON.');
  if (body.kind === 'malformed') return refused('badRequest', body.sentence);
  if (!isJson(call)) return refused('badRequest', 'Send the workflow with Content-Type: application/json.');

  const [taken] = jobs.mechanisms.reservedMembers(jobs, call, body.value);
  if (taken !== undefined)
    return refused('badRequest', `${taken} is reserved for a later release: leave it out.`);

  const submission = readSubmission(body.value, jobs.assume, jobs.facts);
  if (submission.kind === 'editor-format')
    return refused('editorFormat', 'This is an export of the editor: send the workflow in API format.');
  const fault = jobs.mechanisms.faultOfExtraData(jobs, call, submission.extraData);
  if (fault !== undefined) return refused('badRequest', fault);
  return checkGraph(jobs, call, submission.graph);
}

/** Members of a body that are reserved. */
export function reservedMembers({ facts }: Jobs, _call: Call, body: unknown): readonly string[] {
  return reservedIn(facts.reserved, body);
}

export function faultOfExtraData({ assume }: Jobs, _call: Call, extraData: unknown): string | undefined {
  return extraDataFault(extraData, assume('A-61').keys);
}

export function graphRead({ classes }: Jobs, _call: Call, graph: unknown): GraphReading {
  return readGraph(graph, classes);
}

/** The owner of an asset. An asset without an id has no owner. */
export function standingOf({ state }: Jobs, call: Call, id: string | undefined): AssetOwnership {
  return id === undefined ? 'unknown' : state.assets.standing(id, scopeOf(call));
}

// --- internal ---

const TOO_LARGE = 413;

function checkGraph(jobs: Jobs, call: Call, graph: unknown): CheckedSubmission {
  const reading = jobs.mechanisms.graphRead(jobs, call, graph);
  if (reading.kind === 'faulty')
    return refused('invalidGraph', reading.message, { details: { node_errors: reading.faults } });
  for (const id of assetReferences(graph, jobs.assume)) {
    if (jobs.mechanisms.standingOf(jobs, call, id) === 'own') continue;
    // Assets of others are treated like assets that do not exist.
    const name =
      id === undefined ? 'An asset reference has no id.' : `There is no asset ${id.slice(0, 200)}.`;
    return refused('missingAsset', name, { because: 'A-68' });
  }
  return { kind: 'good', nodes: reading.nodes };
}

function refused(
  role: JobRefusal['role'],
  message: string,
  more: Partial<JobRefusal> = {},
): CheckedSubmission {
  return { kind: 'refused', refusal: { role, message, ...more } };
}

/** A body without a media type is parsed by its content. */
function isJson(call: Call): boolean {
  const type = call.request.header('content-type');
  return type === undefined || /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}
