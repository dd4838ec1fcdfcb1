import { joinPointer, valueAt } from '../pointer.ts';

/** The used part of an error of the JSON Schema validator. */
export interface ValidatorError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Whether a discriminating value is one of the allowed ones. */
export type IsLegal = (pointer: string, value: unknown) => boolean;

/** The names of members that the object at a pointer may have, if they are known. */
export type KnownNames = (pointer: string) => readonly string[];

/**
 * The relevant errors. If a value fits none of several alternatives, the validator reports errors for each of
 * them and for every enclosing object; only the errors of the closest alternative are kept.
 */
export function withoutNoise(
  errors: readonly ValidatorError[],
  root: unknown,
  known: KnownNames,
  isLegal: IsLegal,
): readonly ValidatorError[] {
  const unions = new Set(
    errors.filter(({ keyword }) => UNIONS.has(keyword)).map(({ instancePath }) => instancePath),
  );
  const told = errors.filter((error) => !WRAPPERS.has(error.keyword) && !isReferenceWanted(error));
  const choices = chooseAlternatives(told, unions, root, isLegal);
  const ancestors = new Set<string>();
  for (const { instancePath } of choices) {
    for (let at = instancePath; at !== '' && !ancestors.has(parentOf(at)); at = parentOf(at))
      ancestors.add(parentOf(at));
  }
  const hasDeeper = (pointer: string): boolean => ancestors.has(pointer);
  const kept = choices.filter(({ keyword, instancePath, params }) => {
    if (keyword === 'type' && unions.has(instancePath)) {
      return (
        !hasDeeper(instancePath) &&
        !choices.some((other) => other.instancePath === instancePath && other.keyword !== 'type')
      );
    }
    if (keyword !== 'unevaluatedProperties') return true;
    // A valid member also counts as unevaluated if anything beside it is invalid.
    const names = known(instancePath);
    if (names.length > 0) return !names.includes(String(params['unevaluatedProperty']));
    const member = joinPointer(instancePath, String(params['unevaluatedProperty']));
    return !choices.some(
      (other) =>
        (other.instancePath === instancePath && other.keyword !== keyword) ||
        isAtOrBelow(other.instancePath, member),
    );
  });
  return [...kept, ...unexplained(errors, kept)];
}

/** The values that an error of `enum` or `const` would accept. */
export function allowedBy({ keyword, params }: ValidatorError): unknown[] {
  if (keyword === 'const') return [params['allowedValue']];
  return Array.isArray(params['allowedValues']) ? (params['allowedValues'] as unknown[]) : [];
}

// --- internal ---

const UNIONS = new Set(['oneOf', 'anyOf']);
const WRAPPERS = new Set(['if', 'oneOf', 'anyOf', 'propertyNames']);

/** The innermost values that match no alternative although they have no other error. */
function unexplained(errors: readonly ValidatorError[], kept: readonly ValidatorError[]): ValidatorError[] {
  const explained = new Set<string>();
  const explain = (pointer: string): void => {
    for (let at = pointer; !explained.has(at); at = parentOf(at)) {
      explained.add(at);
      if (at === '') break;
    }
  };
  for (const { instancePath } of kept) explain(instancePath);
  const innermostFirst = errors
    .filter(({ keyword }) => keyword !== 'if')
    .sort((a, b) => b.instancePath.length - a.instancePath.length);
  return innermostFirst.filter((error) => {
    const isNew = !explained.has(error.instancePath) && UNIONS.has(error.keyword);
    if (isNew) explain(error.instancePath);
    return isNew;
  });
}

/** That a broken object is not a `$ref` either is not worth mentioning. */
function isReferenceWanted({ keyword, params }: ValidatorError): boolean {
  return keyword === 'required' && params['missingProperty'] === '$ref';
}

/**
 * If a member discriminates between alternatives, those with another value are ruled out, together with their
 * errors. If the value matches none of them, only the value is reported.
 */
