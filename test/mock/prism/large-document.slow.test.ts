import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract, packageRoot } from '../../../contract/index.ts';
import { createMock } from '../../../mock/index.ts';

/** A large document is read with its references intact, a small one as Prism reads it. */
const documents = [
  'test/fixtures/documents/every-part.yaml',
  'test/fixtures/documents/library.yaml',
  'test/fixtures/documents/uploads.yaml',
  'specs/router.openapi.yaml',
  'specs/registry.openapi.yaml',
  'specs/jobs.openapi.yaml',
];
const bodies = ['{}', '[]', '{"id":1,"name":"a","title":7}', '{"version":"1.0.0","graph":{}}', 'x=1&y=2', ''];

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tallystick-large-'))));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Document = Record<string, unknown> & { readonly info: object; readonly paths: Record<string, object> };

async function answersTo(document: Document): Promise<readonly string[]> {
  writeFileSync(join(folder, 'own.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'own.json', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const mock = createMock({ contracts: [loaded.contract], seed: '7' });
  try {
    await mock.ready();
    const answers: string[] = [];
    for (const { method, path } of loaded.contract.operations)
      for (const body of ['get', 'head', 'delete'].includes(method) ? [undefined] : bodies) {
        const target = path.replaceAll(/\{[^}]+\}/g, '1');
        const isForm = body?.includes('=') === true;
        const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
        const answer = await mock.fetch(target, {
          method: method.toUpperCase(),
          headers: { Authorization: 'Bearer x', 'X-API-Key': 'x', 'Content-Type': type },
          ...(body === undefined ? {} : { body }),
        });
        const { responseFindings } = mock.journal.entries().at(-1) ?? {};
        const told = [answer.status, await answer.text(), responseFindings];
        answers.push(`${method} ${path} ${body ?? ''}: ${JSON.stringify(told)}`);
      }
    return answers;
  } finally {
    mock.close();
  }
}

test.each(documents)('%s is answered alike however large it is', { timeout: 120_000 }, async (file) => {
  const document = parse(readFileSync(join(packageRoot(), file), 'utf8')) as Document;
  const padded = { ...document, info: { ...document.info, description: 'x'.repeat(600_000) } };
  const answers = await answersTo(document);
  expect(await answersTo(padded)).toStrictEqual(answers);
  expect(answers).not.toHaveLength(0);
});
