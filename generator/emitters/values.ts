import type { GeneratedFile } from '../generated-file.ts';
import { code, jsString, jsValue } from '../printing.ts';
import type { ApiView } from '../views/api.ts';
import type { ValueView } from '../views/values.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `values.ts`: functions that read fields with open sets of values; no file if the API has none. */
export function emitValues(api: ApiView, views: readonly ValueView[], output: Output): GeneratedFile[] {
  if (views.length === 0) return [];
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  collected.value('../runtime/errors', 'textAt');
  collected.value('../runtime/policies/open-values', 'readOpenValue');
  collected.type('../runtime/policies/open-values', 'OpenValuesPolicy');
  if (views.some(({ question }) => question !== undefined))
    collected.value('../runtime/policies/open-values', 'mightBe');
  for (const { type } of views) collected.type('./types', type);
  const values = views.map((view) => ({
    ...view,
    data: code(jsValue(view.data)),
    path: code(view.path.map((member) => jsString(member)).join(', ')),
    union: code(view.known.map((value) => jsString(value)).join(' | ')),
    questions: view.question === undefined ? [] : [view.question],
  }));
  const view = { imports: collected.lines(), values };
  return [{ path: `${api.folder}/values.ts`, text: printed(output, api, 'values', view) }];
}
