import { checkName, type Tell } from '../diagnostics/check-name.ts';
import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import type { BehaviourSheet, Contract, Diagnostic, Operation } from '../model.ts';
import { locateNear } from '../text/locate.ts';
import { joinPointer } from '../pointer.ts';
import type { PagesPolicy } from '../policies/pagination.ts';
import type { Policy } from '../policies/policy.ts';
import { propertiesOf } from '../schemas/schema-parts.ts';
import { checkRules } from './rule-checks.ts';
import { disagreementsOf } from './sheet-agreement.ts';

/**
 * Checks a sheet against its document and itself: every name in it must be defined, and facts that both state
 * must agree.
 */
export function checkSheet(
  contract: Contract,
  sheet: BehaviourSheet,
  report: (diagnostic: Diagnostic) => void,
): void {
  const tell: Tell = (code, pointer, message, help) => {
    report(problem(code, message, { pointer, help, location: locateNear(sheet.locate, pointer) }));
  };
  const operationIds = contract.operations.map(({ id }) => id);
  const known: Known = {
    operation: { code: 'sheet-operation-unknown', names: operationIds },
    bucket: { code: 'sheet-bucket-unknown', names: errorNames(sheet.policies) },
  };
  sheet.policies.forEach((policy, index) => {
    const pointer = joinPointer('/policies', index);
    for (const { of, ...use } of namesIn(policy, pointer))
      checkName(tell, known[of].code, { noun: nouns[of] }, use, known[of].names);
    if ('schema' in policy) checkProperty(policy, pointer, contract, tell);
    if (policy.kind === 'pagination' || policy.kind === 'numbered-pages')
      checkParameters(policy, pointer, contract.operations, tell);
    if (policy.kind === 'lifecycle') checkStates(policy, pointer, tell);
    for (const { at, message, meant, kind } of disagreementsOf(policy, sheet.policies, contract)) {
      const { code, help } = DISAGREEMENTS[kind ?? 'contradiction'];
      tell(code, joinPointer(pointer, ...at), message, meant === undefined ? help : `did you mean ${meant}?`);
    }
  });
  checkRules(contract, sheet, tell);
}

// --- internal ---

const DISAGREEMENTS = {
  contradiction: { code: 'sheet-contradicts', help: 'correct the sheet or the document' },
  undeclared: { code: 'sheet-status-undeclared', help: 'declare the status, or correct the sheet' },
  doubt: { code: 'sheet-name-doubtful', help: 'correct the name, if it is a slip' },
} as const satisfies Record<string, { readonly code: DiagnosticCode; readonly help: string }>;

type Known = Readonly<
  Record<NameUse['of'], { readonly code: DiagnosticCode; readonly names: readonly string[] }>
>;

interface NameUse {
  readonly of: 'operation' | 'bucket';
  readonly name: string;
  readonly pointer: string;
}

const nouns: Readonly<Record<NameUse['of'], string>> = { operation: 'operation', bucket: 'error bucket' };

/** The names of errors: both buckets and codes. */
function errorNames(policies: readonly Policy[]): string[] {
  return policies.flatMap((policy) => {
    if (policy.kind === 'error-buckets') return policy.buckets.map(({ name }) => name);
    return policy.kind === 'error-codes' ? policy.codes.map(({ name }) => name) : [];
  });
}

/**
 * The members in which policies of any kind name an operation or an error: one name, a list of names, or one
 * for each role.
 */
const NAMING: Readonly<Record<string, NameUse['of']>> = {
  operation: 'operation',
  operations: 'operation',
  authority: 'operation',
  bucket: 'bucket',
  finalBuckets: 'bucket',
  fallback: 'bucket',
  roles: 'bucket',
};

function namesIn(value: unknown, pointer: string): NameUse[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]: [string, unknown]): NameUse[] => {
    const at = joinPointer(pointer, member);
    const of = Object.hasOwn(NAMING, member) ? NAMING[member] : undefined;
    if (of === undefined) return namesIn(inner, at);
    const named: [string, unknown][] =
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).map(([key, name]) => [joinPointer(at, key), name])
        : [[at, inner]];
    return named.flatMap(([where, name]) =>
      typeof name === 'string' && name !== '*' ? [{ of, name, pointer: where }] : [],
    );
  });
}

function checkStates(policy: Extract<Policy, { kind: 'lifecycle' }>, pointer: string, tell: Tell): void {
  const uses = [
    { name: policy.initial, pointer: joinPointer(pointer, 'initial') },
    ...policy.terminal.map((name, index) => ({ name, pointer: joinPointer(pointer, 'terminal', index) })),
    ...policy.transitions.flatMap(({ from, to }, index) => [
      { name: from, pointer: joinPointer(pointer, 'transitions', index, 'from') },
      { name: to, pointer: joinPointer(pointer, 'transitions', index, 'to') },
    ]),
    ...Object.entries(policy.members ?? {}).flatMap(([member, states]) =>
      (['in', 'notIn'] as const).flatMap((which) =>
        (states[which] ?? []).map((name, index) => ({
          name,
          pointer: joinPointer(pointer, 'members', member, which, index),
        })),
      ),
    ),
  ];
  for (const use of uses) checkName(tell, 'sheet-state-unknown', { noun: 'state' }, use, policy.states);
}

function checkParameters(
  policy: PagesPolicy,
  pointer: string,
  operations: readonly Operation[],
  tell: Tell,
): void {
  for (const operation of operations.filter(({ id }) => policy.operations.includes(id))) {
    const known = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    for (const [member, name] of Object.entries(policy)) {
      if (!member.endsWith('Parameter') || typeof name !== 'string') continue;
      const use = { name, pointer: joinPointer(pointer, member) };
      const what = { noun: 'query parameter', of: operation.id };
      checkName(tell, 'sheet-parameter-unknown', what, use, known);
    }
  }
}

function checkProperty(
  policy: { readonly schema: string; readonly property?: string },
  pointer: string,
  { schemas, document }: Pick<Contract, 'schemas' | 'document'>,
  tell: Tell,
): void {
  const names = schemas.map(({ name }) => name);
  checkName(
    tell,
    'sheet-schema-unknown',
    { noun: 'schema' },
    { name: policy.schema, pointer: joinPointer(pointer, 'schema') },
    names,
  );
  let reached = schemas.filter(({ name }) => name === policy.schema).map(({ schema }) => schema);
  for (const property of policy.property?.split('.') ?? []) {
    const around = reached;
    reached = around
      .flatMap((schema) => propertiesOf(schema, document.root))
      .flatMap(([name, schema]) => (name === property ? [schema] : []));
    if (reached.length > 0 || around.length === 0) continue;
    const known = around.flatMap((schema) => propertiesOf(schema, document.root)).map(([name]) => name);
    checkName(
      tell,
      'sheet-schema-unknown',
      { noun: 'property', of: policy.schema },
      { name: property, pointer: joinPointer(pointer, 'property') },
      known,
    );
  }
}
