import { type Contract, findPolicy } from '../../contract/index.ts';
import { partsOfId } from '../../contract/policies/model-schemas.ts';
import { folderName, type NameTable } from '../names.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName } from '../schemas/table-entry.ts';
import { type ApiView, apiOf } from './api.ts';
import { type GuardView, guardViews } from './guards.ts';

/** The document of one model, as its server sent it. */
export interface ModelDocument {
  /** Such as `acme/echo-1`. */
  readonly id: string;
  readonly contract: Contract;
  /** The original bytes are stored, so that later runs need no server. */
  readonly text: string;
  readonly etag: string | undefined;
}

/** A model with the data for its own files. */
export interface ModelApi {
  readonly document: ModelDocument;
  readonly api: ApiView;
  readonly guards: readonly GuardView[];
  /** The type of its input, and the function that validates it. */
  readonly input: string;
  readonly check: string;
}

/** The models that an API runs. */
export interface ModelsView {
  readonly name: string;
  /** The function that runs them, with its input and output. */
  readonly run: string;
  readonly runParameters: string;
  readonly models: readonly (ModelApi & { readonly path: Readonly<Record<string, string>> })[];
}

/** Whether the API of the contract offers such documents. */
export function runsModels(contract: Contract): boolean {
  return findPolicy(contract, 'model-schemas') !== undefined;
}

/**
 * The path of a model's document, with encoded values; `undefined` for a text that is not an id.
 *
 * @returns in `form` the format of ids
 */
export function modelPath(
  contract: Contract,
  id: string,
): { readonly path: string | undefined; readonly form: string } {
  const policy = findPolicy(contract, 'model-schemas');
  const template = contract.operations.find((operation) => operation.id === policy?.document)?.path;
  const parts = policy && partsOfId(policy, id);
  const form = policy?.parameters.join(policy.separator) ?? '';
  if (template === undefined || parts === undefined) return { path: undefined, form };
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''));
  return { path: /\/\.{1,2}(?:\/|$)/.test(path) ? undefined : path, form };
}

/** Each model with its own folder. Models whose document describes no body are left out. */
export function modelApis(
  documents: readonly ModelDocument[],
  folders: readonly string[],
  taken: readonly string[],
): ModelApi[] {
  const used = new Set(folders);
  return documents.flatMap((document) => {
    const wish = folderName(`model ${document.id}`);
    let folder = wish;
    for (let count = 2; used.has(folder); count += 1) folder = `${wish}-${String(count)}`;
    used.add(folder);
    const { contract } = document;
    const file = `${document.id} of its server`;
    const api = apiOf({ ...contract, name: folder, document: { ...contract.document, file } }, [...taken]);
    const guards = guardViews(api, api.names);
    const schema = api.operations.find(({ body }) => body?.content.bodyFormat === 'json')?.body?.content
      .schema;
    const type = isObject(schema) ? referredName(schema['$ref']) : undefined;
    const guard = guards.find((candidate) => candidate.type === type);
    return guard === undefined ? [] : [{ document, api, guards, input: guard.type, check: guard.check }];
  });
}

/** @returns `undefined` if the API runs no models, or none of these */
export function modelsView(
  api: ApiView,
  models: readonly ModelApi[],
  names: NameTable,
): ModelsView | undefined {
  const policy = findPolicy(api.contract, 'model-schemas');
  const run = api.operations.find(({ operation }) => operation.id === policy?.run);
  if (policy === undefined || run === undefined) return undefined;
  const own = models.flatMap((model) => {
    const path = partsOfId(policy, model.document.id);
    return path === undefined ? [] : [{ ...model, path }];
  });
  if (own.length === 0) return undefined;
  return { name: names.claim('model'), run: run.name, runParameters: run.parametersType, models: own };
}
