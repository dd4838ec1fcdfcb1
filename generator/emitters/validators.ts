import type { GeneratedFile } from '../generated-file.ts';
import { typeName } from '../names.ts';
import { code } from '../printing.ts';
import { compileSchemas } from '../validators/compile.ts';
import { EmittedText } from '../validators/emitted.ts';
import { checkFunctions, formatFunctions } from '../validators/keywords.ts';
import { translate } from '../validators/translate.ts';
import type { Api } from '../views/api.ts';
import type { GuardView } from '../views/guards.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `validators.ts`: for each named schema a guard, and a check that says what is wrong. */
export function emitValidators(api: Api, guards: readonly GuardView[], output: Output): GeneratedFile {
  const { entries } = api.table;
  const { text: compiled, parts } = compileSchemas(entries);
  const partNames = parts.map(({ foundIn, path }) =>
    api.names.claim(`validate${typeName([guards[foundIn]?.type ?? '', ...path].join(' '))}`),
  );
  const nameOf = (index: number): string => guards[index]?.validate ?? partNames[index - guards.length] ?? '';
  const emitted = new EmittedText(compiled, nameOf);
  const validators = emitted.functions
    .map((each) => ({
      position: emitted.position(each.ajvName),
      ajvName: each.ajvName,
      text: translate(each, emitted),
    }))
    .sort((left, right) => left.position - right.position)
    .map(({ ajvName, text }) =>
      [emitted.evaluatedLine(ajvName), text].filter((part) => part !== undefined).join('\n\n'),
    );
  const used = (names: readonly string[]): string[] => names.filter((name) => emitted.isUsed(name));
  const checks = used(checkFunctions);
  const formats = used([...formatFunctions.values()].map(({ name }) => name));

  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
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
    constants: emitted.constants().map(code),
    validators: validators.map(code),
  });
  return { path: `${api.folder}/validators.ts`, text };
}

// --- internal ---

const CHECKS = '../runtime/checks';
