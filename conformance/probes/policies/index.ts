import { acceptedProbes } from './accepted-bodies.ts';
import { policyFor } from '../../../contract/index.ts';
import type { Rule } from '../../../contract/model.ts';
import type { Reads } from '../document/reads.ts';
import type { OwnApi } from '../own-api.ts';
import { capacityProbes } from './capacity.ts';
import { conditionalProbes } from './conditional-get.ts';
import { conditionalWriteProbes } from './conditional-write.ts';
import { credentialProbes } from './credentials.ts';
import { deadlineProbes } from './deadline.ts';
import { errorBucketProbes } from './error-buckets.ts';
import { errorCodeProbes } from './error-codes.ts';
import { streamProbes } from './event-stream.ts';
import { Facts } from './facts.ts';
import type { OperationFacts, Policy, Probes } from './facts.ts';
import { headerProbes } from './headers.ts';
import { lifecycleProbes } from './lifecycle.ts';
import { paginationProbes } from './pagination.ts';
import { plainSegmentProbes } from './plain-segments.ts';
import { replayProbes } from './replay.ts';
import { reservedProbes } from './reserved-fields.ts';
import { resourceProbes } from './resource.ts';
import { linkProbes, presenceProbes, uploadProbes } from './shown-members.ts';
import { singleUseProbes } from './single-use.ts';
import { uniquenessProbes } from './uniqueness.ts';

/**
 * The scenarios and oracles that judge the policies of a sheet.
 *
 * @param rules those of the sheet and the usual ones that apply to servers
 */
export function policyProbes(api: OwnApi, reads: Reads, rules: readonly Rule[]): readonly Probes[] {
  const policies = [...(api.contract.sheet?.policies ?? [])].sort(
    (one, other) => Number(CROWDS.has(one.kind)) - Number(CROWDS.has(other.kind)),
  );
  const parts = { api, reads, rules };
  return policies.flatMap((policy) => {
    if (!('operations' in policy) || policy.kind === 'presence' || policy.kind === 'resource')
      return templateFor(policy, (of) => new Facts(parts, of)) ?? [];
    const held = api.operations.filter((operation) => policyFor(operation, policy.kind) === policy);
    return held.flatMap(
      (operation) =>
        templateFor(policy, (of) => new Facts(parts, of, operation) as OperationFacts<typeof of>) ?? [],
    );
  });
}

// --- internal ---

/** Their templates send many calls at once, behind which the work of others would wait. They come last. */
const CROWDS: ReadonlySet<Policy['kind']> = new Set(['capacity', 'deadline', 'idempotency']);

/** `undefined` for kinds that have no consequence for servers. */
function templateFor(
  policy: Policy,
  factsOf: <Of extends Policy>(policy: Of) => Facts<Of>,
): Probes | undefined {
  const of = <Of extends Policy>(one: Of): OperationFacts<Of> => factsOf(one) as OperationFacts<Of>;
  switch (policy.kind) {
    case 'capacity':
      return capacityProbes(of(policy));
    case 'conditional-get':
      return conditionalProbes(of(policy));
    case 'conditional-write':
      return conditionalWriteProbes(of(policy));
    case 'credentials':
      return credentialProbes(factsOf(policy));
    case 'diagnostics':
      return acceptedProbes(factsOf(policy));
    case 'deadline':
      return deadlineProbes(of(policy));
    case 'error-buckets':
      return errorBucketProbes(factsOf(policy));
    case 'error-codes':
      return errorCodeProbes(factsOf(policy));
    case 'event-stream':
      return streamProbes(of(policy));
    case 'headers':
      return headerProbes(factsOf(policy));
    case 'idempotency':
      return policy.mode === 'replay' ? replayProbes(of(policy)) : singleUseProbes(of(policy));
    case 'lifecycle':
      return lifecycleProbes(factsOf(policy));
    case 'links':
      return linkProbes(factsOf(policy));
    case 'pagination':
    case 'numbered-pages':
      return paginationProbes(of(policy));
    case 'plain-segments':
      return plainSegmentProbes(of(policy));
    case 'presence':
      return presenceProbes(factsOf(policy));
    case 'reserved-fields':
      return reservedProbes(of(policy));
    case 'resource':
      return resourceProbes(factsOf(policy));
    case 'uniqueness':
      return uniquenessProbes(of(policy));
    case 'upload':
      return uploadProbes(of(policy));
    default:
      return undefined;
  }
}
