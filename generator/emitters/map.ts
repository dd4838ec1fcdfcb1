import type { GeneratedFile } from '../generated-file.ts';
import { portableName } from '../manifest.ts';
import { type Code, code } from '../printing.ts';
import type { ApiView } from '../views/api.ts';
import type { ClientView } from '../views/client.ts';
import type { ErrorsView } from '../views/errors.ts';
import type { Output } from './output.ts';

/** The data of the map of one API. */
export interface MapData {
  readonly api: ApiView;
  readonly client: ClientView;
  readonly errors: ErrorsView;
  /** Whether its types have guards and checks. */
  readonly isGuarded: boolean;
}

/** `api.md`: every call, error and type of an API on one page. */
export function emitMap({ api, client, errors, isGuarded }: MapData, output: Output): GeneratedFile {
  const page = {
    title: api.contract.title,
    folder: `${api.folder}/`,
    document: portableName(api.contract.document.file),
    create: client.create,
    calls: client.operations.flatMap(({ member: name, pages, refresh, upload }, index) => {
      const operation = api.operations[index]?.operation;
      const request = operation === undefined ? '' : `${operation.method.toUpperCase()} ${operation.path}`;
      return [
        { name, request, summary: operation?.summary ?? '' },
        ...(pages === undefined
          ? []
          : [
              { name: `${name}.pages`, request, summary: 'Page by page' },
              { name: `${name}.items`, request, summary: 'Entry by entry' },
            ]),
        ...(refresh === undefined
          ? []
          : [{ name: `${name}.refresh`, request, summary: 'Only when it has changed' }]),
        ...(upload === undefined
          ? []
          : [
              { name: `${name}.withUpload`, request, summary: 'And the file to where the answer says' },
              { name: `${name}.upload`, request, summary: 'The file alone, for an answer at hand' },
            ]),
      ];
    }),
    errors: listed([
      ...(errors.buckets?.classes ?? []).map(({ name }) => name),
      ...(errors.codes?.classes ?? []).map(({ name }) => name),
      ...errors.statuses.map(({ name }) => name),
      'ApiError',
      'ConnectionError',
      'TimeoutError',
      'ResponseError',
    ]),
    guards: code(isGuarded ? ', each with a guard `is…` and a check `check…`' : ''),
    types: listed(api.table.entries.map(({ name }) => api.names.publicName(name))),
  };
  return { path: `${api.folder}/api.md`, text: output.render('api', { apis: [page] }) };
}

// --- internal ---

function listed(names: readonly string[]): { name: string; separator: Code }[] {
  return names.map((name, index) => ({ name, separator: code(index === 0 ? '' : ', ') }));
}
