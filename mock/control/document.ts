import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';

/** The OpenAPI document of the control API, which `npm run docs` writes from its types. */
export async function controlDocument(): Promise<unknown> {
  document ??= JSON.parse(await readFile(join(packageRoot(), 'mock/control/openapi.json'), 'utf8'));
  return document;
}

// --- internal ---

let document: unknown;
