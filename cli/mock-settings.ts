import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StartOptions } from '../mock/index.ts';
import { isRecord, suggest } from '../contract/index.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** What a settings file can say; the members are those of `startMock`. */
export type MockSettings = Pick<
  StartOptions,
  | 'models'
  | 'assumptions'
  | 'jobs'
  | 'registry'
  | 'scenarios'
  | 'profile'
  | 'deadlineMs'
  | 'publicUrl'
  | 'cors'
>;

/**
 * Reads a settings file, JSON or YAML.
 *
 * @throws {Failure} when it cannot be read or holds something that the mock does not know
 */
export async function readMockSettings(file: string, { cwd }: Context): Promise<MockSettings> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new Failure(2, `The settings file ${file} cannot be read`, [], { cause });
  });
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined)
    throw new Failure(2, `${file} does not parse: ${error.message.split('\n')[0] ?? ''}`);
  return readSettings(document.toJS({ maxAliasCount: 100 }), file);
}

/** @throws {Failure} for a value of another form, with its pointer */
export function readSettings(value: unknown, file: string): MockSettings {
  check(value, settings, { file, pointer: '' });
  return value as MockSettings;
}

// --- internal ---

/** The form of a value: a type, a list, a map of anything to one form, or known members. */
type Form =
  | 'string'
  | 'number'
  | 'boolean'
  | 'anything'
  | { readonly oneOf: readonly string[] }
  | { readonly listOf: Form; readonly orWord?: string }
  | { readonly mapOf: Form }
  | { readonly members: Readonly<Record<string, Form>>; readonly required?: readonly string[] };

const settings: Form = {
  members: {
    models: {
      listOf: {
        members: {
          provider: 'string',
          model: 'string',
          state: { oneOf: ['listed', 'unreleased', 'trimmed'] },
          chargesOnPolicyRejection: 'string',
          inputSchema: { mapOf: 'anything' },
          creditsHeader: 'boolean',
          cents: 'number',
        },
        required: ['provider', 'model', 'state', 'chargesOnPolicyRejection', 'cents'],
      },
    },
    assumptions: { mapOf: 'anything' },
    scenarios: {
      listOf: {
        members: { name: 'string', caller: 'string', after: 'number', times: 'anything', ms: 'number' },
        required: ['name'],
      },
    },
    profile: { oneOf: ['faithful', 'legal-but-odd', 'not-rolled-out'] },
    deadlineMs: 'number',
    publicUrl: 'string',
    cors: 'string',
    jobs: {
      members: {
        surface: { oneOf: ['cloud', 'self-hosted', 'serverless', 'demo'] },
        staticToken: 'string',
        mountPrefix: 'string',
        links: { oneOf: ['host-relative', 'absolute', 'mixed'] },
        nodeClasses: {
          orWord: 'any',
          listOf: {
            members: {
              name: 'string',
              requires: { listOf: 'string' },
              workMs: 'number',
              secondsInput: 'string',
              makes: { oneOf: ['image', 'text'] },
              previews: 'boolean',
              fails: 'boolean',
            },
            required: ['name'],
          },
        },
        assets: { listOf: { members: { id: 'string', owner: 'string' }, required: ['id'] } },
        slots: 'number',
        queueLimit: 'number',
        queueMs: 'number',
        streamLimit: 'number',
      },
    },
    registry: {
      members: {
        publishers: {
          listOf: {
            members: {
              id: 'string',
              name: 'string',
              members: {
                listOf: { members: { user: 'string', role: 'string' }, required: ['user', 'role'] },
              },
              nodes: { listOf: 'string' },
            },
            required: ['id'],
          },
        },
        accessTokens: { mapOf: 'string' },
        archiveLimit: 'number',
        webhooks: {
          members: { deliver: 'boolean', hosts: { orWord: 'any', listOf: 'string' }, timeoutMs: 'number' },
          required: ['deliver'],
        },
      },
    },
  },
};

interface Place {
  readonly file: string;
  readonly pointer: string;
}

function check(value: unknown, form: Form, place: Place): void {
  if (form === 'anything') return;
  if (typeof form === 'string') {
    if (typeof value !== form) throw misfit(place, `a ${form}`, value);
  } else if ('oneOf' in form) {
    if (typeof value !== 'string' || !form.oneOf.includes(value))
      throw misfit(place, form.oneOf.join(', '), value);
  } else if ('listOf' in form) {
    if (value === form.orWord) return;
    if (!Array.isArray(value))
      throw misfit(place, `a list${form.orWord === undefined ? '' : ` or ${form.orWord}`}`, value);
    value.forEach((item: unknown, index) => {
      check(item, form.listOf, below(place, String(index)));
    });
  } else {
    if (!isRecord(value)) throw misfit(place, 'an object', value);
    for (const [name, member] of Object.entries(value)) {
      const inner = 'mapOf' in form ? form.mapOf : memberForm(form.members, name, place);
      check(member, inner, below(place, name));
    }
    const missing =
      'required' in form ? form.required?.find((name) => !Object.hasOwn(value, name)) : undefined;
    if (missing !== undefined) throw new Failure(2, `${at(place)}: ${missing} is missing`);
  }
}

function memberForm(members: Readonly<Record<string, Form>>, name: string, place: Place): Form {
  const form = Object.hasOwn(members, name) ? members[name] : undefined;
  if (form !== undefined) return form;
  const near = suggest(name, Object.keys(members));
  throw new Failure(
    2,
    `${at(below(place, name))}: unknown member${near === undefined ? '' : `. Did you mean ${near}?`}`,
    [`known here: ${Object.keys(members).join(', ')}`],
  );
}

function below({ file, pointer }: Place, name: string): Place {
  return { file, pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function at({ file, pointer }: Place): string {
  return `${file}#${pointer}`;
}

function misfit(place: Place, expected: string, value: unknown): Failure {
  const got = JSON.stringify(value) ?? 'nothing';
  return new Failure(
    2,
    `${at(place)}: expected ${expected}, got ${got.length > 60 ? `${got.slice(0, 60)}…` : got}`,
  );
}
