// @module-tag long
import { beforeEach, expect, test } from 'vitest';
import { type Contract, loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { type GeneratedFile, generate, handlersOf, mergeHandlers } from '../../generator/index.ts';
import { compilerErrors, contractOf } from './generated.ts';
import { petDocument } from './pet-document.ts';

let contracts: readonly Contract[];
let files: readonly GeneratedFile[];

// Made once, by whichever test runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));

async function make(): Promise<void> {
  const own = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  contracts = [...own, await contractOf(petDocument, 'pets')];
  files = await generate(contracts, { server: true });
}

test('servers and new handlers compile under every strictness, and handlers are held to the types of the document', async () => {
  const handlers: [verdict: 'fits' | 'misfit', text: string][] = [
    ['fits', '(input, call) => ({ status: 200, body: { model: input.provider, who: call.caller.id } })'],
    ['fits', "() => ({ status: 200, raw: '{}' })"],
    ['misfit', '() => ({ status: 418, body: {} })'],
    ['misfit', '(input) => ({ status: 200, body: { model: input.nobody } })'],
  ];
  const uses = handlers.map(([verdict, text], index) => ({
    path: `${verdict}-${String(index)}.ts`,
    text: `import type { RouterHandlers } from './router/server.js';\nexport const handler: RouterHandlers['runModel'] = ${text};\n`,
  }));
  const stubs = await Promise.all(
    handlersOf(contracts, (folder) => `./${folder}/server.js`).map(async (view) => ({
      path: `${view.folder}-handlers.ts`,
      text: (await mergeHandlers(undefined, view)).text,
    })),
  );
  const errors = compilerErrors([...files, ...stubs, ...uses]).map((error) => error.split(':')[0]);
  expect([...new Set(errors)]).toStrictEqual(['misfit-2.ts', 'misfit-3.ts']);
});

test('servers compile for bundlers', () => {
  expect(compilerErrors(files, 'bundler')).toStrictEqual([]);
});
