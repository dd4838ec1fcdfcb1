import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames, turnsOf } from '../../contract/index.ts';

/** The interface of an API whose members are what its mock reads, by the ids of open points. */
function shapesRead(api: string): (path: readonly string[]) => boolean {
  const file = fileURLToPath(new URL(`../../mock/apis/${api}/assumptions.ts`, import.meta.url));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const shape =
    module && checker.getExportsOfModule(module).find(({ name }) => /^[A-Z]\w+Assumptions$/.test(name));
  if (shape === undefined) throw new Error(`${file} exports no interface of assumptions`);
  return (path) => {
    let type: ts.Type | undefined = checker.getDeclaredTypeOfSymbol(shape);
    for (const name of path) {
      const member: ts.Symbol | undefined = type.getProperty(name);
      type = member === undefined ? type.getStringIndexType() : checker.getTypeOfSymbol(member);
      if (type === undefined) return false;
    }
    return true;
  };
}

test.each(ownContractNames)('%s: the mock reads every member that settings can change', async (api) => {
  const isRead = shapesRead(api);
  const { sheet } = await loadOwnContract(api);
  const members = (sheet?.unspecified ?? []).flatMap(turnsOf).map(({ point, path }) => [point, ...path]);
  expect(members.length).toBeGreaterThan(10);
  expect(members.filter((path) => !isRead(path)).map((path) => path.join('.'))).toEqual([]);
  expect(isRead(['A-999'])).toBe(false);
});
