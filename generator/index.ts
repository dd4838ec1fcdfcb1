/** From contracts to TypeScript files in a team's repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, type Json, packageRoot, type Schema } from '../contract/index.ts';
import { emitAnswers, emitFailures } from './emitters/answers.ts';
import { emitClient } from './emitters/client.ts';
import { emitErrors } from './emitters/errors.ts';
import { emitIndex } from './emitters/index-module.ts';
import { emitMap, type MapData } from './emitters/map.ts';
import type { Output } from './emitters/output.ts';
import { emitModel, emitModels } from './emitters/models.ts';
import { emitQuery } from './emitters/query.ts';
import { emitRuntime } from './emitters/runtime.ts';
import { emitServer } from './emitters/server.ts';
import { typePrinter } from './emitters/type-printer.ts';
import { emitTypes } from './emitters/types.ts';
import { emitValidators } from './emitters/validators.ts';
import { emitValues } from './emitters/values.ts';
import type { GeneratedFile } from './generated-file.ts';
import type { HandlersView } from './handlers.ts';
import { keepsModule, type Kept, type Manifest, manifestFile, NOTHING_KEPT } from './manifest.ts';
import { sendable } from './only.ts';
import { templateRenderer } from './render.ts';
import { WriteError } from './staging.ts';
import { formatFunctions } from './validators/runtime-names.ts';
import { type AnswersView, answersView } from './views/answers.ts';
import { type ApiView, apiOf } from './views/api.ts';
import { clientView } from './views/client.ts';
import { errorsView } from './views/errors.ts';
import { type GuardView, guardViews } from './views/guards.ts';
import { modelApis, type ModelApi, type ModelDocument, modelsView, type ModelsView } from './views/models.ts';
import { serverView } from './views/server.ts';
import { shaper } from './views/schema-shapes.ts';
import { valueViews, type ValueView } from './views/values.ts';

export type { GeneratedFile } from './generated-file.ts';
export { noteFormatted } from './formatted.ts';
export { type HandlersView, mergeHandlers, type MergedHandlers } from './handlers.ts';
export { type Kept, keptOf, MANIFEST_PATH, type Manifest, NOTHING_KEPT, parseManifest } from './manifest.ts';
export { folderName } from './names.ts';
export { readInside } from './inside.ts';
export { type ModelDocument, modelPath, runsModels } from './views/models.ts';
export { UnknownOperationError } from '../contract/index.ts';
export { type Unsendable, unsendable, withOnly } from './only.ts';
export { RenderError } from './render.ts';
export { BusyError, WriteError } from './staging.ts';
export { writeGenerated, type WriteOptions, type WriteResult } from './write.ts';

/** The input and the options of a run. */
export interface GenerateOptions {
  /** The extension of relative import specifiers: `ts` for runtimes that run TypeScript. */
  readonly importExtension?: 'js' | 'ts';
  /** A folder with templates that replace the built-in ones with the same name. */
  readonly templates?: string;
  /** Generate servers as well as clients. */
  readonly server?: boolean;
  /**
   * Leave out guards and checks, and everything that depends on them: most of the code for a large document.
   * Servers need them.
   */
  readonly withoutValidators?: boolean;
  /** Generate only types: no client, no guards, no runtime. */
  readonly typesOnly?: boolean;
  /** Also generate keys and options of TanStack Query, and the hooks of its adapter for React. */
  readonly query?: boolean;
  /** Models whose input gets a type and a check, for an API that runs models. */
  readonly models?: readonly ModelDocument[];
  /** The parts of earlier runs that the folder keeps. Nothing by default. */
  readonly kept?: Kept;
}

/**
 * The files for these contracts: a folder for each, one runtime for all, and the manifest. Writes nothing.
 * The same contracts result in the same bytes on every machine.
 *
 * @throws {RenderError} when a user's template refers to a field that its view does not have
 */
