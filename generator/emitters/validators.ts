import { createRequire } from 'node:module';
import type * as TypeScript from 'typescript';
import type { GeneratedFile } from '../generated-file.ts';
import type { NameTable } from '../names.ts';
import { code } from '../printing.ts';
import { compileSchemas } from '../validators/compile.ts';
import { translate } from '../validators/translate.ts';
import type { Api } from '../views/api.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `validators.ts`: for each named schema a guard, and a check that says what is wrong. */
export function emitValidators(api: Api, names: NameTable, output: Output): GeneratedFile {
  const { entries } = api.table;
  const guards = entries.map(({ name }) => ({
    type: name,
    is: names.claim(`is${name}`),
    check: names.claim(`check${name}`),
    validate: names.claim(`validate${name}`),
  }));
  const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript;
  const { validators, constants, checks, formats } = translate(
    ts,
    compileSchemas(entries),
    (index) => guards[index]?.validate ?? '',
  );

  const collected = imports((module) => `${module}.${output.importExtension}`);
  for (const { type } of guards) collected.type('./types', type);
  if (guards.length > 0) {
    for (const name of ['passes', 'check', ...checks]) collected.value(CHECKS, name);
    for (const name of ['Checked', 'Failures']) collected.type(CHECKS, name);
  }
  for (const name of formats) collected.value('../runtime/formats', name);
  const text = printed(output, api, 'validators', {
    imports: collected.lines(),
    checks: `${CHECKS}.${output.importExtension}`,
    guards,
    constants: constants.map(code),
    validators: validators.map((validator) => code(validator.text)),
  });
  return { path: `${api.folder}/validators.ts`, text };
}

// --- internal ---

const CHECKS = '../runtime/checks';
