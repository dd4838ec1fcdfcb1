import type { Contract, Operation } from '../../../contract/model.ts';
import type { CredentialsPolicy } from '../../../contract/policies/credentials.ts';
import type { ErrorCodesPolicy } from '../../../contract/policies/error-codes.ts';
import type { EventStreamPolicy } from '../../../contract/policies/event-stream.ts';
import type { SingleUsePolicy } from '../../../contract/policies/idempotency-single-use.ts';
import type { LifecyclePolicy } from '../../../contract/policies/lifecycle.ts';
import type { LinksPolicy } from '../../../contract/policies/links.ts';
import type { PresencePolicy } from '../../../contract/policies/presence.ts';
import type { RefusedFormatPolicy } from '../../../contract/policies/refused-format.ts';
import type { ReservedFieldsPolicy } from '../../../contract/policies/reserved-fields.ts';
import { requirePolicy } from '../../call/facts.ts';
import type { AssumeJobs } from './assumptions.ts';

/** The part that an error plays; its code and its status stand in the behaviour sheet. */
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

/** What the behaviours of the jobs know of their contract, so that none of them names a fact. */
export interface JobFacts {
  readonly contract: Contract;
  /** With the prefix of API keys, which is the same for all APIs of an account. */
  readonly credentials: CredentialsPolicy;
  readonly errors: ErrorCodesPolicy;
  readonly idempotency: SingleUsePolicy;
  readonly refusedFormat: RefusedFormatPolicy;
  readonly reserved: ReservedFieldsPolicy;
  readonly lifecycle: LifecyclePolicy;
  readonly presence: PresencePolicy;
  readonly links: LinksPolicy;
  readonly stream: EventStreamPolicy;
  /** The name of each link by the operation that it leads to. */
  readonly linkNames: Readonly<Record<string, string>>;
  /** The path of an operation, by its id. */
  readonly pathOf: (operationId: string) => string;
}

/** @param keyPrefix what API keys begin with; the contract of the jobs does not say it */
export function jobFacts(contract: Contract, keyPrefix: string | undefined): JobFacts {
  const idempotency = requirePolicy(contract, 'idempotency');
  const links = requirePolicy(contract, 'links');
  if (idempotency.mode !== 'single-use')
    throw new Error(`${contract.name} must take each key once: its mock knows no other way`);
  const operations = new Map(
    contract.operations.map((operation): [string, Operation] => [operation.id, operation]),
  );
  return {
    contract,
    credentials: {
      ...requirePolicy(contract, 'credentials'),
      ...(keyPrefix === undefined ? {} : { keyPrefix }),
    },
    errors: requirePolicy(contract, 'error-codes'),
    idempotency,
    refusedFormat: requirePolicy(contract, 'refused-format'),
    reserved: requirePolicy(contract, 'reserved-fields'),
    lifecycle: requirePolicy(contract, 'lifecycle'),
    presence: requirePolicy(contract, 'presence'),
    links,
    linkNames: links.members ?? {},
    stream: requirePolicy(contract, 'event-stream'),
    pathOf: (operationId) => {
      const operation = operations.get(operationId);
      if (operation === undefined) throw new Error(`${contract.name} has no operation ${operationId}`);
      return operation.path;
    },
  };
}

/** The code and the status of an error, and the open point that they rest on where the contract does not say them. */
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
