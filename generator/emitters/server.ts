import type { GeneratedFile } from '../generated-file.ts';
import { code, type Expression, jsString, layout, memberAccess } from '../printing.ts';
import { typeName } from '../names.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { isPlatform, renamedShape } from '../schemas/type-shape.ts';
import { moduleOf } from '../validators/runtime-names.ts';
import { writeGuards } from '../validators/write.ts';
import type { ApiView } from '../views/api.ts';
import type { ServedView, ServerView } from '../views/server.ts';
import { type Imports, imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/**
 * `server.ts`: the handlers that the user has to write, and a server that enforces the contract around them.
 */
export function emitServer(api: ApiView, view: ServerView, output: Output): GeneratedFile {
  const typed = (type: string): string => `types.${api.names.publicName(type)}`;
  const eventsType = ({ events }: ServedView): string | undefined =>
    events === undefined
      ? undefined
      : output.types.expression(renamedShape(events, (name) => (isPlatform(name) ? name : typed(name))));
  const specifier = (module: string): string => `${module}.${output.importExtension}`;
  const collected = imports(specifier, api.names.publicName);
  const checks = emitChecks(view.checks, api.table, collected);
  const apiText = layout(view.api, 0, 'const api: runtime.ServedApi = '.length);
  const judgesText = layout(view.judges, 0, 'const checks: runtime.Checks = '.length);
  const constants = (
    type: string,
    views: readonly { readonly name: string; readonly value: Expression }[],
  ): object[] =>
    views.map(({ name, value }) => ({
      name,
      type: code(`runtime.${type}`),
      value: code(layout(value, 0, `const ${name}: runtime.${type} = `.length)),
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
    schemes: code(view.schemes.map((name) => jsString(name)).join(' | ') || 'never'),
    api: code(apiText),
    judges: code(judgesText),
    handlers: code(layout(handlers, 2, '  return runtime.serverOf<Caller>(api, checks, '.length)),
    constants: [...constants('WireType', view.wireTypes), ...constants('ServedOperation', view.served)],
    operations: view.operations.map((operation) => ({
      ...operation,
      label: code(operation.name),
      input: code(
        operation.inputType === undefined
          ? 'Readonly<Record<string, never>>'
          : operation.takesBytes
            ? `runtime.Received<${typed(operation.inputType)}>`
            : typed(operation.inputType),
      ),
      reply: code(replyOf(operation, view.ownHeaders, typed, eventsType(operation))),
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
    transitions: view.transitions.map((one) => ({
      ...one,
      states: code(one.states.map((state) => jsString(state)).join(' | ')),
      causes: code(one.causes.map((cause) => jsString(cause)).join(' | ')),
      ways: one.ways.name,
      list: code(layout(one.ways.value, 0, '}[] = '.length)),
      refusal: code(layout(one.refusal, 2, '  throw runtime.statedRefusal(api, '.length)),
    })),
    checks: checks.map(code),
  });
  return { path: `${api.folder}/server.ts`, text };
}

// --- internal ---

function replyOf(
  { responsesType, headers, streams, itemised }: ServedView,
  own: ServerView['ownHeaders'],
  typed: (type: string) => string,
  event: string | undefined,
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
  const keysOf = (statuses: readonly string[]): string =>
    statuses.map((status) => (/^\d+$/.test(status) ? status : jsString(status))).join(' | ');
  const items = itemised.length === 0 ? '' : ` | runtime.ItemsRepliesOf<${all}, ${keysOf(itemised)}${known}>`;
  if (streams.length === 0) return `runtime.RepliesOf<${all}${known}>${items}`;
  const keys = keysOf(streams);
  const sent = event === undefined ? '' : `<${event}>`;
  const streamed =
    known === ''
      ? `runtime.StreamReply${sent}`
      : `runtime.StreamRepliesOf<${event ?? 'runtime.ServerEvent'}, ${keys}${known}>`;
  return `${streamed} | runtime.RepliesOf<Omit<${all}, ${keys}>${known}>${items}`;
}

/** Functions for schemas without a validator of their own, with the schemas that they refer to. */
function emitChecks(wanted: ServerView['checks'], table: SchemaTable, collected: Imports): string[] {
  if (wanted.length === 0) return [];
  const parts = new Set<string>();
  const { validators, functions, constants, used } = writeGuards(table.entries, wanted, (words) => {
    const wish = `validate${typeName(words.join(' '))}`;
    let name = `${wish}_`;
    for (let count = 2; parts.has(name); count += 1) name = `${wish}_${count}`;
    parts.add(name);
    return name;
  });
  for (const name of ['check', ...used]) collected.value(`../runtime/${moduleOf(name)}`, name);
  if (functions.length > 0) collected.type('../runtime/checks', 'Failures');
  const others = wanted.flatMap(({ name }, index) => {
    const validator = validators[index] ?? name;
    return validator === name ? [] : [`const ${name} = ${validator};`];
  });
  return [...constants, ...others, ...functions];
}
