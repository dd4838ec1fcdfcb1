/**
 * Renders the catalogue on a server: the data is read into the cache first, and the hooks take it from there.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { useGetModel, useListModelsPages, useRunModel } from './api/router/hooks.js';
import { connect } from './api/router/index.js';
import { getModelKey, getModelQuery, listModelsInfiniteQuery, runModelMutation } from './api/router/query.js';

const connection = connect({
  baseUrl: process.env['ROUTER_URL'] ?? 'https://api.example.com',
  credentials: { ApiKeyAuth: process.env['ROUTER_KEY'] },
});

function Model({ provider, model }: { readonly provider: string; readonly model: string }): ReactElement {
  const { data, error } = useGetModel(connection, { provider, model });
  const run = useRunModel(connection);
  const text = error === null ? (data?.billing.charges_on_policy_rejection ?? 'loading') : error.name;
  return createElement('li', {}, `${provider}/${model}: charges ${text}, ${run.status}`);
}

function Catalogue(): ReactElement {
  const { data, hasNextPage } = useListModelsPages(connection, { limit: 2 });
  const entries = (data?.pages ?? []).flatMap((page) => page.data);
  const items = entries.map(({ id, provider, model }) => createElement(Model, { key: id, provider, model }));
  return createElement('ul', { title: hasNextPage ? 'more to come' : 'all' }, items);
}

const cache = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
const pages = await cache.fetchInfiniteQuery({
  ...listModelsInfiniteQuery(connection, { limit: 2 }),
  pages: 2,
});
for (const { provider, model } of pages.pages.flatMap((page) => page.data))
  await cache.prefetchQuery(getModelQuery(connection, { provider, model }));
console.log(
  renderToStaticMarkup(createElement(QueryClientProvider, { client: cache }, createElement(Catalogue))),
);
console.log(`${String(cache.getQueriesData({ queryKey: getModelKey() }).length)} models in the cache`);

const { mutationFn } = runModelMutation(connection);
const output = await mutationFn({ provider: 'acme', model: 'echo-1', body: { text: 'hello' } }).catch(
  (error: unknown) => error,
);
console.log(output instanceof Error ? `refused: ${output.name}` : 'a run: done');
cache.clear();
