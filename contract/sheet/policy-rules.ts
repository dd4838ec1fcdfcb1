import type { Contract, Operation, Rule } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { pagesPolicyOf } from './find-policy.ts';
import { thingsOf, usualCases } from './usual-cases.ts';

/** The usual rules of each kind of policy. They apply to a server if the sheet has no rule that names the case. */
export function usualRules({ sheet, operations }: Contract): readonly Rule[] {
  if (sheet === undefined) return [];
  const rules = sheet.policies.flatMap((policy) =>
    usualCases(policy, operations).flatMap(({ about, operation, cases }) =>
      cases.map(({ name, says, level = 'must' }): Rule => {
        const where =
          operation === undefined ? 'the API' : `${operation.method.toUpperCase()} ${operation.path}`;
        return {
          id: [policy.kind, ...(about === undefined ? [] : [inId(about)]), name].join('.'),
          level,
          says,
          source: { document: sheet.document, section: where, item: `policy ${policy.kind}` },
          ...(operation === undefined ? {} : { operation: operation.id }),
          policy: policy.kind,
          case: name,
          needs: [],
          audience: 'both',
        };
      }),
    ),
  );
  const isSaid = (rule: Rule): boolean => sheet.rules.some((own) => isAbout(own, rule));
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()].filter((rule) => !isSaid(rule));
}

const PARTS_OF_SIZES: Readonly<Record<string, readonly string[]>> = {
  limit: ['page-size', 'shown-limit'],
  'limit-clamped': ['huge-limit'],
  'limit-low': ['zero-limit', 'negative-limit'],
};

/**
 * Cases that are parts of another one, by policy: a sheet may have a rule for a part alone. Without one, the rule about the
 * whole case is about the part too.
 */
export const partsOfCases: Readonly<
  Partial<Record<Policy['kind'], Readonly<Record<string, readonly string[]>>>>
> = {
  'conditional-get': { current: ['tag', 'no-body'] },
  'numbered-pages': PARTS_OF_SIZES,
  pagination: {
    ...PARTS_OF_SIZES,
    walk: ['two-walks'],
    'no-such-page': [
      ...['empty-cursor', 'made-up-cursor', 'long-cursor', 'cut-cursor'],
      // Of any of them: no fault of the server, and no page.
      ...['cursor-error', 'cursor-fallback'],
    ],
  },
};

/** The case that a case is a part of; `undefined` for a whole one. */
export function wholeCaseOf(kind: Policy['kind'], name: string): string | undefined {
  return Object.entries(partsOfCases[kind] ?? {}).find(([, parts]) => parts.includes(name))?.[0];
}

/** Whether a rule is about this case of a policy: it has to name the case. A rule without an operation is about all of them. */
export function isAbout(
  rule: Rule,
  { policy, operation, case: name }: Pick<Rule, 'policy' | 'operation' | 'case'>,
): boolean {
  return (
    rule.policy === policy &&
    (rule.operation === undefined || operation === undefined || rule.operation === operation) &&
    [rule.case ?? []].flat().some((own) => [name].flat().includes(own))
  );
}

/**
 * Whether the sheet itself says that a page size above the maximum is brought down: by a rule, or by a finding that it
 * ignores. Otherwise the bounds of the document count: the usual rule is only for documents without a maximum.
 */
export function bringsDownLimits({ sheet }: Pick<Contract, 'sheet'>, operation: Operation): boolean {
  const pages = pagesPolicyOf(operation);
  if (sheet === undefined || pages === undefined) return false;
  const { id } = operation;
  const isIgnored = sheet.policies
    .filter((policy) => policy.kind === 'diagnostics')
    .flatMap(({ findings }) => findings)
    .some(
      ({ operation: on, at, keyword, means }) =>
        [id, '*'].includes(on) &&
        at === `query.${pages.limitParameter}` &&
        keyword === 'maximum' &&
        means === 'ignore',
    );
  const about = { operation: id, case: 'limit-clamped', policy: pages.kind };
  return isIgnored || sheet.rules.some((rule) => isAbout(rule, about));
}

/** Whether a usual rule is that of another policy of the same kind, such as the lifecycle of other things. */
export function isOfAnother(rule: Rule, policy: Policy): boolean {
  const about = thingsOf(policy);
  const isUsual = rule.operation === undefined && rule.source.item === `policy ${policy.kind}`;
  return isUsual && about !== undefined && !rule.id.startsWith(`${policy.kind}.${inId(about)}.`);
}

/**
 * The cases of each kind of policy, for the kinds that have cases: those of the usual rules, and other decisions of the
 * engine that a rule or an open point can be about.
 */
export const knownCases: Readonly<Partial<Record<Policy['kind'], readonly string[]>>> = {
  idempotency: [
    ...[
      'first-use',
      'replayed',
      'mismatch',
      'in-flight',
      'released',
      'used',
      'collecting',
      'consumed',
      'no-key',
    ],
    ...['window', 'charged', 'charged-before', 'kept', 'spent', 'parked', 'freed', 'dropped'],
  ],
  pagination: [
    ...['limit-default', 'limit', 'limit-clamped', 'limit-low', 'more', 'walk', 'no-such-page'],
    ...[...Object.values(PARTS_OF_SIZES).flat(), 'two-walks'],
    ...['empty-cursor', 'made-up-cursor', 'long-cursor', 'cut-cursor', 'cursor-error', 'cursor-fallback'],
  ],
  'numbered-pages': [
    ...['limit-default', 'limit', 'limit-clamped', 'limit-low', 'walk', 'no-such-page'],
    ...Object.values(PARTS_OF_SIZES).flat(),
  ],
  'conditional-get': ['current', 'tag', 'no-body', 'weak', 'list', 'any', 'changed', 'kept-headers'],
  'conditional-write': ['current', 'mismatch', 'weak', 'list', 'any', 'required', 'exists', 'changed'],
  resource: [
    ...[
      'created',
      'many',
      'many-refused',
      'listed',
      'filtered',
      'sorted',
      'missing',
      'replaced',
      'patched',
      'deleted',
      'restored',
      'apart',
      'owned',
      'taken',
    ],
    'upsert',
  ],
  'event-stream': ['first', 'frames', 'states', 'end', 'live', 'thing', 'last', 'live-only'],
  capacity: ['calls', 'spend', 'things'],
  deadline: ['expired'],
  diagnostics: ['accepted', 'refused'],
  uniqueness: ['taken'],
  'reserved-fields': ['refused'],
  'refused-format': ['refused'],
  upload: ['address'],
  lifecycle: ['states', 'initial', 'transitions', 'members', 'times', 'frozen', 'refused'],
  presence: ['absent'],
  links: ['address', 'leads'],
  'plain-segments': ['literal'],
  credentials: ['none', 'refused', 'accepted', 'key-as-bearer', 'forbidden'],
  'error-codes': ['shape', 'status', 'roles'],
  'error-buckets': ['header', 'status', 'body', 'roles'],
  headers: ['request-id'],
};

// --- internal ---

function inId(text: string): string {
  return text.replace(/[^\w-]+/g, '-');
}
