import { member } from '../exchanges/exchange.ts';
import { fixturesShape } from './fixtures-shape.ts';
import type { FixtureShape } from './fixture-shape.ts';

/**
 * The fixtures file with every member commented out and explained; it is valid as it is, and declares
 * nothing.
 *
 * @param found members that are known, such as `model.ok` with its value: these are filled in
 */
export function fixturesTemplate(found: Readonly<Record<string, unknown>> = {}): string {
  return [
    '# Fixtures for `tallystick conform`: what the server under test offers. Uncomment what you know.',
    '# Every property is optional. If one is missing, only the rules that need it are not tested.',
    '# $NAME instead of a secret is read from the environment.',
    ...Object.entries(fixturesShape.members).flatMap(([name, shape]) => [
      '',
      ...lines(name, shape, '', [], found),
    ]),
    '',
  ].join('\n');
}

// --- internal ---

function lines(
  name: string,
  shape: FixtureShape,
  indent: string,
  above: readonly string[],
  found: Readonly<Record<string, unknown>>,
): readonly string[] {
  const key = /^\d/.test(name) ? JSON.stringify(name) : name;
  const path = [...above, name];
  const value = knownAt(path, found);
  if (shape.type !== 'group') {
    return value === undefined
      ? [`#${indent}${key}: ${scalar(shape.example)}  # ${shape.about}`]
      : [`${indent}${key}: ${scalar(value)}  # ${shape.about}`];
  }
  const inside = path.join('.');
  const holds = Object.keys(found).some((known) => known === inside || known.startsWith(`${inside}.`));
  return [
    `${holds || value !== undefined ? '' : '#'}${indent}${key}:  # ${shape.about}`,
    ...Object.entries(shape.members)
      .filter(([member]) => !isSpare(shape, member, path, found))
      .flatMap(([member, inner]) => lines(member, inner, `${indent}  `, path, found)),
  ];
}

/** Whether a group already shows another of the members of which exactly one is required. */
function isSpare(
  { oneOf = [] }: FixtureShape,
  member: string,
  path: readonly string[],
  found: Readonly<Record<string, unknown>>,
): boolean {
  const shown = oneOf.find((one) => knownAt([...path, one], found) !== undefined) ?? oneOf[0];
  return oneOf.includes(member) && member !== shown;
}

/** The value of a member, found by itself or within a group that was found as a whole. */
function knownAt(path: readonly string[], found: Readonly<Record<string, unknown>>): unknown {
  for (let length = path.length; length > 0; length -= 1) {
    const known = found[path.slice(0, length).join('.')];
    if (known === undefined) continue;
    return path.slice(length).reduce<unknown>((value, step) => member(value, step), known);
  }
  return undefined;
}

function scalar(value: unknown): string {
  return typeof value === 'string' && /^[$A-Za-z0-9/-]+$/.test(value) && !YAML_WORDS.test(value)
    ? value
    : JSON.stringify(value);
}

/** Texts that YAML would parse as another type. */
const YAML_WORDS = /^(?:[-+\d].*|true|false|null|yes|no|on|off|-+)$/i;
