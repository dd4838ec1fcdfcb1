import type { GeneratedFile } from '../generated-file.ts';
import { type Code, code, jsString } from '../printing.ts';
import { namesIn } from '../schemas/type-shape.ts';
import type { ApiView } from '../views/api.ts';
import type { BucketsView, CodesView, ErrorsView, StatusView } from '../views/errors.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/**
 * `errors.ts`: the classes of the errors that calls throw, and the function that selects one for an answer.
 */
export function emitErrors(api: ApiView, view: ErrorsView, output: Output): GeneratedFile {
  const { buckets, codes, statuses, bodyType } = view;
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  const runtime = '../runtime/errors';
  collected.value(runtime, 'ApiError');
  collected.type(runtime, 'FailedAnswer');
  for (const name of ['ConnectionError', 'ResponseError', 'TimeoutError']) collected.type(runtime, name);
  for (const name of namesIn(view.bodyShape)) collected.type('./types', name);
  if (buckets !== undefined || codes !== undefined) collected.value(runtime, 'textAt');
  if (buckets !== undefined) {
    collected.value('../runtime/policies/error-buckets', 'bucketOfAnswer');
  }
  const named = buckets?.classes ?? codes?.classes ?? [];
  const names = [...named, ...statuses].map(({ name }) => name);
  // An unknown bucket has a class too; an unknown status does not.
  const others = buckets === undefined ? [`ApiError<${bodyType}>`] : [];
  const page = {
    imports: collected.lines(),
    runtimeErrors: `${runtime}.${output.importExtension}`,
    bodyType,
    body: code(bodyText(view, output)),
    unionType: view.unionType,
    union: alternatives([...names, ...others, 'ConnectionError', 'TimeoutError', 'ResponseError']),
    classes: [
      ...named.map(({ name, comment, bucket }) => ({
        ...{ name, comment, generics: code(''), body: code(bodyType) },
        declares: [{ name: 'bucket', type: code(jsString(bucket)) }],
      })),
      ...statuses.map(({ name, comment, status, isRange }) => ({
        ...{ name, comment, generics: code(`<Body = ${bodyType}>`), body: code('Body') },
        declares: isRange ? [] : [{ name: 'status', type: code(String(status)) }],
      })),
    ],
    byBucket: buckets === undefined ? [] : [byBucket(buckets, bodyType)],
    byStatus: buckets === undefined ? [byStatus(codes, statuses)] : [],
  };
  return { path: `${api.folder}/errors.ts`, text: printed(output, api, 'errors', page) };
}

// --- internal ---

function byBucket(buckets: BucketsView, bodyType: string): object {
  const isFallback = ({ bucket }: { readonly bucket: string }): boolean => bucket === buckets.fallback;
  return {
    ...buckets,
    bodyType,
    union: alternatives(buckets.classes.map(({ bucket }) => jsString(bucket))),
    fallbackClass: buckets.classes.find(isFallback)?.name ?? 'ApiError',
  };
}

function byStatus(codes: CodesView | undefined, statuses: readonly StatusView[]): object {
  const classes = statuses.map(({ name, status }) => ({ name, status: code(String(status)) }));
  const path = (members: readonly string[]): Code => code(members.map(jsString).join(', '));
  return {
    given: code(codes === undefined ? 'answer' : 'answer, code, detail'),
    codes: codes === undefined ? [] : [{ code: path(codes.code), message: path(codes.message) }],
    switches: codes === undefined || codes.classes.length === 0 ? [] : [{ classes: codes.classes }],
    exact: classes.filter((_, index) => statuses[index]?.isRange === false),
    ranges: classes.filter((_, index) => statuses[index]?.isRange === true),
  };
}

function bodyText({ bodyShape }: ErrorsView, { types }: Output): string {
  if (bodyShape === true) return 'unknown';
  return bodyShape === false ? 'string | undefined' : `${types.expression(bodyShape)} | string | undefined`;
}

function alternatives(types: readonly string[]): Code {
  return code(types.map((type) => `\n  | ${type}`).join(''));
}
