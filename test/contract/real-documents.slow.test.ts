// @module-tag long
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import {
  type Contract,
  loadContract,
  loadOwnContract,
  ownContractNames,
  packageRoot,
} from '../../contract/index.ts';

/** Found, read and judged as a user's files would be: the shipped way skips the judgement. */
async function judged(name: string): Promise<Contract> {
  const files = { document: `specs/${name}.openapi.yaml`, sheet: `specs/${name}.behaviour.yaml` };
  const result = await loadContract({ ...files, name, cwd: packageRoot() });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(result.warnings).toStrictEqual([]);
  return result.contract;
}

async function blockfrost(): Promise<Contract> {
  const document = 'node_modules/@blockfrost/openapi/openapi.yaml';
  const result = await loadContract({ document, cwd: packageRoot() });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics.slice(0, 5), null, 1));
  // It says 3.0 and uses a type of 3.1, and describes members of values whose type it does not say: read, and said.
  expect([...new Set(result.warnings.map(({ code }) => code))]).toStrictEqual([
    'schema-not-3.0',
    'schema-type-missing',
  ]);
  return result.contract;
}

function validatorOf(contract: Contract): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  const schemas = Object.fromEntries(contract.schemas.map(({ name, schema }) => [name, schema]));
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  return ajv;
}

/** The document's own schema of each example is asked; a reference is followed from the contract's schemas. */
function refusedExamples(contract: Contract): { checked: number; refused: string[] } {
  const ajv = validatorOf(contract);
  const bodies = contract.operations.flatMap(({ requestBody, responses }) => [
    ...(requestBody?.content ?? []),
    ...responses.flatMap(({ content }) => content),
  ]);
  const refused: string[] = [];
  let checked = 0;
  for (const { schema, examples, pointer } of new Map(bodies.map((body) => [body.pointer, body])).values()) {
    if (schema === undefined) continue;
    const text = JSON.stringify(schema).replaceAll('"#/components', '"contract#/components');
    const validate = ajv.compile(JSON.parse(text) as object);
    for (const { name, value } of examples) {
      checked += 1;
      if (!validate(value)) refused.push(`${pointer} ${name}: ${ajv.errorsText(validate.errors)}`);
    }
  }
  return { checked, refused };
}

test.each(ownContractNames)(
  'the contract of %s is in order, and its schemas accept every authored example',
  async (name) => {
    const { checked, refused } = refusedExamples(await judged(name));
    expect(refused).toStrictEqual([]);
    expect(checked).toBeGreaterThan(0);
  },
);

test.each(ownContractNames)(
  '%s is the same contract whether it was judged or, as shipped, only read',
  async (name) => {
    const shipped = JSON.stringify(await loadOwnContract(name));
    expect(shipped).toBe(JSON.stringify(await judged(name)));
  },
);

test('a large public document of OpenAPI 3.0 is read without an error', async () => {
  const contract = await blockfrost();
  expect(contract.operations.length).toBeGreaterThan(100);
  expect(contract.document.locate('/info/title')).toMatchObject({ line: 4, column: 10 });
});

test('every schema of that document compiles as JSON Schema 2020-12', async () => {
  const contract = await blockfrost();
  const ajv = validatorOf(contract);
  for (const { name } of contract.schemas) ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  expect(contract.schemas.length).toBeGreaterThan(100);
});

test('a packaged contract contains no path of this machine', async () => {
  for (const name of ownContractNames) {
    const contract = await judged(name);
    const text = JSON.stringify([
      contract,
      contract.document.locate('/info'),
      contract.sheet?.locate('/api'),
    ]);
    expect(text).not.toContain(packageRoot());
    expect(contract.document.file).toBe(join('specs', `${name}.openapi.yaml`));
  }
});
