import type { Json } from '../../contract/index.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code } from '../printing.ts';
import { namesIn } from '../schemas/type-shape.ts';
import type { Api } from '../views/api.ts';
import type { CallView, ClientView } from '../views/client.ts';
import { type Imports, imports } from './imports.ts';
import { type Output, printed } from './output.ts';
import { typePrinter } from './type-printer.ts';

/** `client.ts`: a function for each operation, and a client that holds them all over one connection. */
export function emitClient(api: Api, view: ClientView, output: Output): GeneratedFile {
  const collected = imports((module) => `${module}.${output.importExtension}`);
  const print = (shape: Json): string => {
    for (const name of namesIn(shape)) collected.type('./types', name);
    return typePrinter().expression(shape);
  };
  const operations = view.operations.map((operation) => operationView(operation, print, collected));
  const schemes =
    view.schemes.length === 0
      ? 'never'
      : print({ anyOf: view.schemes.map((scheme) => ({ type: 'x-literal', 'x-value': scheme })) });

  for (const name of ['Connection', 'ConnectionOptions']) collected.type('../runtime/connection', name);
  collected.value('../runtime/connection', 'connect');
  if (view.operations.length > 0) {
    collected.value('./errors', 'failure');
    for (const name of ['Answer', 'Api', 'CallOptions', 'Operation'])
      collected.type('../runtime/operation', name);
    collected.type('../runtime/settle', 'Call');
    collected.value('../runtime/http', 'send');
  }
  for (const { module, name } of view.uses) collected.value(`../runtime/${module}`, name);

  const text = printed(output, api, 'client', {
    imports: collected.lines(),
    title: api.contract.title,
    create: view.create,
    clientType: view.clientType,
    optionsType: view.optionsType,
    schemes: code(schemes),
    apis: view.operations.length === 0 ? [] : [{ members: view.apiMembers }],
    securities: view.securities,
    operations,
  });
  return { path: `${api.folder}/client.ts`, text };
}

// --- internal ---

function operationView(view: CallView, print: (shape: Json) => string, collected: Imports): object {
  const { inputType, inputOptional, pages, refresh, answerType, errorType } = view;
  collected.type('./errors', errorType);
  if (inputType !== undefined) collected.type('./types', inputType);
  const answers = view.answers.map(({ data, status }) => `Answer<${print(data)}, ${status.text}>`);
  const parameters = inputType === undefined ? '' : `input: ${inputType}${inputOptional ? ' = {}' : ''}, `;
  const signature = inputType === undefined ? '' : `input${inputOptional ? '?' : ''}: ${inputType}, `;
  const argument = inputType === undefined ? '' : 'input, ';
  const item = pages && print(pages.item);
  const returns = `Call<${answerType}, ${errorType}>`;
  if (pages !== undefined) {
    collected.value('../runtime/pages', 'items');
    collected.value('../runtime/pages', 'pages');
    collected.type('../runtime/pages', 'PageRules');
  }
  const data = refresh && print(refresh.data);
  if (refresh !== undefined) {
    collected.value('../runtime/conditional', 'refresh');
    for (const name of ['Held', 'Refreshed']) collected.type('../runtime/conditional', name);
  }
  return {
    name: view.name,
    comment: view.comment,
    constant: view.constant,
    members: view.members,
    answerType,
    answers: code(answers.join(' | ')),
    parameters: code(parameters),
    signature: code(signature),
    argument: code(argument),
    input: code(inputType === undefined ? '{}' : 'input'),
    returns: code(returns),
    isPlain: pages === undefined && refresh === undefined,
    pages:
      pages === undefined
        ? []
        : [
            {
              ...pages,
              item: code(item ?? 'unknown'),
              name: view.name,
              parameters: code(parameters),
              signature: code(signature),
              argument: code(argument),
              answerType,
            },
          ],
    refresh:
      refresh === undefined
        ? []
        : [{ ...refresh, data: code(data ?? 'unknown'), operation: view.name, inputType }],
  };
}
