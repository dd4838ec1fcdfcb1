import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { moduleOf } from './cache.ts';

export const HEY_API = '@hey-api/openapi-ts@0.99.0';

/** A generator of other people, with its usual settings, that is asked for types and nothing else. */
export interface Peer {
  readonly name: string;
  /** Writes the types of a document in this process. Says whether there are any. */
  readonly types: (file: string, out: string) => Promise<boolean>;
  /** Its command that does the same: a script and what it is called with. */
  readonly command: (file: string, out: string) => readonly [script: string, ...args: string[]];
}

const openapiTypescript: Peer = {
  name: 'openapi-typescript',
  types: async (file, out) => {
    try {
      const text = astToString(await openapiTS(pathToFileURL(file), { silent: true }));
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, 'types.ts'), text);
      return true;
    } catch {
      return false;
    }
  },
  command: (file, out) => [
    fileURLToPath(new URL('../bin/cli.js', import.meta.resolve('openapi-typescript'))),
    ...[file, '-o', join(out, 'types.ts')],
  ],
};

/** It is fetched for the run. */
const heyApi: Peer = {
  name: 'hey-api',
  types: async (file, out) => {
    const { createClient } = (await import(pathToFileURL(heyApiFile('index')).href)) as {
      createClient(config: object): Promise<unknown>;
    };
    const logs = { level: 'silent', file: false };
    try {
      await createClient({ input: file, output: out, plugins: ['@hey-api/typescript'], logs });
      return existsSync(join(out, 'types.gen.ts'));
    } catch {
      return false;
    }
  },
  command: (file, out) => [
    heyApiFile('run'),
    ...['-i', file, '-o', out, '-p', '@hey-api/typescript', '-s', '--no-log-file'],
  ],
};

export const peers: readonly Peer[] = [openapiTypescript, heyApi];

// --- internal ---

function heyApiFile(name: string): string {
  return moduleOf([HEY_API, 'typescript@~5.9.0'], `@hey-api/openapi-ts/dist/${name}.mjs`);
}
