import type { GeneratedFile } from '../generated-file.ts';
import { type Code, code, parenthesised } from '../printing.ts';
import { genericsIn, namesIn } from '../schemas/type-shape.ts';
import type { ApiView } from '../views/api.ts';
import type { ClientView } from '../views/client.ts';
import type { WatchView } from '../views/watch.ts';
import { operationView, type Print } from './call.ts';
import { type Imports, imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `client.ts`: a function for each operation, and a client that calls all of them over one connection. */
export function emitClient(api: ApiView, view: ClientView, output: Output): GeneratedFile {
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  const print: Print = (shape) => {
    for (const name of namesIn(shape)) collected.type('./types', name);
    for (const name of genericsIn(shape)) collected.type('../runtime/streams', name);
    return output.types.expression(shape);
  };
  const operations = view.operations.map((operation) => operationView(operation, print, collected));
  const schemes =
    view.schemes.length === 0
      ? 'never'
      : print({ anyOf: view.schemes.map((scheme) => ({ type: 'x-literal', 'x-value': scheme })) });

  collected.type('../runtime/connection', 'Connection');
  if (view.server === undefined) collected.type('../runtime/connection', 'ConnectionOptions');
  collected.value('../runtime/connection', 'connect');
  if (view.operations.length > 0) {
    collected.value('./errors', 'failure');
    for (const name of ['Answer', 'Api', 'CallOptions', 'Operation'])
      collected.type('../runtime/operation', name);
    collected.type('../runtime/settle', 'Call');
    collected.value('../runtime/http', 'send');
  }
  const { server } = view;
  if (server !== undefined) {
    collected.type('../runtime/operation', 'ServerAddress');
    collected.type('../runtime/addresses', 'ServedOptions');
    collected.value('../runtime/addresses', 'withServer');
  }
  const watches = view.watch === undefined ? [] : [watchView(view.watch, print, collected)];
  for (const { module, name } of view.uses) collected.value(`../runtime/${module}`, name);

  if (view.models !== undefined) {
    collected.value('./models', view.models.name);
    for (const type of ['Model', 'ModelInputs']) collected.type('./models', type);
  }
  const text = printed(output, api, 'client', {
    imports: collected.lines(),
    title: api.contract.title,
    create: view.create,
    connectionMember: view.connection,
    isOwnMember: view.connection !== 'connection',
    clientType: view.clientType,
    optionsType: view.optionsType,
    options: code(
      server === undefined
        ? `ConnectionOptions<${schemes}>`
        : `ServedOptions<${schemes}, ${print(server.variables)}>`,
    ),
    servers: server === undefined ? [] : [server],
    connected: code(server === undefined ? 'connect(options)' : `${server.connect}(options)`),
    given: code(server === undefined ? '' : ' = {}'),
    apis: view.operations.length === 0 ? [] : [{ members: view.apiMembers }],
    securities: view.securities,
    operations,
    watches,
    models: view.models === undefined ? [] : [view.models],
  });
  return { path: `${api.folder}/client.ts`, text };
}

// --- internal ---

function watchView(view: WatchView, print: Print, collected: Imports): object {
  collected.value('../runtime/follow', 'follow');
  for (const type of ['FollowOptions', 'FollowRules', 'Update']) collected.type('../runtime/follow', type);
  const resource = print(view.resource);
  const updates = `AsyncGenerator<Update<${resource}>, void, undefined>`;
  const parameters = (first: readonly string[], indent: number, before: number, after: number): Code =>
    code(
      parenthesised([...first, `input: ${view.inputType}`, `options?: FollowOptions<${resource}>`], {
        indent,
        before,
        after: after + 4,
      }),
    );
  const own = ['connection: Connection'];
  return {
    ...view,
    resource: code(resource),
    alone: code(view.hasOtherAnswers ? ` as Promise<Answer<${resource}>>` : ''),
    updates: code(updates),
    declaredFollow: parameters(own, 0, `export function ${view.followName}`.length, updates.length),
    declaredWait: parameters(
      own,
      0,
      `export async function ${view.waitName}`.length,
      `Promise<${resource}>`.length,
    ),
    memberFollow: parameters([], 2, `  readonly ${view.followName}: `.length, updates.length),
    memberWait: parameters([], 2, `  readonly ${view.waitName}: `.length, `Promise<${resource}>`.length),
  };
}
