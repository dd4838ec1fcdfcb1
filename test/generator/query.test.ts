import { expect, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { filesOf, imported, textOf } from './generated.ts';

interface Options {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: object) => Promise<unknown>;
  readonly mutationFn: (input: object) => Promise<unknown>;
  readonly initialPageParam: object;
  readonly getNextPageParam: (last: unknown) => object | undefined;
}
type Functions = Readonly<Record<string, (...given: readonly unknown[]) => Options & readonly unknown[]>>;

/** A connection that answers by the last part of the path, and what it was asked for. */
function connection(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    const { pathname, search } = new URL(url);
    asked.push(pathname + search);
    const body = answers[pathname + search] ?? answers[pathname];
    return Promise.resolve(
      body === undefined ? new Response(null, { status: 204 }) : Response.json(body, { status: 200 }),
    );
  };
  return { asked, baseUrl: 'https://a.example', fetch };
}

test('a list is an infinite query: each page names the next one, until one says that it is the last', async () => {
  const files = await generate([await loadOwnContract('router')], { query: true });
  const query = (await imported(files, 'router/query.ts')) as Functions;
  const last = { data: [], has_more: false, limit: 1 };
  const first = { data: [], has_more: true, limit: 1, next_cursor: 'c' };
  const server = connection({ '/v1/models?limit=5': first, '/v1/models?cursor=c&limit=1': last });
  const options = query['listModelsInfiniteQuery']?.(server, { limit: 5 });
  const page = await options?.queryFn({ pageParam: options.initialPageParam });
  const next = options?.getNextPageParam(page);
  expect(next).toStrictEqual({ cursor: 'c', limit: 1 });
  expect(options?.getNextPageParam(await options.queryFn({ pageParam: next }))).toBe(undefined);
  expect(server.asked).toStrictEqual(['/v1/models?limit=5', '/v1/models?cursor=c&limit=1']);
  expect(textOf(files, 'router/index.ts')).not.toMatch(/query|hooks/);
});

test('reads are queries, all else are mutations, streams are left alone, and an empty answer is null', async () => {
  const ok = (content?: object): object => ({ '200': { description: 'ok', ...(content && { content }) } });
  const json = { 'application/json': { schema: { type: 'string' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const files = await filesOf(
    {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: {
        '/all': { get: { operationId: 'all', responses: ok(json) } },
        '/none': { get: { operationId: 'none', responses: { '204': { description: 'nothing' } } } },
        '/live': { get: { operationId: 'live', responses: ok({ 'text/event-stream': {} }) } },
        '/x/{id}': { put: { operationId: 'putX', parameters: [id], responses: ok(json) } },
      },
    },
    'sample',
    { query: true },
  );
  const query = (await imported(files, 'sample/query.ts')) as Functions;
  expect(Object.keys(query).sort()).toStrictEqual([
    'allKey',
    'allQuery',
    'noneKey',
    'noneQuery',
    'putXMutation',
  ]);
  const server = connection({ '/all': 'yes', '/x/1': 'done' });
  expect(query['allQuery']?.(server).queryKey).toStrictEqual(['sample', 'all', 'https://a.example']);
  expect(query['allKey']?.()).toStrictEqual(['sample', 'all']);
  expect(await query['allQuery']?.(server).queryFn({})).toBe('yes');
  expect(await query['noneQuery']?.(server).queryFn({})).toBe(null);
  expect(await query['putXMutation']?.(server).mutationFn({ id: '1' })).toBe('done');
  expect(textOf(files, 'sample/hooks.ts')).toContain("from '@tanstack/react-query';");
  expect(files.filter(({ text }) => text.includes('@tanstack')).map(({ path }) => path)).toStrictEqual([
    'sample/hooks.ts',
  ]);
});
