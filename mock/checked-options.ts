import { ownContractNames } from '../contract/index.ts';
import type { MockOptions } from './options.ts';

/**
 * Validates options at run time, because programs in JavaScript and options files have no compiler.
 *
 * @throws {TypeError} with the name of the option and its expected type
 */
export function checkOptions(options: MockOptions): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError("A mock takes an object of options, such as { seed: '7' }.");
  for (const [name, { fits, takes }] of Object.entries(TAKES)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && !fits(value))
      throw new TypeError(`The option "${name}" of a mock takes ${takes}, not ${shown(value)}.`);
  }
  const known: readonly string[] = [
    ...ownContractNames,
    ...(options.ownContracts ?? []).map(({ name }) => name),
  ];
  const unknown = options.apis?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `There is no API ${JSON.stringify(unknown)}. The option "apis" of a mock takes ${known.join(', ')}; documents of your own go into "contracts".`,
    );
}

// --- internal ---

interface Taking {
  readonly fits: (value: unknown) => boolean;
  /** Includes an example. */
  readonly takes: string;
}

const text = (value: unknown): boolean => typeof value === 'string';
const list = (value: unknown): boolean => Array.isArray(value);
const texts = (value: unknown): boolean => Array.isArray(value) && value.every(text);
const atLeast =
  (least: number) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && (value as number) >= least;

const TAKES: { readonly [Name in keyof MockOptions]?: Taking } = {
  apis: { fits: texts, takes: 'a list of names of APIs' },
  ownContracts: { fits: list, takes: 'a list of contracts' },
  contracts: { fits: list, takes: 'a list of contracts' },
  clock: {
    fits: (value) => typeof value === 'object' && value !== null,
    takes: 'a clock, such as virtualClock()',
  },
  seed: { fits: text, takes: "a text, such as '7'" },
  deviations: { fits: texts, takes: 'a list of ids of deviations' },
  deadlineMs: {
    fits: (value) => typeof value === 'number' && value > 0,
    takes: 'a number of milliseconds above 0',
  },
  callsInFlight: { fits: atLeast(1), takes: 'a whole number of at least 1' },
  publicUrl: { fits: text, takes: "an address as text, such as 'https://mock.example'" },
  data: { fits: text, takes: 'the path of a folder' },
  scenarios: { fits: list, takes: "a list, such as [{ name: 'slow' }]" },
  journalSize: { fits: atLeast(0), takes: 'a whole number of at least 0' },
};

function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return Array.isArray(value) ? 'this list' : `a value of type ${typeof value}`;
}
