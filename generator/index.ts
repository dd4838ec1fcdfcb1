/** From contracts to TypeScript files in a team's repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, packageRoot } from '../contract/index.ts';
import { emitIndex } from './emitters/index-module.ts';
import type { Output } from './emitters/output.ts';
import { emitTypes } from './emitters/types.ts';
import type { GeneratedFile } from './generated-file.ts';
import { manifestFile } from './manifest.ts';
import { templateRenderer } from './render.ts';
import { apiOf } from './views/api.ts';

export type { GeneratedFile } from './generated-file.ts';
export { MANIFEST_PATH, type Manifest, parseManifest } from './manifest.ts';
export { RenderError } from './render.ts';
export { WriteError, writeGenerated, type WriteOptions, type WriteResult } from './write.ts';

export interface GenerateOptions {
  /** What relative import specifiers end in: `ts` for runtimes that run TypeScript. */
  readonly importExtension?: 'js' | 'ts';
  /** A folder with templates that take the place of ours of the same name. */
  readonly templates?: string;
}

/**
 * The files for these contracts: a folder for each, one runtime for all, and the manifest. Writes nothing; the same
 * contracts give the same bytes on every machine.
 *
 * @throws {RenderError} when a template of the user's asks for what its view does not hold
 */
export async function generate(
  contracts: readonly Contract[],
  options: GenerateOptions = {},
): Promise<readonly GeneratedFile[]> {
  const root = packageRoot();
  const output: Output = {
    render: templateRenderer(join(root, 'templates'), options.templates),
    importExtension: options.importExtension ?? 'js',
  };
  const apis = contracts.map((contract) => apiOf(contract, []));
  const files = apis.flatMap((api) => {
    const modules = [emitTypes(api, output)];
    return [emitIndex(api, modules, output), ...modules];
  });
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version;
  return [...files, manifestFile(apis, files, version)];
}
