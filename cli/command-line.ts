import { Command, InvalidArgumentError } from 'commander';
import { suggest } from '../contract/index.ts';
import type { Terminal } from './terminal.ts';
import { usageFailure } from './usage-failure.ts';

/** A command that reports mistakes in its command line as `Failure`s and never ends the process itself. */
export function makeCommand(name: string, terminal: Terminal): Command {
  const command = new Command(name);
  return (
    command
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : usageFailure(error, command);
      })
      .configureOutput({
        writeOut: (text) => terminal.result(text.trimEnd()),
        writeErr: (text) => terminal.say(text.trimEnd()),
        outputError: () => undefined,
        getOutHasColors: () => terminal.colour.result,
        getErrHasColors: () => terminal.colour.say,
      })
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
      // Options after a subcommand belong to it, even if the parent command has an option with the same name.
      .enablePositionalOptions()
  );
}

/** Option parser: one more value for each use of the option. */
export function eachUse(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

/** Option parser: a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Option parser: a duration such as `500ms`, `60s`, `10m` or `24h`, in milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unitMilliseconds[unit ?? ''];
  if (factor !== undefined) return Number(amount) * factor;
  throw new InvalidArgumentError(
    `Expected a duration such as 60s or 10m.${/^\d+$/.test(text) ? ` Did you mean ${text}s?` : ''}`,
  );
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/**
 * Option parser: a rate such as `5/s`, `30/m`, `100/h`, or a number per second; returns requests per second.
 */
export function rate(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,7}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/.exec(text) ?? [];
  const perSecond = Number(amount) / (unitSeconds[unit] ?? 1);
  if (perSecond > 0 && perSecond <= MOST_PER_SECOND) return perSecond;
  throw new InvalidArgumentError(
    `Expected a rate such as 5/s, 30/m or 100/h, or a number of requests per second, up to ${MOST_PER_SECOND}/s.`,
  );
}

const MOST_PER_SECOND = 1_000_000;

/** Option parser: values separated by commas, from all uses of the option together. */
export function list(text: string, previous: readonly string[] | undefined): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...(previous ?? []), ...items.filter((item) => item !== '')];
}

/** Option parser: a list whose members are known. */
export function listOf(known: readonly string[]): typeof list {
  return (text, previous) => {
    const items = list(text, previous);
    const unknown = items.find((item) => !known.includes(item));
    if (unknown === undefined) return items;
    const near = suggest(unknown, known);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new InvalidArgumentError(`Expected ${known.join(', ')}, not ${unknown}.${hint}`);
  };
}
