import { reservedIn } from '../../../contract/policies/reserved-fields.ts';
import type { Call } from '../../call/call.ts';
import { assetReferences } from './assets.ts';
import { scopeOf, type JobRefusal, type Jobs } from './context.ts';
import { readGraph, type GraphNode } from './graph.ts';
import { extraDataFault, readSubmission } from './submission.ts';

export type CheckedSubmission =
  | { readonly kind: 'good'; readonly nodes: readonly GraphNode[] }
  | { readonly kind: 'refused'; readonly refusal: JobRefusal };

/**
 * Everything that a submission is judged by before it becomes a job (document 3, "Submit request" and "POST
 * /api/v2/jobs"): the body, members that it must not have, its extra data, its graph, the assets of the graph.
 */
export function checkSubmission(jobs: Jobs, call: Call): CheckedSubmission {
  const body = call.request.body();
  if (body.kind === 'oversize')
    return refused('badRequest', `The body is longer than ${String(body.limit)} bytes.`, {
      status: TOO_LARGE,
    });
  if (body.kind === 'none') return refused('badRequest', 'Send a workflow as JSON.');
  if (body.kind === 'malformed') return refused('badRequest', 'The body is not JSON.');
  if (!isJson(call)) return refused('badRequest', 'Send the workflow with Content-Type: application/json.');

  const { reserved } = jobs.facts;
  const [taken] = reservedIn(reserved, body.value).filter((member) => !isTaken(call, body.value, member));
  if (taken !== undefined)
    return refused('badRequest', `${taken} is kept for a later release: leave it out.`);

  const submission = readSubmission(body.value, jobs.assume, jobs.facts);
  if (submission.kind === 'editor-format')
    return refused('editorFormat', 'This is an export of the editor: send the workflow in API format.');
  const options = { open: call.switches.extraDataOpen === true };
  const fault = extraDataFault(submission.extraData, jobs.assume('A-61').keys, options);
  if (fault !== undefined) return refused('badRequest', fault);
  return checkGraph(jobs, call, submission.graph);
}

// --- internal ---

const TOO_LARGE = 413;

function checkGraph(jobs: Jobs, call: Call, graph: unknown): CheckedSubmission {
  const { switches } = call;
  const unknownClasses = switches.unknownClassesTaken === true ? 'taken' : 'refused';
  const reading = readGraph(graph, jobs.classes, { unknownClasses });
  if (reading.kind === 'faulty')
    return refused('invalidGraph', reading.message, { details: { node_errors: reading.faults } });
  for (const id of assetReferences(graph, jobs.assume)) {
    const standing = id === undefined ? 'unknown' : jobs.state.assets.standing(id, scopeOf(call));
    if (standing === 'own' || switches.assetsTaken === standing) continue;
    // Those of others are as unknown as those that do not exist.
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

function isTaken({ switches }: Call, body: unknown, member: string): boolean {
  const { reservedTaken = [] } = switches;
  const isNull = (body as Readonly<Record<string, unknown>>)[member] === null;
  return reservedTaken.includes(member) || (isNull && reservedTaken.includes(null));
}

/** A body without a type is taken for what it is. */
function isJson(call: Call): boolean {
  const type = call.request.header('content-type');
  return type === undefined || /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}
