import type { ValidateFunction } from 'ajv';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fixedSchemas, type FixedSchemaName } from './fixed-schemas.ts';

/**
 * The validator of a schema that never changes: the one that the build wrote, or one that is compiled now if the code
 * runs from its sources. Compiling takes a third of the time in which the mock of a small document starts.
 */
export function validatorOf(name: FixedSchemaName): Promise<ValidateFunction> {
  return (validators[name] ??= read(name));
}

/** Writes the validators, for a build whose modules are in folders beside the one of the module at `base`. */
export async function buildValidators(base: string): Promise<void> {
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  mkdirSync(new URL(FOLDER, base), { recursive: true });
  for (const fixed of Object.values(fixedSchemas)) {
    const [schema, ajv] = await Promise.all([fixed.schema(), fixed.ajv()]);
    writeFileSync(placeOf(schema, base), standalone.default(ajv, ajv.compile(schema)));
  }
}

// --- internal ---

const FOLDER = '../contract/validators/';

/** One of each in a process. */
const validators: Partial<Record<FixedSchemaName, Promise<ValidateFunction>>> = {};

async function read(name: FixedSchemaName): Promise<ValidateFunction> {
  const { schema, ajv } = fixedSchemas[name];
  const read = await schema();
  const built = placeOf(read, import.meta.url);
  if (existsSync(built)) return createRequire(import.meta.url)(fileURLToPath(built)) as ValidateFunction;
  return (await ajv()).compile(read);
}

/** The name is the hash of the schema: code that was built from another schema is not found. */
function placeOf(schema: object, base: string): URL {
  const hash = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
  return new URL(`${FOLDER}${hash}.cjs`, base);
}
