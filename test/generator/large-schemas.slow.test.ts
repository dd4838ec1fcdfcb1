// @module-tag long
import { Ajv2020 } from 'ajv/dist/2020.js';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { compilerErrors, documentOf, filesOf, imported, textOf } from './generated.ts';
import { chain, samples, single, web } from './large-schemas.ts';

type Is = (value: unknown) => boolean;

test('300 alternatives and 2,000 members compile, and are judged as ajv judges them', async () => {
  const files = await filesOf(documentOf(single));
  expect(compilerErrors(files)).toStrictEqual([]);
  const module = await imported(files, 'sample/validators.ts');
  for (const [name, schema] of Object.entries(single)) {
    const oracle = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
    const wanted = samples.map((value) => oracle(value));
    expect(new Set(wanted).size, name).toBe(2);
    expect([name, samples.map((value) => (module[`is${name}`] as Is)(value))]).toStrictEqual([name, wanted]);
  }
});

test('a chain of 1,500 schemas is judged to its end', async () => {
  const { isS0, isS1400 } = await imported(await filesOf(documentOf(chain(1500))), 'sample/validators.ts');
  const deep = (levels: number, end: unknown): unknown =>
    Array.from({ length: levels }).reduce((next: unknown) => ({ value: 'x', next }), end);
  const [first, late] = [isS0 as Is, isS1400 as Is];
  expect([first(deep(1499, { value: 'x' })), first(deep(1499, { value: 1 }))]).toStrictEqual([true, false]);
  expect([late(deep(99, { value: 'x' })), late(deep(99, {}))]).toStrictEqual([true, false]);
});

test('what refers to everything is judged, and no deeper than 200 levels', async () => {
  const { isS0 } = await imported(await filesOf(documentOf(web(300))), 'sample/validators.ts');
  const deep = (levels: number, end: unknown): unknown =>
    Array.from({ length: levels }).reduce((far: unknown) => ({ far, all: [{ id: 1 }] }), end);
  const is = isS0 as Is;
  expect([is(deep(150, {})), is(deep(150, { near: 7 })), is(deep(5000, {}))]).toStrictEqual([
    true,
    false,
    false,
  ]);
});

test('guards of many schemas call no imported function, because compilers are slow with those', async () => {
  const files = await filesOf(documentOf({ ...web(250), Guard: {}, Check: {}, Validate: {} }));
  expect(compilerErrors(files)).toStrictEqual([]);
  const { statements } = ts.createSourceFile(
    'validators.ts',
    textOf(files, 'sample/validators.ts'),
    ts.ScriptTarget.Latest,
  );
  const imports = statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => {
    const named = importClause?.namedBindings;
    return named !== undefined && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : [];
  });
  const called = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer: made }) =>
      made !== undefined && ts.isCallExpression(made) && ts.isIdentifier(made.expression)
        ? [made.expression.text]
        : [],
    );
  expect(called.length).toBeGreaterThan(500);
  expect(called.filter((name) => imports.includes(name))).toStrictEqual([]);
});
