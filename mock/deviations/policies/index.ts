import { isOfAnother, policyFor } from '../../../contract/index.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { Policy } from '../../../contract/policies/policy.ts';
import type { Deviation } from '../deviation.ts';
import { deviationsBy, type Ways } from './broken.ts';
import { bucketWays, callerWays, codeWays, headerWays } from './errors.ts';
import { capacityWays, deadlineWays, replayWays, singleUseWays } from './keys.ts';
import { acceptedWays, linkWays, presenceWays, uploadWays } from './members.ts';
import { pageWays } from './pages.ts';
import { stateWays, streamWays } from './states.ts';
import { tagWays } from './tags.ts';
import { reservedWays, thingWays, uniqueWays } from './things.ts';
import { versionWays } from './versions.ts';

/** The ways in which the mock of a user's own contract can break the policies of its sheet. */
export function policyDeviations(contract: Contract): readonly Deviation[] {
  const all = (contract.sheet?.policies ?? []).flatMap((policy) => {
    const held: readonly (Operation | undefined)[] =
      'operations' in policy && policy.kind !== 'presence' && policy.kind !== 'resource'
        ? contract.operations.filter((operation) => policyFor(operation, policy.kind) === policy)
        : [undefined];
    return held.flatMap((operation) =>
      deviationsBy(
        contract,
        {
          policy: policy.kind,
          isOfAnother: (rule) => isOfAnother(rule, policy),
          ...(operation === undefined ? {} : { operation }),
          ...(policy.kind === 'resource' ? { among: Object.values(policy.operations) as string[] } : {}),
        },
        waysOf(contract, policy, operation),
      ),
    );
  });
  // A rule can be about several operations.
  const taken = new Set<string>();
  return all.map((deviation) => {
    const { id, operations = [] } = deviation;
    const own = taken.has(id) ? { ...deviation, id: `${id}-${operations.join('-')}` } : deviation;
    taken.add(own.id);
    return own;
  });
}

// --- internal ---

function waysOf(contract: Contract, policy: Policy, held: Operation | undefined): Ways {
  const operation = held?.id ?? '';
  switch (policy.kind) {
    case 'capacity':
      return capacityWays(contract, policy, operation);
    case 'deadline':
      return deadlineWays(policy, operation);
    case 'conditional-write': {
      const read = contract.operations.find(({ method, path }) => method === 'get' && path === held?.path);
      return versionWays(policy, {
        read: read?.id,
        create: read && createdAsRead(contract, operation, read),
      });
    }
    case 'diagnostics':
      return acceptedWays(contract, policy);
    case 'reserved-fields':
      return reservedWays(operation);
    case 'resource':
      return thingWays(contract, policy);
    case 'uniqueness':
      return uniqueWays(operation);
    case 'idempotency':
      return policy.mode === 'replay' ? replayWays(policy, operation) : singleUseWays(policy, operation);
    case 'pagination':
    case 'numbered-pages':
      return pageWays(policy);
    case 'conditional-get':
      return tagWays(policy, operation);
    case 'credentials':
      return callerWays(contract);
    case 'error-codes':
      return codeWays(contract, policy);
    case 'error-buckets':
      return bucketWays(policy);
    case 'headers':
      return headerWays(policy);
    case 'lifecycle':
      return stateWays(contract, policy);
    case 'event-stream':
      return streamWays(contract, policy);
    case 'presence':
      return presenceWays(policy);
    case 'links':
      return linkWays(policy);
    case 'upload':
      return uploadWays(policy);
    default:
      return {};
  }
}

/** The creation of the things that an operation changes, if its 201 has the body of a read. */
function createdAsRead(
  { operations, sheet }: Contract,
  changed: string,
  read: Operation,
): string | undefined {
  const roles = (sheet?.policies ?? []).flatMap((one) => (one.kind === 'resource' ? [one.operations] : []));
  const { create: id } = roles.find((one) => Object.values(one).includes(changed)) ?? {};
  const create = operations.find((one) => one.id === id && one.id !== changed);
  const bodyOf = (operation: Operation | undefined, status: string): string =>
    JSON.stringify(operation?.responses.find((one) => one.status === status)?.content[0]?.schema) ?? '';
  const body = bodyOf(create, '201');
  return body !== '' && body === bodyOf(read, '200') ? id : undefined;
}
