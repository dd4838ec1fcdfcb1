import type { GeneratedFile } from '../generated-file.ts';
import { code, jsString } from '../printing.ts';
import { namesIn } from '../schemas/type-shape.ts';
import type { Api } from '../views/api.ts';
import type { ErrorsView } from '../views/errors.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';
import { typePrinter } from './type-printer.ts';

/** `errors.ts`: the classes of the errors that calls throw, and the function that picks one for an answer. */
export function emitErrors(api: Api, view: ErrorsView, output: Output): GeneratedFile {
  const { buckets, statuses, bodyType } = view;
  const collected = imports((module) => `${module}.${output.importExtension}`);
  const runtime = '../runtime/errors';
  collected.value(runtime, 'ApiError');
  collected.type(runtime, 'FailedAnswer');
  for (const name of ['ConnectionError', 'ResponseError', 'TimeoutError']) collected.type(runtime, name);
  for (const name of namesIn(view.bodyShape)) collected.type('./types', name);
  if (buckets !== undefined) {
    collected.value(runtime, 'textAt');
    collected.value('../runtime/policies/error-buckets', 'bucketOfAnswer');
    collected.type('../runtime/policies/error-buckets', 'BucketNames');
  }
  const names = (buckets?.classes ?? statuses).map(({ name }) => name);
  const body =
    view.bodyShape === false
      ? 'string | undefined'
      : view.bodyShape === true
        ? 'unknown'
        : `${typePrinter().expression(view.bodyShape)} | string | undefined`;
  const page = {
    imports: collected.lines(),
    runtimeErrors: `${runtime}.${output.importExtension}`,
    bodyType,
    body: code(body),
    unionType: view.unionType,
    union: code(
      [
        ...names,
        ...(buckets === undefined ? [`ApiError<${bodyType}>`] : []),
        'ConnectionError',
        'TimeoutError',
        'ResponseError',
      ]
        .map((name) => `\n  | ${name}`)
        .join(''),
    ),
    classes: [
      ...(buckets?.classes ?? []).map(({ name, comment, bucket }) => ({
        name,
        comment,
        generics: code(''),
        body: code(bodyType),
        declares: [{ name: 'bucket', type: code(jsString(bucket)) }],
      })),
      ...statuses.map(({ name, comment, status, isRange }) => ({
        name,
        comment,
        generics: code(`<Body = ${bodyType}>`),
        body: code('Body'),
        declares: isRange ? [] : [{ name: 'status', type: code(String(status)) }],
      })),
    ],
    buckets:
      buckets === undefined
        ? []
        : [
            {
              ...buckets,
              union: code(buckets.classes.map(({ bucket }) => `\n  | ${jsString(bucket)}`).join('')),
              others: buckets.classes.filter(({ bucket }) => bucket !== buckets.fallback),
              fallbackClass:
                buckets.classes.find(({ bucket }) => bucket === buckets.fallback)?.name ?? 'ApiError',
            },
          ],
    statuses:
      buckets === undefined
        ? [
            {
              exact: statuses
                .filter(({ isRange }) => !isRange)
                .map(({ name, status }) => ({ name, status: code(String(status)) })),
              ranges: statuses
                .filter(({ isRange }) => isRange)
                .map(({ name, status }) => ({ name, status: code(String(status)) })),
            },
          ]
        : [],
  };
  return { path: `${api.folder}/errors.ts`, text: printed(output, api, 'errors', page) };
}
