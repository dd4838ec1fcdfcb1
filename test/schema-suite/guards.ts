import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { type Contract, type Diagnostic, loadContract } from '../../contract/index.ts';
import { type GeneratedFile, generate } from '../../generator/index.ts';

export type Guard = (value: unknown) => boolean;

/**
 * Guards for the components of a document, written, compiled and imported as a user's would be.
 *
 * @param folder where that happens; it must not hold another document's
 * @returns by the names of the components, which have to be names of types; nothing where the document is refused
 */
export async function guardsOf(
  document: object,
  folder: string,
): Promise<{
  readonly guards?: (name: string) => Guard;
  readonly contract?: Contract;
  /** As they are generated, with the types of the document. */
  readonly files: readonly GeneratedFile[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'suite' });
  if (!loaded.ok) return { files: [], diagnostics: loaded.diagnostics };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const files = await generate([loaded.contract]);
  for (const { path, text } of files) {
    if (!/^runtime\/|validators\.ts$/.test(path)) continue;
    const to = join(folder, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, transformSync(text, { loader: 'ts', target: 'es2022' }).code);
  }
  const path = pathToFileURL(join(folder, 'suite', 'validators.js')).href;
  const module = (await import(/* @vite-ignore */ path)) as Record<string, Guard>;
  return {
    files,
    diagnostics: [],
    contract: loaded.contract,
    guards: (name) => {
      const guard = module[`is${name}`];
      if (guard === undefined) throw new Error(`no guard is${name}`);
      return guard;
    },
  };
}