function chooseAlternatives(
  errors: readonly ValidatorError[],
  unions: ReadonlySet<string>,
  root: unknown,
  isLegal: IsLegal,
): ValidatorError[] {
  const dropped = new Set<ValidatorError>();
  const added: ValidatorError[] = [];
  const tags = new Map<string, ValidatorError[]>();
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if ((keyword !== 'enum' && keyword !== 'const') || !unions.has(parentOf(instancePath))) continue;
    tags.set(instancePath, [...(tags.get(instancePath) ?? []), error]);
  }
  for (const [pointer, failing] of tags) {
    const allowed = [...new Set(failing.flatMap(allowedBy))];
    const groups = failing.map(groupOf);
    const isRuledOut = (error: ValidatorError): boolean =>
      groups.some((group) => groupOf(error) === group || groupOf(error).startsWith(`${group}/oneOf/`));
    const beside = errors.filter(({ instancePath }) => instancePath === parentOf(pointer));
    for (const error of [...failing, ...beside.filter(isRuledOut)]) dropped.add(error);
    // An alternative with an error about something else accepts the value.
    const isTaken =
      isLegal(pointer, valueAt(root, pointer)) ||
      beside.some(
        (error) => !isRuledOut(error) && groups.some((group) => areSiblings(group, groupOf(error))),
      );
    const [first] = failing;
    if (first !== undefined && !isTaken && !allowed.includes(valueAt(root, pointer))) {
      added.push({ ...first, keyword: 'enum', params: { allowedValues: allowed } });
    }
  }
  const rest = errors.filter((error) => !dropped.has(error));
  return [...listMissing(mergeMissing(rest, unions)), ...added];
}

/**
 * Alternatives that each lack a different member: one of these members is required. A member that several of
 * them lack is the discriminating one, and without it nothing else can be concluded.
 */
function mergeMissing(errors: readonly ValidatorError[], unions: ReadonlySet<string>): ValidatorError[] {
  const missing = new Map<string, string[]>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'required' || !unions.has(instancePath)) continue;
    missing.set(instancePath, [...(missing.get(instancePath) ?? []), String(params['missingProperty'])]);
  }
  const told = new Set<string>();
  return errors.flatMap((error) => {
    const names = missing.get(error.instancePath);
    if (names === undefined) return [error];
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    const isAlternative = /\/(?:oneOf|anyOf)\/\d+\/required$/.test(error.schemaPath);
    if (twice === undefined && !(error.keyword === 'required' && isAlternative)) return [error];
    if (told.has(error.instancePath)) return [];
    told.add(error.instancePath);
    const alternatives = twice === undefined ? names : [twice];
    return [{ ...error, keyword: 'required', params: { missingProperty: alternatives[0], alternatives } }];
  });
}

/** All missing members of an object, in one error. */
function listMissing(errors: readonly ValidatorError[]): ValidatorError[] {
  const lists = new Map<string, string[]>();
  return errors.flatMap((error) => {
    if (error.keyword !== 'required' || error.params['alternatives'] !== undefined) return [error];
    const name = String(error.params['missingProperty']);
    const known = lists.get(error.instancePath);
    if (known !== undefined) {
      if (!known.includes(name)) known.push(name);
      return [];
    }
    const together = [name];
    lists.set(error.instancePath, together);
    return [{ ...error, params: { missingProperty: name, together } }];
  });
}

/** The alternative that an error belongs to. */
function groupOf({ schemaPath }: ValidatorError): string {
  return (
    /^.*\/(?:oneOf|anyOf)\/\d+/.exec(schemaPath)?.[0] ??
    /^#\/(?:definitions|\$defs)\/[^/]+/.exec(schemaPath)?.[0] ??
    '#'
  );
}

/** Whether two groups are alternatives to each other. */
function areSiblings(one: string, other: string): boolean {
  const family = (group: string): string =>
    group.replace(/(?<!\d)\d+$/, '#').replace(/^#\/(?:definitions|\$defs)\/[^/]+$/, '#');
  return family(one) === family(other);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

function isAtOrBelow(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}
