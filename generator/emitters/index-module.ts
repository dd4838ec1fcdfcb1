import type { GeneratedFile } from '../generated-file.ts';
import type { Api } from '../views/api.ts';
import { type Output, printed } from './output.ts';

/** `index.ts`: what a user imports. Nothing in it runs, so a bundler keeps only what is used. */
export function emitIndex(api: Api, files: readonly GeneratedFile[], output: Output): GeneratedFile {
  const specifier = (module: string): string => `./${module}.${output.importExtension}`;
  const modules = files.map(({ path }) => path.slice(api.folder.length + 1).replace(/\.ts$/, ''));
  const view = {
    typeModules: modules.filter((module) => module === 'types').map(specifier),
    modules: modules.filter((module) => module !== 'types').map(specifier),
    runtime: Object.fromEntries(
      RUNTIME_MODULES.map((module) => [module, `../runtime/${module}.${output.importExtension}`]),
    ),
  };
  return { path: `${api.folder}/index.ts`, text: printed(output, api, 'index', view) };
}

// --- internal ---

const RUNTIME_MODULES = [
  'checks',
  'conditional',
  'connection',
  'events',
  'follow',
  'links',
  'operation',
  'settle',
  'streams',
  'upload',
];
