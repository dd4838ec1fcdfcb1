// @module-tag long
import { expect, test } from 'vitest';
import { compilerErrors, filesOf } from './generated.ts';
import { headersDocument } from './headers-document.ts';

const HEADERS = "'X-Total': '3', Level: 'low'";
const events = '(async function* () { yield { comment: "" }; })()';

test('a handler has to give the headers that every answer has, may give others, and is held to closed lists', async () => {
  const files = await filesOf(headersDocument, 'things', { server: true });
  const handlers: [verdict: 'fits' | 'misfit', operation: string, text: string][] = [
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS} }, body: [] })`],
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, Link: 'x' }, raw: '[]' })`],
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, 'X-Else': 'x' }, body: [] })`],
    ['fits', 'listThings', "() => ({ status: 404, headers: { 'X-Why': 'gone' } })"],
    ['fits', 'askThings', '() => ({ status: 204 })'],
    ['fits', 'askThings', "() => ({ status: 204, headers: { 'X-Else': 'x' } })"],
    ['fits', 'followNews', `() => ({ status: 200, headers: { 'X-From': 'here' }, events: ${events} })`],
    ['misfit', 'listThings', '() => ({ status: 200, body: [] })'],
    ['misfit', 'listThings', "() => ({ status: 200, headers: { 'X-Total': '3' }, body: [] })"],
    ['misfit', 'listThings', "() => ({ status: 200, headers: { 'X-Total': '3', Level: 'no' }, body: [] })"],
    ['misfit', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, Link: 3 }, body: [] })`],
    ['misfit', 'listThings', '() => ({ status: 404 })'],
    ['misfit', 'followNews', `() => ({ status: 200, events: ${events} })`],
  ];
  const uses = handlers.map(([verdict, operation, text], index) => ({
    path: `${verdict}-${String(index)}.ts`,
    text: `import type { ThingsHandlers } from './things/server.js';\nexport const handler: ThingsHandlers[${JSON.stringify(operation)}] = ${text};\n`,
  }));
  const faulty = compilerErrors([...files, ...uses]).map((error) => error.split(':')[0]);
  expect(new Set(faulty)).toStrictEqual(
    new Set(uses.map(({ path }) => path).filter((path) => path.startsWith('misfit'))),
  );
});
