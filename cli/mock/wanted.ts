import { shellLine, suggest } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { OwnMockModule, OwnMockModules, StartOptions } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import { carriedContracts, requireDocument } from '../contracts/own-contracts.ts';
import { moduleOf } from '../contracts/own-module.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { CommandFailure } from '../failure.ts';
import { readDocuments } from './documents.ts';
import type { MockDocuments, ReadDocuments } from './documents.ts';
import type { MockCommandOptions } from './flags.ts';
import { startOptionsOf } from './options.ts';
import type { ClockChoice } from './options.ts';
import { readMockSettings } from './settings.ts';
import { tlsOf } from './tls.ts';

/** Reads the documents and the settings; returns what the mock is started with, and the files to watch. */
export async function wantedMock(
  apis: readonly string[],
  documents: MockDocuments,
  options: MockCommandOptions,
  context: Context,
): Promise<{ readonly wanted: StartOptions; readonly files: readonly string[] }> {
  const { without = [], settings, clock } = options;
  for (const { document } of documents.foreign) requireDocument(document, carriedContracts(), context);
  const { foreign, own, files } = await firstReading(documents, context);
  const ours = carriedContracts().filter(
    (name) => apis.includes(name) || own.some((copy) => copy.name === name),
  );
  const served = (apis.length === 0 ? carriedContracts() : ours).filter((name) => !without.includes(name));
  if (served.length + foreign.length === 0)
    throw new CommandFailure(2, '--without leaves nothing to serve', ['name fewer APIs with --without']);
  const wanted = startOptionsOf(
    options,
    settings === undefined ? {} : await readMockSettings(settings, context),
  );
  return {
    files,
    wanted: {
      ...wanted,
      ...(apis.length === 0 && without.length === 0 ? {} : { apis: served, contracts: foreign }),
      ...(own.length === 0 ? {} : { ownContracts: own }),
      modules: await modulesOf(foreign, documents, context),
      ...(await tlsOf(options, context)),
      ...(clock === undefined ? {} : { clock: await clockOf(clock, wanted.seed) }),
    },
  };
}

/**
 * Requires that each deviation exists.
 *
 * @param documents the contracts that the command serves
 */
export function checkDeviations(
  wanted: readonly string[],
  listed: readonly { readonly id: string }[],
  documents: readonly string[],
): void {
  const known = listed.map(({ id }) => id);
  for (const id of wanted) {
    if (known.includes(id)) continue;
    const near = suggest(id, known) ?? known.find((candidate) => candidate.startsWith(`${id}~`));
    throw new CommandFailure(
      2,
      `There is no deviation ${id}${near === undefined ? '' : `. Did you mean ${near}?`}`,
      [`to list them: ${shellLine('deviations', ...documents)}`],
    );
  }
}

// --- internal ---

/** The modules of a configuration file for the documents, by contract. */
async function modulesOf(
  contracts: readonly Contract[],
  { foreign }: MockDocuments,
  context: Context,
): Promise<OwnMockModules> {
  const modules: Record<string, OwnMockModule> = {};
  for (const [index, { name }] of contracts.entries()) {
    const module = await moduleOf(foreign[index]?.document, context);
    if (module !== undefined) modules[name] = module;
  }
  return modules;
}

/** @throws {CommandFailure} when one of them cannot be used; the problem has been reported by then */
async function firstReading(
  documents: MockDocuments,
  context: Context,
): Promise<Extract<ReadDocuments, { ok: true }>> {
  const read = await readDocuments(documents, context);
  printDiagnostics(read.diagnostics, context);
  if (read.ok) return read;
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new CommandFailure(
    2,
    `${read.broken.join(', ')} cannot be used: ${errors} ${errors === 1 ? 'error' : 'errors'}`,
  );
}

async function clockOf(
  { speed }: ClockChoice,
  seed: string | undefined,
): Promise<NonNullable<StartOptions['clock']>> {
  const { realClock, startOfSeeded } = await import('../../mock/index.ts');
  return realClock(seed === undefined ? undefined : startOfSeeded, speed);
}
