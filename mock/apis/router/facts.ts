import type { Contract, Parameter, Schema } from '../../../contract/model.ts';
import type { ReplayPolicy } from '../../../contract/policies/idempotency-replay.ts';
import type { PaginationPolicy } from '../../../contract/policies/pagination.ts';
import { followed } from '../../../contract/pointer.ts';
import { isRecord } from '../../../contract/index.ts';
import { type PoliciesOf, requirePolicies, requirePolicy } from '../../call/facts.ts';

const POLICIES = {
  credentials: 'credentials',
  headers: 'headers',
  buckets: 'error-buckets',
  deadline: 'deadline',
  capacity: 'capacity',
  conditionalGet: 'conditional-get',
  rollout: 'rollout',
  diagnostics: 'diagnostics',
} as const;

/** The facts of the contract for the router's behaviours, so that no behaviour contains a fact. */
export interface RouterFacts extends PoliciesOf<typeof POLICIES> {
  readonly contract: Contract;
  readonly pagination: PaginationPolicy & { readonly page: Required<PaginationPolicy['page']> };
  readonly idempotency: ReplayPolicy;
  /** Length and form of each path parameter, checked on the segment as sent. */
  readonly segments: readonly TextRule[];
  readonly cursor: TextRule;
  /**
   * Members of a schema document that describe it, and the flag for documents that were authored for their
   * model.
   */
  readonly schemaDocument: { readonly modelId: string; readonly authored: string };
}

/** The document's requirements for a text parameter. */
export interface TextRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly minLength: number;
  readonly maxLength: number;
}

export function routerFacts(contract: Contract): RouterFacts {
  const pagination = pagesOf(contract);
  return {
    ...{ contract, pagination, ...requirePolicies(contract, POLICIES) },
    idempotency: replayPolicy(contract),
    segments: textRules(contract, ({ in: place }) => place === 'path'),
    cursor: textRules(contract, ({ name }) => name === pagination.cursorParameter)[0] ?? ANY_TEXT,
    schemaDocument: schemaDocumentMembers(contract),
  };
}

// --- internal ---

function pagesOf(contract: Contract): RouterFacts['pagination'] {
  const policy = requirePolicy(contract, 'pagination');
  const { items, more, limit, next } = policy.page;
  if (items === undefined || more === undefined || limit === undefined || next === undefined)
    throw new Error(`${contract.name} must name all members of a page: its mock supports no other pages`);
  return { ...policy, page: { items, more, limit, next } };
}

function replayPolicy(contract: Contract): ReplayPolicy {
  const policy = requirePolicy(contract, 'idempotency');
  if (policy.mode !== 'replay')
    throw new Error(`${contract.name} must replay keys: its mock supports no other mode`);
  return policy;
}

const ANY_TEXT: TextRule = { name: '', pattern: /^/, minLength: 0, maxLength: Infinity };

function textRules(contract: Contract, isWanted: (parameter: Parameter) => boolean): TextRule[] {
  const parameters = contract.operations.flatMap((operation) => operation.parameters).filter(isWanted);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return [...byName.values()].map(({ name, schema }) => {
    const {
      pattern = '^',
      minLength = 0,
      maxLength = Infinity,
    } = resolved(contract, schema) as Partial<{
      pattern: string;
      minLength: number;
      maxLength: number;
    }>;
    return { name, pattern: new RegExp(pattern, 'u'), minLength, maxLength };
  });
}

/** The two extensions of a schema document, distinguished by type: an id is text, a flag is boolean. */
function schemaDocumentMembers(contract: Contract): { modelId: string; authored: string } {
  const operation = contract.operations.find(({ path }) => path.endsWith('.json'));
  const schema = operation?.responses.find(({ status }) => status === '200')?.content[0]?.schema;
  const { properties = {} } = resolved(contract, schema ?? true) as { properties?: Record<string, Schema> };
  const extensions = Object.entries(properties).filter(([name]) => name.startsWith('x-'));
  const named = (type: string): string => {
    const found = extensions.find(
      ([, member]) => (resolved(contract, member) as { type?: string }).type === type,
    );
    if (found === undefined)
      throw new Error(`${contract.name} describes no schema document with a ${type} extension`);
    return found[0];
  };
  return { modelId: named('string'), authored: named('boolean') };
}

/** A schema with its own reference followed, if it is one. */
function resolved({ document }: Contract, schema: Schema): object {
  const found = followed(document.root, schema);
  return isRecord(found) ? found : {};
}
