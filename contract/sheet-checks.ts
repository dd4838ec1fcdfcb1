import { type DiagnosticCode, problem } from './diagnostic-codes.ts';
import type { BehaviourSheet, Contract, Diagnostic, Operation, Schema } from './model.ts';
import { locateNear } from './locate.ts';
import { isRecord } from './parse.ts';
import { joinPointer, localPointer, valueAt } from './pointer.ts';
import type { Policy } from './policies/policy.ts';
import { suggest } from './suggest.ts';

/** Judges a sheet by its document and by itself: every name that it uses must be the name of something. */
export function checkSheet(
  contract: Pick<Contract, 'operations' | 'schemas' | 'document'>,
  sheet: BehaviourSheet,
  report: (diagnostic: Diagnostic) => void,
): void {
  const tell: Tell = (code, pointer, message, help) => {
    report(problem(code, message, { pointer, help, location: locateNear(sheet.locate, pointer) }));
  };
  const operationIds = contract.operations.map(({ id }) => id);
  const buckets = sheet.policies.flatMap((policy) => {
    if (policy.kind === 'error-buckets') return policy.buckets.map(({ name }) => name);
    return policy.kind === 'error-codes' ? policy.codes.map(({ name }) => name) : [];
  });
  sheet.policies.forEach((policy, index) => {
    const pointer = joinPointer('/policies', index);
    for (const named of namesIn(policy, pointer)) {
      const [code, noun, known] =
        named.of === 'operation'
          ? (['sheet-operation-unknown', 'operation', operationIds] as const)
          : (['sheet-bucket-unknown', 'bucket', buckets] as const);
      checkName(tell, code, noun, named, known);
    }
    if (policy.kind === 'pagination') checkParameters(policy, pointer, contract.operations, tell);
    if (policy.kind === 'open-values') checkProperty(policy, pointer, contract, tell);
  });
  checkRules(sheet, operationIds, tell);
}

// --- internal ---

type Tell = (code: DiagnosticCode, pointer: string, message: string, help?: string) => void;

interface NameUse {
  readonly of: 'operation' | 'bucket';
  readonly name: string;
  readonly pointer: string;
}

function checkName(
  tell: Tell,
  code: DiagnosticCode,
  noun: string,
  { name, pointer }: Pick<NameUse, 'name' | 'pointer'>,
  known: readonly string[],
): void {
  if (known.includes(name)) return;
  const meant = suggest(name, known);
  const shown =
    known.length === 0 ? `there is no ${noun} at all` : `there are ${known.slice(0, 20).join(', ')}`;
  tell(
    code,
    pointer,
    `there is no ${noun} ${JSON.stringify(name)}`,
    meant === undefined ? shown : `did you mean ${meant}?`,
  );
}

/** Where a policy names operations and buckets: by members that are called so, whatever its kind. */
function namesIn(value: unknown, pointer: string): NameUse[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => namesIn(item, joinPointer(pointer, index)));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([member, inner]): NameUse[] => {
    const at = joinPointer(pointer, member);
    if (member === 'operation' && typeof inner === 'string')
      return inner === '*' ? [] : [{ of: 'operation', name: inner, pointer: at }];
    if (member === 'operations' && Array.isArray(inner)) {
      return inner
        .filter((name) => typeof name === 'string')
        .map((name, index) => ({ of: 'operation', name, pointer: joinPointer(at, index) }));
    }
    if ((member === 'bucket' || member === 'fallback') && typeof inner === 'string')
      return [{ of: 'bucket', name: inner, pointer: at }];
    if (member === 'roles' && isRecord(inner)) {
      return Object.entries(inner).map(([role, name]) => ({
        of: 'bucket',
        name: String(name),
        pointer: joinPointer(at, role),
      }));
    }
    return namesIn(inner, at);
  });
}

function checkParameters(
  policy: Extract<Policy, { kind: 'pagination' }>,
  pointer: string,
  operations: readonly Operation[],
  tell: Tell,
): void {
  for (const operation of operations.filter(({ id }) => policy.operations.includes(id))) {
    const known = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    for (const member of ['cursorParameter', 'limitParameter'] as const) {
      const use = { name: policy[member], pointer: joinPointer(pointer, member) };
      checkName(tell, 'sheet-parameter-unknown', `query parameter of ${operation.id} called`, use, known);
    }
  }
}

function checkProperty(
  policy: Extract<Policy, { kind: 'open-values' }>,
  pointer: string,
  { schemas, document }: Pick<Contract, 'schemas' | 'document'>,
  tell: Tell,
): void {
  const names = schemas.map(({ name }) => name);
  checkName(
    tell,
    'sheet-schema-unknown',
    'schema',
    { name: policy.schema, pointer: joinPointer(pointer, 'schema') },
    names,
  );
  let reached = schemas.filter(({ name }) => name === policy.schema).map(({ schema }) => schema);
  for (const property of policy.property.split('.')) {
    const around = reached;
    reached = around
      .flatMap((schema) => propertiesOf(schema, document.root, MOST_HOPS))
      .flatMap(([name, schema]) => (name === property ? [schema] : []));
    if (reached.length > 0 || around.length === 0) continue;
    const known = around
      .flatMap((schema) => propertiesOf(schema, document.root, MOST_HOPS))
      .map(([name]) => name);
    checkName(
      tell,
      'sheet-schema-unknown',
      `property of ${policy.schema}`,
      { name: property, pointer: joinPointer(pointer, 'property') },
      known,
    );
  }
}

const MOST_HOPS = 20;

function propertiesOf(schema: Schema | undefined, root: unknown, hops: number): [string, Schema][] {
  if (!isRecord(schema) || hops === 0) return [];
  const { $ref: reference, properties } = schema;
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? []) as Schema[];
  const around = pointer === undefined ? alternatives : [...alternatives, valueAt(root, pointer) as Schema];
  const own = isRecord(properties) ? (Object.entries(properties) as [string, Schema][]) : [];
  return [...own, ...around.flatMap((other) => propertiesOf(other, root, hops - 1))];
}

function checkRules(sheet: BehaviourSheet, operationIds: readonly string[], tell: Tell): void {
  const kinds = sheet.policies.map(({ kind }) => kind);
  const seen = new Map<string, string>();
  sheet.rules.forEach((rule, index) => {
    const pointer = joinPointer('/rules', index);
    const at = (member: string): string => joinPointer(pointer, member);
    const { id, operation, policy } = rule;
    if (seen.has(id))
      tell(
        'sheet-id-twice',
        at('id'),
        `two rules are called ${id}`,
        `the other stands in line ${lineOf(sheet, seen.get(id))}`,
      );
    seen.set(id, at('id'));
    if (operation !== undefined)
      checkName(
        tell,
        'sheet-operation-unknown',
        'operation',
        { name: operation, pointer: at('operation') },
        operationIds,
      );
    if (policy !== undefined)
      checkName(
        tell,
        'sheet-policy-absent',
        'policy in this sheet of the kind',
        { name: policy, pointer: at('policy') },
        kinds,
      );
  });
  const points = new Map<string, string>();
  sheet.unspecified.forEach(({ id }, index) => {
    const pointer = joinPointer('/unspecified', index, 'id');
    if (points.has(id))
      tell(
        'sheet-id-twice',
        pointer,
        `two points are called ${id}`,
        `the other stands in line ${lineOf(sheet, points.get(id))}`,
      );
    points.set(id, pointer);
  });
}

function lineOf(sheet: BehaviourSheet, pointer: string | undefined): string {
  const line = pointer === undefined ? undefined : sheet.locate(pointer)?.line;
  return line === undefined ? '?' : String(line);
}
