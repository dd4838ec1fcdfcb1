import type { DiagnosticMeaning } from '../../../contract/policies/policy.ts';
import type { Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import type { EngineFinding } from '../../call/engine.ts';
import type { AssumedRefusal } from './assumptions.ts';
import { inputFindings } from './model-input.ts';
import { bucketAnswer, refuse, refuseOpenly, roleOf, type Router } from './context.ts';
import { rejectedByModel } from './rejected-by-model.ts';

/**
 * The faults of the request itself: first its body, then Prism's findings, interpreted by the sheet's table
 * of findings, then the model's own schema (document 1, "Errors", `badInput`; open point ).
 */
export function requestChecks(router: Router): Behaviour {
  return (call, next) => {
    const refusal =
      (call.operation?.requestBody === undefined ? undefined : bodyRefusal(router, call)) ??
      findingRefusal(router, call) ??
      schemaRefusal(router, call);
    return refusal === undefined ? next() : refusal;
  };
}

// --- internal ---

function bodyRefusal(router: Router, call: Call): Answer | undefined {
  const body = call.request.body();
  const { malformed, tooLarge } = router.assume('A-26');
  if (body.kind === 'oversize') {
    const detail = `The body is longer than ${String(body.limit)} bytes.`;
    return refuseOpenly(router, call, tooLarge, { detail, because: 'A-26' });
  }
  // The refusal of a body whose media type is not JSON.
  const isOther = call.findings.some(({ keyword }) => keyword === '415');
  if (body.kind !== 'malformed' || isOther) return undefined;
  return refuseOpenly(router, call, malformed, { detail: body.sentence, because: 'A-26' });
}

function findingRefusal(router: Router, call: Call): Answer | undefined {
  for (const finding of call.findings) {
    const meaning = meaningOf(router, call, finding);
    if (meaning !== undefined && meaning.means !== 'refuse') continue;
    const bucket = meaning?.bucket ?? router.facts.buckets.roles.badInput;
    const because = silentPoint(finding);
    const detail = finding.message;
    call.note('request checks', `${finding.at}: ${detail}`);
    const open = openAnswer(router, call, finding);
    return open === undefined
      ? refuse(router, call, { role: roleOf(router, bucket), detail, because })
      : refuseOpenly(router, call, open, { detail, because });
  }
  return undefined;
}

function silentPoint(finding: EngineFinding): string {
  return finding.at.startsWith('query') ? 'A-24' : 'A-26';
}

/** The refusal if the contract leaves its status or bucket open. */
function openAnswer(router: Router, call: Call, { at, keyword }: EngineFinding): AssumedRefusal | undefined {
  if (at.startsWith('query.')) {
    const { limitNotAnInteger, repeated } = router.assume('A-24');
    const name = at.slice('query.'.length);
    if (call.request.query.filter((pair) => pair.name === name).length > 1) return repeated;
    return name === router.facts.pagination.limitParameter ? limitNotAnInteger : undefined;
  }
  const { missing, notAnObject, otherContentType } = router.assume('A-26');
  if (keyword === '415') return otherContentType;
  if (call.request.body().kind === 'none') return missing;
  return at === 'body' ? notAnObject : undefined;
}

function meaningOf(router: Router, call: Call, finding: EngineFinding): DiagnosticMeaning | undefined {
  return router.facts.diagnostics.findings.find(
    ({ operation, at, keyword }) =>
      (operation === '*' || operation === call.operation?.id) &&
      (keyword === '*' || keyword === finding.keyword) &&
      (at.endsWith('*') ? finding.at.startsWith(at.slice(0, -1)) : finding.at === at),
  );
}

function schemaRefusal(router: Router, call: Call): Answer | undefined {
  const model = router.state.catalogue.visible(call.facts.modelId ?? '');
  const body = call.request.body();
  if (model === undefined || body.kind !== 'json' || call.operation?.requestBody === undefined)
    return undefined;
  const failures = router.mechanisms.inputFailures(router, call, model, body.value);
  const [first] = failures;
  if (first === undefined) return undefined;
  const { refusedBySchema } = router.assume('A-17');
  call.note('request checks', 'the schema of the model does not accept the input', 'A-17');
  if (refusedBySchema === 422) return rejectedByModel(router, call, failures);
  call.facts.inputFindings = inputFindings(failures);
  const { buckets } = router.facts;
  const where = first.loc.length === 0 ? 'The input' : first.loc.join('.');
  return bucketAnswer(router, {
    status: refusedBySchema,
    bucket: buckets.roles.badInput,
    detail: `${where}: ${first.msg}.`,
    headers: [],
    licence: 'A-17',
  });
}
