import type { ValidateFunction } from 'ajv';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fixedSchemas, type FixedSchemaName, META_SCHEMA } from './judge/fixed-schemas.ts';

/**
 * The validator of a schema that never changes: the one that the build wrote, or one that is compiled now if the code
 * runs from its sources. Compiling takes a third of the time in which the mock of a small document starts.
 */
export function validatorOf(name: FixedSchemaName): Promise<ValidateFunction> {
  return (validators[name] ??= read(name));
}

/** The validator that the build wrote; `undefined` if the code runs from its sources. */
export function builtValidatorOf(name: FixedSchemaName): Promise<ValidateFunction | undefined> {
  return (built[name] ??= readBuilt(name));
}

/** The validator of schemas that the build wrote, at once; `undefined` if the code runs from its sources. */
export function builtMetaSchema(
  name: 'JSON Schema' | 'JSON Schema, with formats' = 'JSON Schema',
): ValidateFunction | undefined {
  return readAt(placeOf(name, META_SCHEMA, import.meta.url));
}

/** Writes the validators, for a build whose modules are in folders beside the one of the module at `base`. */
export async function buildValidators(base: string): Promise<void> {
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  mkdirSync(new URL(FOLDER, base), { recursive: true });
  for (const name of Object.keys(fixedSchemas) as FixedSchemaName[]) {
    const [schema, ajv] = await Promise.all([fixedSchemas[name].schema(), fixedSchemas[name].ajv()]);
    writeFileSync(placeOf(name, schema, base), standalone.default(ajv, ajv.compile(schema)));
  }
}

// --- internal ---

const FOLDER = '../contract/validators/';

/** One of each in a process. */
const validators: Partial<Record<FixedSchemaName, Promise<ValidateFunction>>> = {};
const built: Partial<Record<FixedSchemaName, Promise<ValidateFunction | undefined>>> = {};

async function read(name: FixedSchemaName): Promise<ValidateFunction> {
  const { schema, ajv } = fixedSchemas[name];
  return (await builtValidatorOf(name)) ?? (await ajv()).compile(await schema());
}

async function readBuilt(name: FixedSchemaName): Promise<ValidateFunction | undefined> {
  return readAt(placeOf(name, await fixedSchemas[name].schema(), import.meta.url));
}

/** Node keeps what it has required: each file is read once. */
function readAt(place: URL): ValidateFunction | undefined {
  if (!existsSync(place)) return undefined;
  return createRequire(import.meta.url)(fileURLToPath(place)) as ValidateFunction;
}

/** The place has the hash of the schema: code that was built from another schema is not found. */
function placeOf(name: FixedSchemaName, schema: object, base: string): URL {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, schema]))
    .digest('hex');
  return new URL(`${FOLDER}${hash}.cjs`, base);
}
