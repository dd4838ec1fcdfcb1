import type { Schema } from '../../contract/index.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { code, jsString, layout, memberAccess } from '../printing.ts';
import { type NamedSchema, referredName, type SchemaTable } from '../schemas/schema-table.ts';
import { compileSchemas } from '../validators/compile.ts';
import { EmittedText } from '../validators/emitted.ts';
import { checkFunctions, formatFunctions } from '../validators/keywords.ts';
import { translate } from '../validators/translate.ts';
import type { Api } from '../views/api.ts';
import type { ServedView, ServerView } from '../views/server.ts';
import { type Imports, imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `server.ts`: the handlers that somebody has to write, and a server that holds them to the contract. */
export function emitServer(api: Api, view: ServerView, output: Output): GeneratedFile {
  const typed = (type: string): string => `types.${api.names.publicName(type)}`;
  const specifier = (module: string): string => `${module}.${output.importExtension}`;
  const collected = imports(specifier, api.names.publicName);
  const checks = emitChecks(view.checks, api.table, collected);
  const apiText = layout(view.api, 0, 'const api: runtime.ServedApi = '.length);
  const judgesText = layout(view.judges, 0, 'const checks: runtime.Checks = '.length);
  const served = view.served.map(({ name, value }) => ({
    name,
    text: layout(value, 0, `const ${name}: runtime.ServedOperation = `.length),
  }));
  const handlers = {
    members: view.operations.map(({ id, name }) => [id, `handlers${memberAccess(name)}`] as const),
  };
  const namespaces = [
    `import * as runtime from ${jsString(specifier('../server-runtime/index'))};`,
    ...(view.reasons.startsWith('errors.')
      ? [`import type * as errors from ${jsString(specifier('./errors'))};`]
      : []),
    ...(view.operations.length === 0
      ? []
      : [`import type * as types from ${jsString(specifier('./types'))};`]),
    ...([judgesText, ...checks].some((text) => text.includes('validators.'))
      ? [`import * as validators from ${jsString(specifier('./validators'))};`]
      : []),
  ];
  const text = printed(output, api, 'server', {
    imports: [...collected.lines(), ...namespaces.map(code)],
    runtime: specifier('../server-runtime/index'),
    title: view.title,
    handlersType: view.handlersType,
    reasons: code(view.reasons),
    api: code(apiText),
    judges: code(judgesText),
    handlers: code(layout(handlers, 2, '  return runtime.serverOf<Caller>(api, checks, '.length)),
    served: served.map(({ name, text }) => ({ name, value: code(text) })),
    operations: view.operations.map((operation) => ({
      ...operation,
      input: code(
        operation.inputType === undefined
          ? 'Readonly<Record<string, never>>'
          : operation.takesBytes
            ? `runtime.Received<${typed(operation.inputType)}>`
            : typed(operation.inputType),
      ),
      reply: code(replyOf(operation, view.ownHeaders, typed)),
    })),
    ownHeaders:
      view.ownHeaders === undefined
        ? []
        : [
            {
              type: view.ownHeaders.type,
              names: code(view.ownHeaders.names.map((name) => jsString(name)).join(' | ')),
            },
          ],
    checks: checks.map(code),
  });
  return { path: `${api.folder}/server.ts`, text };
}

// --- internal ---

function replyOf(
  { responsesType, headers, streams }: ServedView,
  own: ServerView['ownHeaders'],
  typed: (type: string) => string,
): string {
  const all = typed(responsesType);
  const names = [
    ...(own === undefined ? [] : [own.type]),
    ...(headers?.own ?? []).map((name) => jsString(name)),
  ];
  const known =
    headers === undefined
      ? ''
      : `, ${typed(headers.type)}${names.length === 0 ? '' : `, ${names.join(' | ')}`}`;
  if (streams.length === 0) return `runtime.RepliesOf<${all}${known}>`;
  const keys = streams.map((status) => (/^\d+$/.test(status) ? status : jsString(status))).join(' | ');
  const streamed = known === '' ? 'runtime.StreamReply' : `runtime.StreamRepliesOf<${keys}${known}>`;
  return `${streamed} | runtime.RepliesOf<Omit<${all}, ${keys}>${known}>`;
}

/** Functions for schemas that have no validator, by the same machinery; what they refer to is a validator's business. */
function emitChecks(wanted: ServerView['checks'], table: SchemaTable, collected: Imports): string[] {
  if (wanted.length === 0) return [];
  const referred = reachable(
    wanted.map(({ schema }) => schema),
    table,
  );
  const entries: NamedSchema[] = [
    ...referred,
    ...wanted.map(({ name, schema }) => ({ name: `#${name}`, schema })),
  ];
  const nameAt = (index: number): string => {
    const own = wanted[index - referred.length];
    return own?.name ?? `${referred[index]?.name ?? `part${String(index - entries.length)}`}_`;
  };
  const emitted = new EmittedText(compileSchemas(entries).text, nameAt);
  const functions = emitted.functions.map((each) => [each.ajvName, translate(each, emitted)] as const);
  const declared = new Map<string, string>();
  for (const [ajvName, text] of functions) {
    const name = emitted.validator(ajvName) ?? '';
    const line = emitted.evaluatedLine(ajvName);
    if (line !== undefined) declared.set(`${name}Evaluated`, line);
    declared.set(name, text);
  }
  const kept = mentioned(
    declared,
    wanted.map(({ name }) => name),
  );
  const used = identifiersOf(kept.join('\n'));
  const constants = emitted.constants().filter((line) => used.has(/^const (\S+?)[: ]/.exec(line)?.[1] ?? ''));
  const checks = checkFunctions.filter((name) => used.has(name));
  for (const name of ['check', ...checks]) collected.value('../runtime/checks', name);
  collected.type('../runtime/checks', 'Failures');
  for (const { name } of formatFunctions.values())
    if (used.has(name)) collected.value('../runtime/formats', name);
  return [...constants, ...kept];
}

/** The declarations that the roots lead to, in their order: ajv writes small schemas out where they are referred to. */
function mentioned(declared: ReadonlyMap<string, string>, roots: readonly string[]): string[] {
  const reached = new Set(roots);
  for (const name of reached)
    for (const identifier of identifiersOf(declared.get(name) ?? ''))
      if (declared.has(identifier)) reached.add(identifier);
  return [...declared].filter(([name]) => reached.has(name)).map(([, text]) => text);
}

function identifiersOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{ID_Continue}$]+/gu));
}

/** The entries of the table that schemas lead to, each once. */
function reachable(schemas: readonly Schema[], table: SchemaTable): NamedSchema[] {
  const found = new Map<string, NamedSchema>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [keyword, inner] of Object.entries(value)) {
      const name = keyword === '$ref' ? referredName(inner) : undefined;
      const entry =
        name === undefined ? undefined : table.entries.find((candidate) => candidate.name === name);
      if (entry !== undefined && !found.has(entry.name)) {
        found.set(entry.name, entry);
        look(entry.schema);
      }
      look(inner);
    }
  };
  schemas.forEach(look);
  return [...found.values()];
}
