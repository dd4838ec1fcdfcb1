import { isRecord, joinPointer, suggest } from '../../contract/index.ts';
import type { Diagnostic } from '../../contract/index.ts';
// Not from the folder's index, which does not load a YAML parser.
import { parseText } from '../../contract/text/parse.ts';
import type { FixtureShape } from './fixture-shape.ts';
import type { Fixtures } from './fixtures.ts';
import { fixturesShape } from './fixtures-shape.ts';
import { OCCASIONS, occasionFaults } from './occasions.ts';
import { cut } from '../exchanges/sketch.ts';

/** The fixtures, or the diagnostics that explain the failure. */
export type FixturesResult =
  | { readonly ok: true; readonly fixtures: Fixtures }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a fixtures file, JSON or YAML. `$NAME` as the value of a secret is taken from `environment`.
 *
 * @param file the name of the file in messages
 */
export function readFixtures(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  file = 'fixtures',
): FixturesResult {
  const parsed = parseText(file, text);
  if (!parsed.ok)
    return {
      ok: false,
      diagnostics: parsed.diagnostics.map((found) => ({ ...found, code: 'fixtures-syntax' })),
    };
  const { value, offsetOf, lines } = parsed;
  const findings: Diagnostic[] = [];
  const report: Report = (code, message, help, path, part) => {
    const pointer = joinPointer('', ...path);
    const offset = offsetOf(path, part);
    const place = offset === undefined ? {} : { location: lines.at(offset) };
    findings.push({ code, severity: 'error', message, ...(help === '' ? {} : { help }), pointer, ...place });
  };
  const fixtures = value === null ? {} : read(fixturesShape, value, [], environment, report);
  return findings.length > 0
    ? { ok: false, diagnostics: findings }
    : { ok: true, fixtures: fixtures as Fixtures };
}

/** Whether the fixtures contain a need such as `model.slow`. */
export function hasFixture(fixtures: Fixtures, need: string): boolean {
  let value: unknown = fixtures;
  for (const segment of pathOf(need)) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string, unknown>)[segment];
  }
  return value !== undefined && value !== null;
}

// --- internal ---

/** The members that lead to a need. An id of an operation may have dots. */
function pathOf(need: string): Path {
  const [, operation, occasion] = /^occasions\.(.+?)(?:\.([a-z]+))?$/.exec(need) ?? [];
  if (operation === undefined) return need.split('.');
  const isOccasion = occasion !== undefined && Object.hasOwn(OCCASIONS, occasion);
  return ['occasions', ...(isOccasion ? [operation, occasion] : [need.slice('occasions.'.length)])];
}

type Path = readonly string[];

type Report = (code: string, message: string, help: string, path: Path, part?: 'name') => void;

type Environment = Readonly<Record<string, string | undefined>>;

function read(
  shape: FixtureShape,
  given: unknown,
  path: Path,
  environment: Environment,
  report: Report,
): unknown {
  const name = path.length === 0 ? 'the file' : path.join('.');
  const wrong: Wrong = (says, help = path.length === 0 ? '' : shape.about) => {
    report('fixtures-type', `${name} ${says}`, help, path);
    return undefined;
  };
  if (shape.type === 'json')
    return isByName(path) && !isRecord(given) ? wrong(`must be an object, not ${shown(given)}`) : given;
  if (shape.type === 'occasions') {
    for (const { path: inner, says, help } of occasionFaults(given))
      report('fixtures-occasions', `${[...path, ...inner].join('.')} ${says}`, help, [...path, ...inner]);
    return given;
  }
  if (shape.type !== 'group') return readLeaf(shape, given, environment, wrong);
  if (!isRecord(given)) return wrong(`must be an object, not ${shown(given)}`);
  const value: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(given)) {
    const inner = [...path, key];
    const member = Object.hasOwn(shape.members, key) ? shape.members[key] : undefined;
    if (member === undefined) {
      const near = suggest(key, Object.keys(shape.members));
      const help =
        near === undefined ? `known: ${Object.keys(shape.members).join(', ')}` : `did you mean ${near}?`;
      report('fixtures-unknown-member', `unknown property ${inner.join('.')}`, help, inner, 'name');
    } else if (item !== null || member.type === 'json') {
      value[key] = read(member, item, inner, environment, report);
    }
  }
  for (const key of shape.required) {
    if (Object.hasOwn(given, key)) continue;
    const about = shape.members[key]?.about ?? '';
    report('fixtures-missing-member', `missing property ${key} in ${name}`, about, path);
  }
  const { oneOf = [] } = shape;
  const places = oneOf.filter((key) => Object.hasOwn(given, key));
  if (oneOf.length > 0 && places.length !== 1)
    report(
      'fixtures-missing-member',
      places.length === 0
        ? `missing property ${list(oneOf)} in ${name}`
        : `${name} has ${places.join(' and ')}, and only one of them can carry the credential`,
      `give ${list(oneOf)}`,
      path,
    );
  return value;
}

const list = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

/** Members whose own members may have any names. */
function isByName(path: Path): boolean {
  return path.length === 1 && (path[0] === 'parameters' || path[0] === 'bodies');
}

/** Reports a value, with the text that follows its name in the message. */
type Wrong = (says: string, help?: string) => undefined;

function readLeaf(shape: FixtureShape, value: unknown, environment: Environment, wrong: Wrong): unknown {
  const unless = (fits: boolean, wanted: string): unknown =>
    fits ? value : wrong(`must be ${wanted}, not ${shown(value)}`);
  switch (shape.type) {
    case 'number':
      return unless(typeof value === 'number' && Number.isFinite(value), 'a number');
    case 'flag':
      return unless(typeof value === 'boolean', 'true or false');
    case 'choice':
      return unless(shape.required.includes(value as string), `one of ${shape.required.join(', ')}`);
    case 'secret': {
      // Without the value, because a number may be a secret without quotes.
      if (typeof value !== 'string') return wrong('must be a string, or $NAME for an environment variable');
      const name = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
      if (name === undefined) return value;
      const found = environment[name];
      return found === undefined || found === ''
        ? wrong(`reads $${name}, which is not set`, `set it: export ${name}=…`)
        : found;
    }
    case 'texts':
      return unless(
        Array.isArray(value) && value.every((item) => typeof item === 'string'),
        'a list of strings',
      );
    case 'text':
      return unless(typeof value === 'string', 'a string');
    case 'json':
    case 'occasions':
    case 'group':
      return value;
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : cut(JSON.stringify(value), 40);
}