export async function generate(
  contracts: readonly Contract[],
  options: GenerateOptions = {},
): Promise<readonly GeneratedFile[]> {
  const root = packageRoot();
  const output: Output = {
    render: templateRenderer(join(root, 'templates'), options.templates),
    importExtension: options.importExtension ?? 'js',
    types: typePrinter(),
  };
  const apis = contracts.map((contract) => apiOf(sendable(contract), RUNTIME_NAMES));
  const kept = withoutModels(options.kept ?? NOTHING_KEPT, options.models ?? []);
  requireFree(apis, kept);
  const folders = [
    ...apis.map(({ folder }) => folder),
    ...Object.keys(kept.contracts),
    ...Object.values(kept.models).map(({ folder }) => folder),
    ...['runtime', 'server-runtime'],
  ];
  const server = options.server === true;
  const typesOnly = options.typesOnly === true;
  const models = modelApis(typesOnly ? [] : (options.models ?? []), folders, RUNTIME_NAMES);
  const isGuarded = server || options.withoutValidators !== true;
  const mapped = typesOnly ? [] : apis.map((api) => viewsOf(api, models, isGuarded));
  const modules = mapped.flatMap((views) => [
    ...modulesOf(views, output),
    // Not part of an API's index either, because hooks need a package of the user's.
    ...(options.query === true ? emitQuery(views.api, views.client, output) : []),
    // Never part of an API's index: the bundle of a browser client must not contain a server.
    ...(server ? [emitServer(views.api, serverView(views.api, views.errors, views.guards), output)] : []),
  ]);
  const needsValues = mapped.some((views) => views.values.length > 0) || keepsModule(kept, 'values');
  const values = needsValues ? ['open-values'] : [];
  const files = [
    ...(typesOnly ? apis.flatMap((api) => typesOf(api, output)) : modules),
    ...models.flatMap((model) => emitModel(model, output)),
    ...mapped.map((views) => emitMap(views, output)),
    ...(typesOnly && !keepsModule(kept, 'client')
      ? []
      : emitRuntime(root, output.importExtension, {
          also: ['error-buckets', 'retry', ...values],
          server: server || keepsModule(kept, 'server'),
        })),
  ];
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version;
  const entries = models.map(({ document: { id, etag }, api: { folder } }) => [
    id,
    { folder, ...(etag === undefined ? {} : { etag }) },
  ]);
  const described = Object.fromEntries(entries) as NonNullable<Manifest['models']>;
  return [...files, manifestFile(apis, files, version, described, kept)];
}

/**
 * The expected content of the handler files, one for each API.
 *
 * @param server returns the specifier of the generated server of a folder, for the import in a handler file
 */
export function handlersOf(
  contracts: readonly Contract[],
  server: (folder: string) => string,
): readonly (HandlersView & { readonly folder: string })[] {
  return contracts.map((contract) => {
    const { api, errors, guards } = viewsOf(apiOf(sendable(contract), RUNTIME_NAMES));
    const { title, handlersType, operations } = serverView(api, errors, guards);
    const variable = handlersType.charAt(0).toLowerCase() + handlersType.slice(1);
    return { title, handlersType, variable, operations, folder: api.folder, server: server(api.folder) };
  });
}

// --- internal ---

/** The parts of earlier runs that are kept, except models that the run writes again. */
function withoutModels(kept: Kept, models: readonly ModelDocument[]): Kept {
  const written = new Set(models.map(({ id }) => id));
  const gone = Object.entries(kept.models).filter(([id]) => written.has(id));
  const folders = new Set(gone.map(([, { folder }]) => folder));
  return {
    ...kept,
    models: Object.fromEntries(Object.entries(kept.models).filter(([id]) => !written.has(id))),
    files: Object.fromEntries(
      Object.entries(kept.files).filter(([path]) => !folders.has(path.split('/')[0] ?? '')),
    ),
  };
}

/** @throws {WriteError} when an API needs the folder of a model that is kept */
function requireFree(apis: readonly ApiView[], kept: Kept): void {
  for (const [id, { folder }] of Object.entries(kept.models)) {
    if (apis.some((api) => api.folder === folder))
      throw new WriteError(
        `the folder ${folder} belongs to the model ${id}: give the API another name with --name`,
      );
  }
}

