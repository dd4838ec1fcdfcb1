import type { Json } from '../../contract/index.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { type Code, code, jsString, parenthesised } from '../printing.ts';
import { genericsIn, namesIn } from '../schemas/type-shape.ts';
import type { ApiView } from '../views/api.ts';
import type { CallView, ClientView, PagesView, RefreshView, UploadView } from '../views/client.ts';
import type { LinkView, WatchView } from '../views/watch.ts';
import { type Imports, imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `client.ts`: a function for each operation, and a client that calls all of them over one connection. */
export function emitClient(api: ApiView, view: ClientView, output: Output): GeneratedFile {
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  const print = (shape: Json): string => {
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

function operationView(view: CallView, print: (shape: Json) => string, collected: Imports): object {
  const { name, exported, member, inputType, inputDefault, pages } = view;
  const { refresh, link, upload, answerType, errorType } = view;
  collected.type('./errors', errorType);
  if (inputType !== undefined) collected.type('./types', inputType);
  const answers = view.answers.map(({ data, status, headers }) => {
    if (headers === undefined) return `Answer<${print(data)}, ${status.text}>`;
    collected.type('./types', headers.type);
    const key = /^\d+$/.test(headers.status) ? headers.status : jsString(headers.status);
    return `Answer<${print(data)}, ${status.text}, ${headers.type}[${key}]>`;
  });
  const returns = `Call<${answerType}, ${errorType}>`;
  const asked =
    inputType === undefined ? [] : [`input${inputDefault === undefined ? '' : '?'}: ${inputType}`];
  const taken =
    inputType === undefined
      ? []
      : [`input: ${inputType}${inputDefault === undefined ? '' : ` = ${inputDefault}`}`];
  const given = inputType === undefined ? [] : ['input'];
  /** The parameters of an exported function; `more` follows the connection. */
  const declared = (as: string, result: string, more: readonly string[] = []): Code =>
    code(
      parenthesised(['connection: Connection', ...more, ...taken, 'options?: CallOptions'], {
        indent: 0,
        before: `export function ${as}`.length,
        after: `: ${result} {`.length,
      }),
    );
  /** The parameters of a member of the client. */
  const called = (before: number, result: string, indent: number, more: readonly string[] = []): Code =>
    code(
      parenthesised([...more, ...asked, 'options?: CallOptions'], {
        indent,
        before,
        after: result.length + 5,
      }),
    );
  const common = {
    name,
    exported,
    memberName: member,
    answerType,
    given: code(given.map((argument) => `${argument}, `).join('')),
  };
  return {
    ...common,
    comment: view.comment,
    constant: view.constant,
    members: view.members,
    answers: code(answers.join(' | ')),
    returns: code(returns),
    declared: declared(name, returns),
    // Reserved words and names of the runtime are no names of functions in this module.
    keyword: code(name === exported ? 'export function' : 'function'),
    aliases: name === exported ? [] : [code(`${name} as ${exported}`)],
    member: called(`  readonly ${member}: `.length, returns, 2),
    callable: called(4, returns, 4),
    inner: called(0, '', 6),
    input: code(inputType === undefined ? '{}' : 'input'),
    isPlain: [pages, refresh, link, upload].every((part) => part === undefined),
    pages: pages === undefined ? [] : [pagesView(pages)],
    refresh: refresh === undefined ? [] : [refreshView(refresh)],
    links: link === undefined ? [] : [linkView(link)],
    uploads: upload === undefined ? [] : [uploadView(upload)],
  };

  function pagesView({ pagesName, itemsName, rulesName, rules, item: shape }: PagesView): object {
    collected.value('../runtime/pages', 'items');
    collected.value('../runtime/pages', 'pages');
    collected.type('../runtime/pages', 'PageRules');
    const item = print(shape);
    const walk = (each: string): string => `AsyncGenerator<${each}, void, undefined>`;
    return {
      ...common,
      ...{ pagesName, itemsName, rulesName, rules },
      pages: code(walk(answerType)),
      items: code(walk(item)),
      declaredPages: declared(pagesName, walk(answerType)),
      declaredItems: declared(itemsName, walk(item)),
      memberPages: called('    pages'.length, walk(answerType), 4),
      memberItems: called('    items'.length, walk(item), 4),
      inner: called(0, '', 8),
    };
  }

  function refreshView({ name: refreshName, member, data: shape }: RefreshView): object {
    collected.value('../runtime/conditional', 'refresh');
    for (const type of ['Held', 'Refreshed']) collected.type('../runtime/conditional', type);
    const data = print(shape);
    const held = [`held: Held<${data}> | undefined`];
    const result = `Promise<Refreshed<${data}>>`;
    return {
      ...common,
      refreshName,
      member,
      data: code(data),
      result: code(result),
      declared: declared(refreshName, result, held),
      memberRefresh: called('    refresh'.length, result, 4, held),
      inner: called(0, '', 8, held),
    };
  }
  function uploadView({ rulesName, rules, upload: uploadName, both }: UploadView): object {
    collected.value('../runtime/upload', 'upload');
    for (const type of ['UploadFile', 'UploadOptions', 'UploadRules'])
      collected.type('../runtime/upload', type);
    const sent = 'Promise<Answer<undefined>>';
    const whole = `Promise<{ readonly answer: ${answerType}; readonly upload: Answer<undefined> }>`;
    const signature = (before: number, indent: number, result: string, first: readonly string[]): Code =>
      code(
        parenthesised([...first, 'file: UploadFile', 'options?: UploadOptions'], {
          indent,
          before,
          after: result.length + 4,
        }),
      );
    const own = ['connection: Connection'];
    const known = [`answer: ${answerType}`];
    return {
      ...common,
      ...{ rulesName, rules, uploadName, both },
      sent: code(sent),
      whole: code(whole),
      declared: signature(`export function ${uploadName}`.length, 0, sent, [...own, ...known]),
      declaredBoth: signature(`export async function ${both}`.length, 0, whole, [...own, ...taken]),
      memberUpload: signature('    upload'.length, 4, sent, known),
      memberBoth: signature('    withUpload'.length, 4, whole, asked),
      inner: signature('        upload: '.length, 8, '', known),
      innerBoth: signature('        withUpload: '.length, 8, '', asked),
    };
  }

  function linkView({ name: linkName, resource, path, input }: LinkView): object {
    for (const value of ['at', 'linkIn']) collected.value('../runtime/links', value);
    const carrier = `answer: Answer<${print(resource)}>`;
    const signature = (before: number, indent: number, first: readonly string[]): Code =>
      code(
        parenthesised([...first, carrier, 'options?: CallOptions'], {
          indent,
          before,
          after: returns.length + 4,
        }),
      );
    return {
      ...common,
      linkName,
      input,
      path: code(path.map(jsString).join(', ')),
      returns: code(returns),
      declared: signature(`export function ${linkName}`.length, 0, ['connection: Connection']),
      memberLink: signature('    of'.length, 4, []),
      inner: signature('        of: '.length, 8, []),
    };
  }
}

function watchView(view: WatchView, print: (shape: Json) => string, collected: Imports): object {
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
