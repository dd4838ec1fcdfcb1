import type { DiagnosticMeaning } from '../../contract/policies/policy.ts';
import type { Answer } from '../answer.ts';
import type { Behaviour, Call } from '../call.ts';
import type { Finding } from '../engine.ts';
import { inputFailures, inputFindings } from './model-input.ts';
import { bucketAnswer, refuse, roleOf, type Router } from './context.ts';
import { rejectedByModel } from './rejected-by-model.ts';

/**
 * What is wrong with the request itself: its body first, then what Prism found, read by the sheet's table of findings,
 * then the model's own schema (document 1, "Errors", `badInput`; open point ).
 */
export function requestChecks(router: Router): Behaviour {
  return (call, next) => {
    const refusal =
      (call.operation?.requestBody === undefined ? undefined : bodyRefusal(router, call)) ??
      findingRefusal(router, call) ??
      schemaRefusal(router, call);
    return refusal === undefined ? next() : Promise.resolve(refusal);
  };
}

// --- internal ---

function bodyRefusal(router: Router, call: Call): Answer | undefined {
  const body = call.request.body();
  const { malformed, tooLarge } = router.assume('A-26');
  if (body.kind === 'oversize') {
    const detail = `The body is longer than ${String(body.limit)} bytes.`;
    return refuse(router, call, {
      role: roleOf(router, tooLarge.bucket),
      status: tooLarge.status,
      detail,
      because: 'A-26',
    });
  }
  if (body.kind !== 'malformed' || call.switches.bodyUnchecked === true) return undefined;
  const detail = 'The body is not JSON.';
  return refuse(router, call, {
    role: roleOf(router, malformed.bucket),
    status: malformed.status,
    detail,
    because: 'A-26',
  });
}

function findingRefusal(router: Router, call: Call): Answer | undefined {
  for (const finding of call.findings) {
    const meaning = meaningOf(router, call, finding);
    if (meaning !== undefined && meaning.means !== 'refuse') continue;
    if (finding.at.startsWith('body') && call.switches.bodyUnchecked === true) continue;
    const bucket = meaning?.bucket ?? router.facts.buckets.roles.badInput;
    call.note('request checks', `${finding.at}: ${finding.message}`);
    return refuse(router, call, {
      role: roleOf(router, bucket),
      detail: finding.message,
      because: silentPoint(finding),
    });
  }
  return undefined;
}

function silentPoint(finding: Finding): string {
  return finding.at.startsWith('query') ? 'A-24' : 'A-26';
}

function meaningOf(router: Router, call: Call, finding: Finding): DiagnosticMeaning | undefined {
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
  const failures = inputFailures(model, body.value, call.switches);
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
