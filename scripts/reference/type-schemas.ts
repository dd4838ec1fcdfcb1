import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { createFormatter, createParser, DEFAULT_CONFIG, SchemaGenerator } from 'ts-json-schema-generator';
import { packageRoot } from '../../contract/index.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * JSON Schemas of exported types by name, with their doc comments as descriptions. They include referenced
 * types.
 *
 * @param names types of `shapeFiles`
 */
export function typeSchemas(names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  generator ??= makeGenerator();
  const found: Record<string, JsonSchema> = {};
  for (const name of names) Object.assign(found, generator.createSchema(name).definitions);
  return Object.fromEntries(Object.entries(found).sort(([left], [right]) => (left < right ? -1 : 1)));
}

// --- internal ---

/** The files whose types are documented as JSON Schemas; one program serves all of them. */
const shapeFiles = [
  'conformance/verdicts/report.ts',
  'mock/control/shape.ts',
  'mock/control/calls-shape.ts',
  'mock/control/steering-shape.ts',
  'mock/control/reference-shape.ts',
  'mock/control/snapshot-shape.ts',
  'mock/control/collections-shape.ts',
  'mock/journal/ledger-shape.ts',
  'mock/apis/jobs/control-shape.ts',
  'mock/apis/router/control-shape.ts',
];

let generator: SchemaGenerator | undefined;

function makeGenerator(): SchemaGenerator {
  const files = shapeFiles.map((file) => join(packageRoot(), file));
  const program = ts.createProgram(files, options());
  const config = {
    ...DEFAULT_CONFIG,
    expose: 'export',
    topRef: true,
    additionalProperties: true,
    jsDoc: 'extended',
  } as const;
  return new SchemaGenerator(program, createParser(program, config), createFormatter(config), config);
}

function options(): ts.CompilerOptions {
  const file = join(packageRoot(), 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (path) => readFileSync(path, 'utf8')) as {
    readonly config: object;
  };
  const parsed = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, packageRoot());
  return { ...parsed.options, noEmit: true, types: [] };
}
