import type { Contract, Operation } from '../../../contract/model.ts';
import type { CredentialsPolicy } from '../../../contract/policies/credentials.ts';
import type { SingleUsePolicy } from '../../../contract/policies/idempotency-single-use.ts';
import { servedApiOf } from '../../../contract/served/served.ts';
import type { ServedApi } from '../../../engine/served-api.ts';
import { type PoliciesOf, requirePolicies, requirePolicy } from '../../call/facts.ts';
import type { AssumeJobs } from './assumptions.ts';

/** The role of an error; its code and its status are in the behaviour sheet. */
export type JobErrorRole =
  | 'invalidGraph'
  | 'editorFormat'
  | 'usedKey'
  | 'badRequest'
  | 'missingAsset'
  | 'unknownJob'
  | 'noCredential'
  | 'noAccess'
  | 'noCredits'
  | 'queueFull'
  | 'notReady'
  | 'stopped'
  | 'rateLimit'
  | 'tooManyStreams'
  | 'upstream'
  | 'notImplemented';

const POLICIES = {
  errors: 'error-codes',
  refusedFormat: 'refused-format',
  reserved: 'reserved-fields',
  lifecycle: 'lifecycle',
  presence: 'presence',
  links: 'links',
  stream: 'event-stream',
} as const;

/** The facts of the contract for the behaviours of the jobs, so that no behaviour contains a fact. */
export interface JobFacts extends PoliciesOf<typeof POLICIES> {
  readonly contract: Contract;
  /** The engine's form of the API, for the shape of errors. */
  readonly served: ServedApi;
  /** With the prefix of API keys, which is the same for all APIs of an account. */
  readonly credentials: CredentialsPolicy;
  readonly idempotency: SingleUsePolicy;
  /** The name of each link by the operation that it leads to. */
  readonly linkNames: Readonly<Record<string, string>>;
  /** The path of an operation, by its id. */
  readonly pathOf: (operationId: string) => string;
}

/** @param keyPrefix the prefix of API keys, which the contract of the jobs does not define */
export function jobFacts(contract: Contract, keyPrefix: string | undefined): JobFacts {
  const idempotency = requirePolicy(contract, 'idempotency');
  const policies = requirePolicies(contract, POLICIES);
  if (idempotency.mode !== 'single-use')
    throw new Error(`${contract.name} must accept each key only once: its mock supports no other mode`);
  const operations = new Map(
    contract.operations.map((operation): [string, Operation] => [operation.id, operation]),
  );
  return {
    ...{ contract, ...policies, idempotency },
    served: servedApiOf(contract, () => undefined),
    credentials: {
      ...requirePolicy(contract, 'credentials'),
      ...(keyPrefix === undefined ? {} : { keyPrefix }),
    },
    linkNames: policies.links.members ?? {},
    pathOf: (operationId) => {
      const operation = operations.get(operationId);
      if (operation === undefined) throw new Error(`${contract.name} has no operation ${operationId}`);
      return operation.path;
    },
  };
}

/** The code and the status of an error, with the open point that they depend on, if any. */
export function jobError(
  { errors }: Pick<JobFacts, 'errors'>,
  assume: AssumeJobs,
  role: JobErrorRole,
): { readonly code: string; readonly status: number; readonly because: string | undefined } {
  switch (role) {
    case 'badRequest':
      return { ...assume('A-64'), because: 'A-64' };
    case 'unknownJob':
      return { ...assume('A-85'), because: 'A-85' };
    case 'noCredential':
      return { ...assume('A-86').withoutCredential, because: 'A-86' };
    case 'missingAsset':
      return silent(assume, assume('A-68').malformedOrForeign);
    default: {
      const code = errors.roles[role] ?? assume('A-63').roles[role];
      if (code === undefined) throw new Error(`no error code plays the part of ${role}`);
      const stated = errors.codes.find(({ name }) => name === code)?.status;
      return stated === undefined ? silent(assume, code) : { code, status: stated, because: undefined };
    }
  }
}

// --- internal ---

function silent(assume: AssumeJobs, code: string): { code: string; status: number; because: string } {
  return { code, status: assume('A-63').status[code] ?? 500, because: 'A-63' };
}
