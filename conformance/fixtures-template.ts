import { fixturesShape } from './fixtures-shape.ts';
import type { FixtureShape } from './fixtures-shape.ts';

/** The fixtures file with every member commented out and explained; it is valid as it stands, and says nothing. */
export function fixturesTemplate(): string {
  return [
    '# What a live server has to offer, for `tallystick conform`. Take away the leading # of what you know.',
    '# Everything is optional: what is missing only closes the rules that need it.',
    '# $NAME in the place of a secret is read from the environment.',
    ...Object.entries(fixturesShape.members).flatMap(([name, shape]) => ['', ...lines(name, shape, '')]),
    '',
  ].join('\n');
}

// --- internal ---

function lines(name: string, shape: FixtureShape, indent: string): readonly string[] {
  const key = /^\d/.test(name) ? JSON.stringify(name) : name;
  if (shape.type !== 'group') return [`#${indent}${key}: ${scalar(shape.example)}  # ${shape.about}`];
  return [
    `#${indent}${key}:  # ${shape.about}`,
    ...Object.entries(shape.members).flatMap(([member, inner]) => lines(member, inner, `${indent}  `)),
  ];
}

function scalar(example: unknown): string {
  return typeof example === 'string' && /^[A-Za-z0-9/-]+$/.test(example) ? example : JSON.stringify(example);
}
