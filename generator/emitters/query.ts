import type { GeneratedFile } from '../generated-file.ts';
import { valueName } from '../names.ts';
import { code, jsString } from '../printing.ts';
import { type ApiView, type ApiOperation, isStreamed } from '../views/api.ts';
import type { CallView, ClientView } from '../views/client.ts';
import { type Output, printed } from './output.ts';

/**
 * `query.ts`: keys and options of TanStack Query for each call, with infinite queries for lists; and
 * `hooks.ts`: the hooks of its adapter for React. Reads are queries, all other calls are mutations. Streams
 * are left out, because a cache stores values.
 */
export function emitQuery(api: ApiView, view: ClientView, output: Output): GeneratedFile[] {
  const calls = view.operations.flatMap((call, index) => {
    const operation = api.operations[index];
    return operation === undefined || isStream(operation) ? [] : [{ call, operation }];
  });
  // An operation called `query` must not hide the hook that ours is made of.
  for (const hook of HOOKS) if (!api.names.has(hook)) api.names.claim(hook);
  const queries = calls
    .filter(({ operation }) => isRead(operation))
    .map(({ call }) => ({ ...common(api, call), ...queryView(api, call) }));
  const mutations = calls
    .filter(({ operation }) => !isRead(operation))
    .map(({ call }) => ({ ...common(api, call), ...mutationView(api, call) }));
  if (calls.length === 0) return [];
  const specifier = (module: string): string => jsString(`${module}.${output.importExtension}`);
  const takesInput = calls.some(({ call }) => call.inputType !== undefined);
  const types = takesInput ? [`import type * as types from ${specifier('./types')};`] : [];
  const runtime = `* as runtime from ${specifier('../runtime/query')};`;
  const page = { queries, mutations };
  const hooks = [
    ...(queries.length === 0 ? [] : ['useQuery', 'UseQueryOptions', 'UseQueryResult']),
    ...(queries.some(({ pages }) => pages.length > 0)
      ? ['useInfiniteQuery', 'InfiniteData', 'UseInfiniteQueryResult']
      : []),
    ...(mutations.length === 0 ? [] : ['useMutation', 'UseMutationOptions', 'UseMutationResult']),
  ];
  const from = "from '@tanstack/react-query';";
  const imports = {
    query: [`import * as client from ${specifier('./client')};`, `import ${runtime}`, ...types],
    hooks: [
      `import { ${hooks.filter((name) => name.startsWith('use')).join(', ')} } ${from}`,
      `import type { ${hooks.filter((name) => !name.startsWith('use')).join(', ')} } ${from}`,
      `import type * as client from ${specifier('./client')};`,
      `import type * as errors from ${specifier('./errors')};`,
      `import * as query from ${specifier('./query')};`,
      `import type ${runtime}`,
      ...types,
    ],
  };
  return (['query', 'hooks'] as const).map((module) => ({
    path: `${api.folder}/${module}.ts`,
    text: printed(output, api, module, { ...page, imports: imports[module].map(code) }),
  }));
}

// --- internal ---

/** The hooks of TanStack Query that ours use. */
const HOOKS = ['useQuery', 'useInfiniteQuery', 'useMutation'];

function hookName(member: string): string {
  return `use${member.charAt(0).toUpperCase()}${member.slice(1)}`;
}

function isRead({ operation }: ApiOperation): boolean {
  return operation.method === 'get' || operation.method === 'head';
}

function isStream({ responses }: ApiOperation): boolean {
  return responses.some(({ contents }) => contents.some(isStreamed));
}

function common({ contract, names }: ApiView, call: CallView) {
  const { exported, member, comment, answerType, errorType, inputType } = call;
  return {
    ...{ name: exported, member, comment, api: contract.name },
    hook: names.claim(hookName(member), hookName(valueName(`call ${member}`))),
    data: code(`runtime.DataOf<client.${answerType}>`),
    error: code(`errors.${errorType}`),
    input: code(inputType === undefined ? 'void' : `types.${names.publicName(inputType)}`),
  };
}

function queryView({ names }: ApiView, { member, inputType, inputDefault, pages }: CallView) {
  const type = inputType === undefined ? '' : `types.${names.publicName(inputType)}`;
  const standard = inputDefault === undefined ? '' : ` = ${inputDefault}`;
  const hasInput = inputType !== undefined;
  return {
    key: names.claim(`${member}Key`),
    query: names.claim(`${member}Query`),
    keyInput: code(hasInput ? `, input?: ${type}` : ''),
    keyGiven: code(hasInput ? ', input' : ''),
    taken: code(hasInput ? `, input: ${type}${standard}` : ''),
    given: code(hasInput ? 'input, ' : ''),
    inputs: hasInput ? [code(`input${inputDefault === undefined ? '' : '?'}: ${type}`)] : [],
    pageInput: code(`input${inputDefault === undefined ? '' : '?'}: ${type}`),
    pages:
      pages === undefined
        ? []
        : [
            {
              query: names.claim(`${member}InfiniteQuery`),
              hook: names.claim(`${hookName(member)}Pages`),
              rules: pages.rules,
            },
          ],
  };
}

function mutationView({ names }: ApiView, { member, inputType }: CallView) {
  return {
    mutation: names.claim(`${member}Mutation`),
    parameter: code(inputType === undefined ? '' : 'input'),
    given: code(inputType === undefined ? '' : ', input'),
  };
}
