import type { Json } from '../../contract/index.ts';
import { type Code, code, jsString, parenthesised } from '../printing.ts';
import type { CallView, PagesView, RefreshView, UploadView } from '../views/client.ts';
import type { LinkView } from '../views/watch.ts';
import type { Imports } from './imports.ts';

/** Prints the type of a value, and imports the names in it. */
export type Print = (shape: Json) => string;

/** The view of `client.hbs` of one operation: its function, its member of the client, and what belongs to it. */
export function operationView(view: CallView, print: Print, collected: Imports): object {
  const { name, exported, member, inputType, inputDefault, answerType, errorType } = view;
  const { pages, refresh, link, upload } = view;
  collected.type('./errors', errorType);
  if (inputType !== undefined) collected.type('./types', inputType);
  const answers = view.answers.map(({ data, status, headers }) => {
    if (headers === undefined) return `Answer<${print(data)}, ${status.text}>`;
    collected.type('./types', headers.type);
    const key = /^\d+$/.test(headers.status) ? headers.status : jsString(headers.status);
    return `Answer<${print(data)}, ${status.text}, ${headers.type}[${key}]>`;
  });
  const returns = `Call<${answerType}, ${errorType}>`;
  const isOptional = inputDefault !== undefined;
  const input = {
    asked: inputType === undefined ? [] : [`input${isOptional ? '?' : ''}: ${inputType}`],
    taken: inputType === undefined ? [] : [`input: ${inputType}${isOptional ? ` = ${inputDefault}` : ''}`],
  };
  const common = {
    name,
    exported,
    memberName: member,
    answerType,
    given: code(inputType === undefined ? '' : 'input, '),
  };
  const call: Call = { ...input, common, answerType, returns, print, collected };
  return {
    ...common,
    comment: view.comment,
    constant: view.constant,
    members: view.members,
    answers: code(answers.join(' | ')),
    returns: code(returns),
    declared: declared(call, name, returns),
    // Reserved words and names of the runtime are no names of functions in this module.
    keyword: code(name === exported ? 'export function' : 'function'),
    aliases: name === exported ? [] : [code(`${name} as ${exported}`)],
    member: called(call, `  readonly ${member}: `, returns, 2),
    callable: called(call, '    ', returns, 4),
    inner: called(call, '', '', 6),
    input: code(inputType === undefined ? '{}' : 'input'),
    isPlain: [pages, refresh, link, upload].every((part) => part === undefined),
    pages: pages === undefined ? [] : [pagesView(pages, call)],
    refresh: refresh === undefined ? [] : [refreshView(refresh, call)],
    links: link === undefined ? [] : [linkView(link, call)],
    uploads: upload === undefined ? [] : [uploadView(upload, call)],
  };
}

// --- internal ---

/** What the functions of one operation share. */
interface Call {
  /** The parameter of its input in a type. */
  readonly asked: readonly string[];
  /** The parameter of its input in a function. */
  readonly taken: readonly string[];
  /** The fields that the view of each part has as well. */
  readonly common: object;
  readonly answerType: string;
  readonly returns: string;
  readonly print: Print;
  readonly collected: Imports;
}

const CONNECTION = 'connection: Connection';
const OPTIONS = 'options?: CallOptions';

/** The parameters of an exported function; `more` follows the connection. */
function declared({ taken }: Call, name: string, result: string, more: readonly string[] = []): Code {
  const [before, after] = [`export function ${name}`.length, `: ${result} {`.length];
  return code(parenthesised([CONNECTION, ...more, ...taken, OPTIONS], { indent: 0, before, after }));
}

/** The parameters of a member of the client, after the text `before` on its line. */
function called(
  { asked }: Call,
  before: string,
  result: string,
  indent: number,
  more: readonly string[] = [],
): Code {
  const after = result.length + 5;
  return code(parenthesised([...more, ...asked, OPTIONS], { indent, before: before.length, after }));
}

/** The parameters of a function that takes an answer. */
function signature(before: string, indent: number, result: string, parameters: readonly string[]): Code {
  const after = result.length + 4;
  return code(parenthesised(parameters, { indent, before: before.length, after }));
}

function pagesView({ pagesName, itemsName, rulesName, rules, item: shape }: PagesView, call: Call): object {
  const { collected, answerType, print, common } = call;
  collected.value('../runtime/pages', 'items');
  collected.value('../runtime/pages', 'pages');
  collected.type('../runtime/pages', 'PageRules');
  const walk = (each: string): string => `AsyncGenerator<${each}, void, undefined>`;
  const [pages, items] = [walk(answerType), walk(print(shape))];
  return {
    ...common,
    ...{ pagesName, itemsName, rulesName, rules },
    pages: code(pages),
    items: code(items),
    declaredPages: declared(call, pagesName, pages),
    declaredItems: declared(call, itemsName, items),
    memberPages: called(call, '    pages', pages, 4),
    memberItems: called(call, '    items', items, 4),
    inner: called(call, '', '', 8),
  };
}

function refreshView({ name: refreshName, member, data: shape }: RefreshView, call: Call): object {
  const { collected, print, common } = call;
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
    declared: declared(call, refreshName, result, held),
    memberRefresh: called(call, '    refresh', result, 4, held),
    inner: called(call, '', '', 8, held),
  };
}

function uploadView({ rulesName, rules, upload: uploadName, both }: UploadView, call: Call): object {
  const { collected, answerType, asked, taken, common } = call;
  collected.value('../runtime/upload', 'upload');
  for (const type of ['UploadFile', 'UploadOptions', 'UploadRules'])
    collected.type('../runtime/upload', type);
  const sent = 'Promise<Answer<undefined>>';
  const whole = `Promise<{ readonly answer: ${answerType}; readonly upload: Answer<undefined> }>`;
  const known = `answer: ${answerType}`;
  const last = ['file: UploadFile', 'options?: UploadOptions'];
  return {
    ...common,
    ...{ rulesName, rules, uploadName, both },
    sent: code(sent),
    whole: code(whole),
    declared: signature(`export function ${uploadName}`, 0, sent, [CONNECTION, known, ...last]),
    declaredBoth: signature(`export async function ${both}`, 0, whole, [CONNECTION, ...taken, ...last]),
    memberUpload: signature('    upload', 4, sent, [known, ...last]),
    memberBoth: signature('    withUpload', 4, whole, [...asked, ...last]),
    inner: signature('        upload: ', 8, '', [known, ...last]),
    innerBoth: signature('        withUpload: ', 8, '', [...asked, ...last]),
  };
}

function linkView({ name: linkName, resource, path, input }: LinkView, call: Call): object {
  const { collected, returns, print, common } = call;
  for (const value of ['at', 'linkIn']) collected.value('../runtime/links', value);
  const last = [`answer: Answer<${print(resource)}>`, OPTIONS];
  return {
    ...common,
    linkName,
    input,
    path: code(path.map(jsString).join(', ')),
    returns: code(returns),
    declared: signature(`export function ${linkName}`, 0, returns, [CONNECTION, ...last]),
    memberLink: signature('    of', 4, returns, last),
    inner: signature('        of: ', 8, returns, last),
  };
}