/** Names that the index of every API exports, and members of every client. */
/** Names of the runtime that operations use, and validators use in their checks. */
const RUNTIME_FUNCTIONS = [
  ...[
    'basic',
    'bearer',
    'binary',
    'deepObject',
    'form',
    'formPair',
    'formText',
    'json',
    'jsonPair',
    'jsonText',
    'keepReserved',
  ],
  ...[
    'keyInCookie',
    'keyInHeader',
    'keyInQuery',
    'label',
    'matrix',
    'multipart',
    'patiently',
    'pipeDelimited',
  ],
  ...['jsonLines', 'jsonSequence', 'randomKey', 'readBlob', 'readByMediaType', 'eventsReader', 'linesReader'],
  ...[
    'readExcept',
    'readNothing',
    'sequenceReader',
    'readStream',
    'streamedReader',
    'readText',
    'readUtf8',
    'textEventsReader',
    'namedEventsReader',
    'partsReader',
    'simple',
  ],
  ...[
    'singlePair',
    'singleText',
    'spaceDelimited',
    'text',
    'urlEncoded',
    'idempotentMethodRules',
    'otherMethodRules',
  ],
  'isObject',
  ...formatFunctions.values(),
];

const RUNTIME_NAMES = [
  ...['Answer', 'ApiError', 'Call', 'CallError', 'CallOptions', 'Checked', 'Connection', 'ConnectionError'],
  ...['ConnectionOptions', 'Credential', 'Failure', 'FollowOptions', 'Held', 'Refreshed', 'ResponseError'],
  ...['TimeoutError', 'Update', 'at', 'connect', 'connection', 'explain', 'linkIn', 'serverEvents'],
  ...['followRedirects', 'RedirectOptions', 'settle'],
  // Names that the modules define themselves.
  ...['Api', 'Failures', 'FailedAnswer', 'FollowRules', 'Operation', 'PageRules', 'api', 'classes'],
  ...[
    'bucketOfAnswer',
    'check',
    'failure',
    'follow',
    'items',
    'pages',
    'guard',
    'checker',
    'refresh',
    'send',
    'textAt',
  ],
  ...[
    'answer',
    'bucket',
    'call',
    'calls',
    'code',
    'data',
    'detail',
    'etag',
    'failures',
    'held',
    'input',
    'link',
  ],
  ...['name', 'options', 'query', 'update', 'value', 'via'],
  ...['OpenValuesPolicy', 'Pick', 'mightBe', 'of', 'readOpenValue'],
  ...[
    'ItemStream',
    'ServedOptions',
    'ServerAddress',
    'TypedEvent',
    'documentServer',
    'withServer',
    'ownAddress',
    'chosenBody',
  ],
  ...[
    'BodyGuards',
    'KnownHeaders',
    'Status',
    'StatusAndHeaders',
    'error',
    'failedWith',
    'numberIn',
    'status',
  ],
  ...['InputError', 'Model', 'ModelInputs', 'checks', 'id', 'modelOf', 'paths', 'run'],
  ...['segmentsOf'],
  ...['Attempt', 'Middleware', 'MiddlewareError', 'rawResponse', 'withMiddleware'],
  ...['UploadError', 'UploadFile', 'UploadOptions', 'UploadProgress', 'UploadRules', 'file', 'upload'],
  ...RUNTIME_FUNCTIONS,
];

interface Views extends MapData {
  readonly values: readonly ValueView[];
  readonly guards: readonly GuardView[];
  readonly answers: AnswersView;
  readonly models: ModelsView | undefined;
  readonly shape: (schema: Schema) => Json;
}

function viewsOf(api: ApiView, documents: readonly ModelApi[] = [], isGuarded = true): Views {
  const models = modelsView(api, documents, api.names);
  const shape = shaper(api);
  const errors = errorsView(api, api.names, shape);
  const client = clientView(api, api.names, { errorType: errors.unionType, shape, models });
  const guards = isGuarded ? guardViews(api, api.names) : [];
  const values = valueViews(api, api.names);
  const answers = answersView(api, api.names, guards);
  return { api, shape, errors, client, guards, values, answers, models, isGuarded };
}

/** The types of an API, and an index of them. */
function typesOf(api: ApiView, output: Output): GeneratedFile[] {
  const types = emitTypes(api, output);
  return [emitIndex(api, [types], output), types];
}

function modulesOf(
  { api, errors, client, guards, values, answers, models, isGuarded }: Views,
  output: Output,
): GeneratedFile[] {
  const modules = [
    emitTypes(api, output),
    emitErrors(api, errors, output),
    emitClient(api, client, output),
    ...(isGuarded ? [emitValidators(api, guards, output)] : []),
    ...emitValues(api, values, output),
    ...emitAnswers(api, answers, output),
    ...emitFailures(api, answers.failures, output),
    ...emitModels(api, models, client.models?.answer ?? '', output),
  ];
  return [emitIndex(api, modules, output), ...modules];
}
