import type { GeneratedFile } from '../generated-file.ts';
import { code, jsValue } from '../printing.ts';
import type { ApiView } from '../views/api.ts';
import type { ModelApi, ModelsView } from '../views/models.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';
import { emitTypes } from './types.ts';
import { emitValidators } from './validators.ts';

/** `models.ts`: each model by its id; its input has a type and a check from the model's own schema. */
export function emitModels(
  api: ApiView,
  view: ModelsView | undefined,
  answer: string,
  output: Output,
): GeneratedFile[] {
  if (view === undefined) return [];
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  collected.type('../runtime/checks', 'Checked');
  collected.value('../runtime/models', 'modelOf');
  collected.type('../runtime/models', 'Model');
  collected.type('../runtime/operation', 'CallOptions');
  collected.type('./client', answer);
  collected.type('./types', view.runParameters);
  const models = view.models.map(({ document, api: own, input, check, path }, index) => {
    collected.type(`../${own.folder}/types`, `${own.names.publicName(input)} as Input${String(index)}`);
    collected.value(`../${own.folder}/validators`, `${check} as check${String(index)}`);
    return {
      id: document.id,
      input: code(`Input${String(index)}`),
      check: code(`check${String(index)}`),
      path: code(jsValue(path)),
    };
  });
  const page = {
    imports: collected.lines(),
    name: view.name,
    run: view.run,
    parameters: view.runParameters,
    answer,
    runtimeModels: `../runtime/models.${output.importExtension}`,
    models,
  };
  return [{ path: `${api.folder}/models.ts`, text: printed(output, api, 'models', page) }];
}

/** The files of one model: its original document, and the types and checks made from it. */
export function emitModel({ api, guards, document }: ModelApi, output: Output): GeneratedFile[] {
  return [
    { path: `${api.folder}/openapi.json`, text: document.text },
    emitTypes(api, output),
    emitValidators(api, guards, output),
  ];
}
