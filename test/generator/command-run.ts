import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../cli/main.ts';
import { temporaryFolder } from './generated.ts';

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A package of a user's with these files. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export class Stream {
  text = '';
  readonly isTTY = false;
  readonly columns = 80;
  heard = (): void => undefined;
  write(chunk: string): boolean {
    this.text += chunk;
    this.heard();
    return true;
  }
}

/** The command in this process; `signal` gets what asks it to end. */
export async function run(
  cwd: string,
  argv: readonly string[],
  onSignal: (listener: (signal: 'SIGINT') => void) => () => void = () => () => undefined,
  streams = { stdout: new Stream(), stderr: new Stream() },
): Promise<Told> {
  const code = await main(argv, {
    ...(streams as unknown as { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }),
    cwd,
    environment: {},
    onSignal,
  });
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

/** A small document. */
export const pets = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['reading'],
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
          },
        },
      },
    },
    '/people': {
      get: {
        operationId: 'listPeople',
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Pet: { type: 'object', properties: { name: { type: 'string' } } },
      Person: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
});

/** The paths of all files and folders in a folder. */
export const written = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' });
