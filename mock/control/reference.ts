import { ControlMistake } from './api-control.ts';
import type { Assembly } from '../assembly.ts';
import { keysOf } from './keys.ts';
import { callerName } from '../call/caller.ts';
import type { CallerShape, Reference } from './reference-shape.ts';
import type { Journal } from '../journal/journal.ts';

/** The served contracts: documents, rules and open points. */
export function referenceOf({ apis }: Assembly): Reference {
  return {
    apis: apis.map(({ contract }) => ({
      name: contract.name,
      title: contract.title,
      version: contract.version,
      operations: contract.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
      rules: (contract.sheet?.rules ?? []).map(({ id, level, says, operation, source }) => ({
        id,
        level,
        says,
        operation,
        source: `document ${String(source.document)}, ${source.section}, ${source.item}`,
      })),
      unspecified: (contract.sheet?.unspecified ?? []).map(({ id, about, mockUses, canBe }) => ({
        id,
        about,
        mockUses,
        canBe,
      })),
    })),
  };
}

/** The OpenAPI document of an API, for any viewer. */
export function documentOf({ apis }: Assembly, name: string): unknown {
  const api = apis.find(({ contract }) => contract.name === name.replace(/\.json$/, ''));
  if (api !== undefined) return api.contract.document.root;
  throw new ControlMistake(
    `This mock does not serve ${name}. It serves: ${apis.map(({ contract }) => contract.name).join(', ')}.`,
    404,
  );
}

/** The callers in the journal, and those with open items. */
export function callersOf(assembly: Assembly, journal: Pick<Journal, 'outlines'>): CallerShape[] {
  const callers = new Map<string, { -readonly [Member in keyof CallerShape]: CallerShape[Member] }>();
  const of = (scope: string): { -readonly [Member in keyof CallerShape]: CallerShape[Member] } => {
    const caller = callerName(scope);
    const known = callers.get(caller);
    if (known !== undefined) return known;
    const made = { caller, calls: 0, inFlight: { calls: 0, cents: 0 }, streams: 0, keys: 0, jobs: 0 };
    callers.set(caller, made);
    return made;
  };
  for (const { caller } of journal.outlines()) if (caller !== undefined) of(caller).calls += 1;
  for (const { control } of assembly.apis) {
    for (const [scope, { inFlight, streams = 0, jobs = 0 }] of control?.held?.() ?? []) {
      const caller = of(scope);
      if (inFlight !== undefined) caller.inFlight = inFlight;
      caller.streams += streams;
      caller.jobs += jobs;
    }
  }
  for (const { caller } of keysOf(assembly, journal)) of(caller).keys += 1;
  return [...callers.values()];
}
