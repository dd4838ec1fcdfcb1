import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Document } from 'yaml';
import { moduleSettings } from '../../mock/apis/settings.ts';
import type { ModuleOptions } from '../../mock/apis/module-settings.ts';
import type { StartOptions } from '../../mock/index.ts';
import { misfitOf, type Form } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/** The members of a settings file; they are those of `startMock`. */
export type MockSettings = ModuleOptions &
  Pick<
    StartOptions,
    'assumptions' | 'scenarios' | 'profile' | 'deadlineMs' | 'callsInFlight' | 'publicUrl' | 'cors'
  >;

/**
 * Reads a settings file, JSON or YAML.
 *
 * @throws {CommandFailure} when it cannot be read or contains an unknown setting
 */
export async function readMockSettings(file: string, { cwd }: Context): Promise<MockSettings> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new CommandFailure(2, `The settings file ${file} cannot be read`, [], { cause });
  });
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined)
    throw new CommandFailure(2, `${file} cannot be parsed: ${error.message.split('\n')[0] ?? ''}`);
  return readSettings(valueOf(document, file), file);
}

/** @throws {CommandFailure} for a value of another form, with its pointer */
export function readSettings(value: unknown, file: string): MockSettings {
  const misfit = misfitOf(value, settings);
  if (misfit === undefined) return value as MockSettings;
  const { pointer, message, known } = misfit;
  throw new CommandFailure(
    2,
    `${file}#${pointer}: ${message}`,
    known === undefined ? [] : [`known members: ${known.join(', ')}`],
  );
}

// --- internal ---

const MOST_ALIASES = 100;

/** @throws {CommandFailure} for aliases that do not resolve, or that expand too much */
function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      2,
      `${file} cannot be read: ${why}`,
      ['write the values out instead of using *aliases'],
      { cause },
    );
  }
}

const settings: Form = {
  members: {
    assumptions: { mapOf: 'anything' },
    scenarios: {
      listOf: {
        members: { name: 'string', caller: 'string', after: 'number', times: 'anything', ms: 'number' },
        required: ['name'],
      },
    },
    profile: { oneOf: ['faithful', 'legal-but-odd', 'not-rolled-out'] },
    deadlineMs: 'number',
    callsInFlight: 'number',
    publicUrl: 'string',
    cors: 'string',
    ...Object.assign({}, ...moduleSettings.map(({ members }) => members)),
  },
};
