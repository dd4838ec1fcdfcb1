import type { GeneratedFile } from '../generated-file.ts';
import { typeName } from '../names.ts';
import { code } from '../printing.ts';
import { referenceTo } from '../schemas/table-entry.ts';
import { moduleOf } from '../validators/runtime-names.ts';
import { writeGuards } from '../validators/write.ts';
import type { ApiView } from '../views/api.ts';
import type { GuardView } from '../views/guards.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `validators.ts`: for each named schema a guard, and a check that reports the faults. */
export function emitValidators(api: ApiView, guards: readonly GuardView[], output: Output): GeneratedFile {
  const { validators, functions, constants, used } = writeGuards(
    api.table.entries,
    guards.map(({ type, validate }) => ({ name: validate, schema: referenceTo(type) })),
    (words) => api.names.claim(`validate${typeName(words.join(' '))}`),
  );
  // A type of the document keeps its name. No type name contains an underscore.
  const types = new Set(guards.map(({ type }) => type));
  const aside = (name: string): string => (types.has(name) ? `${name}_` : name);
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  for (const type of types) collected.type('./types', type);
  const isLong = guards.length > MOST_TRACED;
  if (guards.length > 0) {
    for (const name of MAKERS.keys()) collected.value(CHECKS, isLong ? `${name} as ${name}_` : name);
    for (const name of used) collected.value(`../runtime/${moduleOf(name)}`, name);
    for (const name of [...MAKERS.values(), ...(isLong ? ['Validate'] : [])])
      collected.type(CHECKS, name === aside(name) ? name : `${name} as ${aside(name)}`);
    if (functions.length > 0) collected.type(CHECKS, 'Failures');
  }
  const text = printed(output, api, 'validators', {
    imports: collected.lines(),
    checks: `${CHECKS}.${output.importExtension}`,
    guards: guards.map((guard, index) => ({
      ...guard,
      validate: validators[index] ?? '',
      guardType: aside('Guard'),
      checkType: aside('Check'),
    })),
    constants: constants.map(code),
    validators: [...(isLong ? ownMakers(aside) : []), ...functions].map(code),
  });
  return { path: `${api.folder}/validators.ts`, text };
}

// --- internal ---

const CHECKS = '../runtime/checks';

/** The functions that make guards and checks, and the types of these. */
const MAKERS = new Map([
  ['guard', 'Guard'],
  ['checker', 'Check'],
]);

/**
 * A compiler traces each call of an imported function through all constants before it, so that 10,000 guards take it minutes.
 * It does not trace functions of the module itself.
 */
const MOST_TRACED = 200;

function ownMakers(aside: (name: string) => string): string[] {
  return [...MAKERS].map(
    ([name, type]) =>
      `function ${name}<Value>(validate: ${aside('Validate')}): ${aside(type)}<Value> {\n  return ${name}_(validate);\n}`,
  );
}
