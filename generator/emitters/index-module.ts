import type { GeneratedFile } from '../generated-file.ts';
import { code } from '../printing.ts';
import type { ApiView } from '../views/api.ts';
import { type Output, printed } from './output.ts';

/**
 * `index.ts`: everything that a user imports, except guards and their callers, which are a large part of the
 * code and have their own modules. It has no side effects, so a bundler keeps only what is used.
 */
export function emitIndex(api: ApiView, files: readonly GeneratedFile[], output: Output): GeneratedFile {
  const specifier = (module: string): string => `./${module}.${output.importExtension}`;
  const modules = files.map(({ path }) => path.slice(api.folder.length + 1).replace(/\.ts$/, ''));
  const { claim, taken } = api.names;
  const types = taken();
  /** Exported under another name if the document has a type with this one. */
  const shown = (name: string): string => {
    if (!types.has(name)) return name;
    const upper = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return `${name} as ${claim(upper === name ? `Runtime${name}` : `runtime${upper}`)}`;
  };
  const exported = (kind: 'export' | 'export type', from: string, names: readonly string[]): object => ({
    kind: code(kind),
    names: code(names.join(', ')),
    from,
  });
  // If two modules export the same name, an `export *` of both exports neither.
  const contested = modules.flatMap((module) => {
    const ours = CONTESTED[module] ?? {};
    return Object.entries(ours).flatMap(([kind, names]) => {
      const met = names.filter((name) => types.has(name));
      return met.length === 0
        ? []
        : [
            // The document's: types from their module, functions from the client.
            ...(met.some(isType) ? [exported('export type', specifier('types'), met.filter(isType))] : []),
            ...(met.every(isType)
              ? []
              : [
                  exported(
                    'export',
                    specifier('client'),
                    met.filter((name) => !isType(name)),
                  ),
                ]),
            exported(kind as 'export', specifier(module), met.map(shown)),
          ];
    });
  });
  const view = {
    typeModules: modules.filter((module) => TYPES_ALONE.has(module)).map(specifier),
    modules: modules.filter((module) => !TYPES_ALONE.has(module) && module !== 'validators').map(specifier),
    exports: [
      ...contested,
      ...(modules.includes('client') ? RUNTIME_EXPORTS : []).map(([kind, module, names]) =>
        exported(kind, `../runtime/${module}.${output.importExtension}`, names.map(shown)),
      ),
    ],
  };
  return { path: `${api.folder}/index.ts`, text: printed(output, api, 'index', view) };
}

// --- internal ---

/** Modules of which an index exports types only. */
const TYPES_ALONE: ReadonlySet<string> = new Set(['types', 'failures']);

/** The re-exports of the runtime from the modules of an API. */
const CONTESTED: Readonly<Record<string, Partial<Record<'export' | 'export type', readonly string[]>>>> = {
  errors: {
    export: ['ApiError', 'CallError', 'ConnectionError', 'ResponseError', 'TimeoutError', 'failure'],
  },
};

function isType(name: string): boolean {
  return name !== name.charAt(0).toLowerCase() + name.slice(1);
}

const RUNTIME_EXPORTS: readonly (readonly [
  kind: 'export' | 'export type',
  module: string,
  names: readonly string[],
])[] = [
  ['export', 'checks', ['explain']],
  ['export', 'connection', ['connect']],
  ['export', 'events', ['serverEvents']],
  ['export', 'links', ['at', 'linkIn']],
  ['export', 'middleware', ['MiddlewareError', 'withMiddleware']],
  ['export', 'raw-response', ['rawResponse']],
  ['export', 'redirects', ['followRedirects']],
  ['export', 'settle', ['settle']],
  ['export', 'streams', ['ItemStream']],
  ['export', 'upload', ['UploadError']],
  ['export type', 'checks', ['Checked', 'Failure']],
  ['export type', 'connection', ['Connection', 'ConnectionOptions', 'Credential']],
  ['export type', 'conditional', ['Held', 'Refreshed']],
  ['export type', 'follow', ['FollowOptions', 'Update']],
  ['export type', 'middleware', ['Attempt', 'Middleware']],
  ['export type', 'operation', ['Answer', 'CallOptions']],
  ['export type', 'redirects', ['RedirectOptions']],
  ['export type', 'settle', ['Call']],
  ['export type', 'streams', ['TypedEvent']],
  ['export type', 'upload', ['UploadFile', 'UploadOptions', 'UploadProgress']],
];
