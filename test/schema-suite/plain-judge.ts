/** What a schema has looked at of a value that is right by it. */
interface Seen {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * JSON Schema 2020-12 as it is written, keyword by keyword, with nothing made fast: the third judge where guards and ajv
 * differ. It knows references into one document, and takes formats for annotations.
 *
 * @param root what references point into
 */
export function isRight(root: unknown, schema: unknown, value: unknown): boolean {
  return look(root, schema, value) !== undefined;
}

// --- internal ---

/** @returns what the schema has looked at; `undefined` where the value is wrong */
function look(root: unknown, schema: unknown, value: unknown): Seen | undefined {
  const seen: Seen = { names: new Set(), items: new Set() };
  if (typeof schema === 'boolean') return schema ? seen : undefined;
  const keywords = schema as Members;
  const holds = (inner: unknown): boolean => {
    const found = look(root, inner, value);
    for (const name of found?.names ?? []) seen.names.add(name);
    for (const index of found?.items ?? []) seen.items.add(index);
    return found !== undefined;
  };
  const isOf = (inner: unknown, part: unknown): boolean => look(root, inner, part) !== undefined;
  const own = (name: string): unknown => (Object.hasOwn(keywords, name) ? keywords[name] : undefined);
  const isWhole =
    isSingle(keywords, own, value) &&
    (own('$ref') === undefined || holds(target(root, own('$ref') as string))) &&
    isCombined(own, holds, (inner) => isOf(inner, value)) &&
    (!isMembers(value) || areMembers(own, value, seen, isOf, holds)) &&
    (!Array.isArray(value) || areItems(own, value, seen, isOf));
  return isWhole ? seen : undefined;
}

type Own = (keyword: string) => unknown;

function isSingle(keywords: Members, own: Own, value: unknown): boolean {
  const type = own('type');
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.some((each) => isType(each, value))) return false;
  if (Object.hasOwn(keywords, 'const') && !isSame(keywords['const'], value)) return false;
  const values = own('enum') as readonly unknown[] | undefined;
  if (values !== undefined && !values.some((each) => isSame(each, value))) return false;
  if (typeof value === 'number') {
    const factor = own('multipleOf') as number | undefined;
    return (
      value >= Number(own('minimum') ?? -Infinity) &&
      value <= Number(own('maximum') ?? Infinity) &&
      value > Number(own('exclusiveMinimum') ?? -Infinity) &&
      value < Number(own('exclusiveMaximum') ?? Infinity) &&
      (factor === undefined || Number.isInteger(value / factor))
    );
  }
  if (typeof value !== 'string') return true;
  const length = [...value].length;
  return (
    length >= Number(own('minLength') ?? 0) &&
    length <= Number(own('maxLength') ?? Infinity) &&
    new RegExp(String(own('pattern') ?? ''), 'u').test(value)
  );
}

function isCombined(
  own: Own,
  holds: (schema: unknown) => boolean,
  isBy: (schema: unknown) => boolean,
): boolean {
  const all = (own('allOf') ?? []) as readonly unknown[];
  const any = own('anyOf') as readonly unknown[] | undefined;
  const one = own('oneOf') as readonly unknown[] | undefined;
  // Each part is evaluated regardless of the others, because its annotations count.
  if (all.filter((part) => !holds(part)).length > 0) return false;
  if (any !== undefined && any.filter(holds).length === 0) return false;
  if (one !== undefined && one.filter(holds).length !== 1) return false;
  if (own('not') !== undefined && isBy(own('not'))) return false;
  if (own('if') === undefined) return true;
  return holds((holds(own('if')) ? own('then') : own('else')) ?? true);
}

function areMembers(
  own: Own,
  value: Members,
  seen: Seen,
  isOf: (schema: unknown, part: unknown) => boolean,
  holds: (schema: unknown) => boolean,
): boolean {
  const names = Object.keys(value);
  const mapOf = (keyword: string): [string, unknown][] => Object.entries((own(keyword) ?? {}) as Members);
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (names.length < Number(own('minProperties') ?? 0)) return false;
  if (names.length > Number(own('maxProperties') ?? Infinity)) return false;
  if (!((own('required') ?? []) as readonly string[]).every(has)) return false;
  for (const [name, needed] of mapOf('dependentRequired'))
    if (has(name) && !(needed as readonly string[]).every(has)) return false;
  for (const [name, schema] of mapOf('dependentSchemas')) if (has(name) && !holds(schema)) return false;
  const known = new Set<string>();
  for (const name of names) {
    const schemas = [
      ...mapOf('properties').filter(([each]) => each === name),
      ...mapOf('patternProperties').filter(([pattern]) => new RegExp(pattern, 'u').test(name)),
    ];
    if (!schemas.every(([, schema]) => isOf(schema, value[name]))) return false;
    if (schemas.length > 0) known.add(name);
    if (own('propertyNames') !== undefined && !isOf(own('propertyNames'), name)) return false;
  }
  const left = (keyword: string, looked: ReadonlySet<string>): boolean => {
    if (own(keyword) === undefined) return true;
    const rest = names.filter((name) => !looked.has(name));
    for (const name of rest) known.add(name);
    return rest.every((name) => isOf(own(keyword), value[name]));
  };
  if (!left('additionalProperties', new Set(known))) return false;
  if (!left('unevaluatedProperties', new Set([...known, ...seen.names]))) return false;
  for (const name of known) seen.names.add(name);
  return true;
}

function areItems(
  own: Own,
  value: readonly unknown[],
  seen: Seen,
  isOf: (schema: unknown, part: unknown) => boolean,
): boolean {
  if (value.length < Number(own('minItems') ?? 0)) return false;
  if (value.length > Number(own('maxItems') ?? Infinity)) return false;
  const isTwice = (item: unknown, index: number): boolean =>
    value.slice(0, index).some((before) => isSame(before, item));
  if (own('uniqueItems') === true && value.some(isTwice)) return false;
  const first = (own('prefixItems') ?? []) as readonly unknown[];
  for (const [index, item] of value.entries()) {
    const schema = index < first.length ? first[index] : own('items');
    if (schema === undefined) continue;
    if (!isOf(schema, item)) return false;
    seen.items.add(index);
  }
  if (own('contains') !== undefined) {
    const found = [...value.keys()].filter((index) => isOf(own('contains'), value[index]));
    if (found.length < Number(own('minContains') ?? 1)) return false;
    if (found.length > Number(own('maxContains') ?? Infinity)) return false;
    for (const index of found) seen.items.add(index);
  }
  if (own('unevaluatedItems') === undefined) return true;
  for (const [index, item] of value.entries()) {
    if (seen.items.has(index)) continue;
    if (!isOf(own('unevaluatedItems'), item)) return false;
    seen.items.add(index);
  }
  return true;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isMembers(value) : typeof value === type;
}

function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  if (!isMembers(left) || !isMembers(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

/** What a pointer into the document leads to. */
function target(root: unknown, reference: string): unknown {
  let found = root;
  for (const token of decodeURIComponent(reference).split('/').slice(1))
    found = (found as Members)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  return found;
}
