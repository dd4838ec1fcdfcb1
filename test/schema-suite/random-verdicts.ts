import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ajvFaults, ajvJudge, faultBehind } from './ajv-faults.ts';
import { guardsOf } from './guards.ts';
import { isRight } from './plain-judge.ts';
import { placed, randomSchemas, valuesNear } from './random-schemas.ts';

/** The verdicts of guards and ajv on random values by random schemas. */
export interface RandomVerdicts {
  readonly values: number;
  /** How many of the values are right by their schema. */
  readonly right: number;
  /** Schemas of which some values are right and some are wrong. */
  readonly telling: number;
  /** Differences between a guard and the specification: there must be none. */
  readonly guardFaults: readonly string[];
  /** How often ajv differs from the specification, by the fault in `ajvFaults`. */
  readonly ajvFaults: ReadonlyMap<string, number>;
  /** Differences of ajv without a known fault: there must be none. */
  readonly unexplained: readonly string[];
}

/** Asks guards, ajv and the plain judge about random values near to random schemas. */
export async function randomVerdicts(options: {
  readonly schemas: number;
  readonly valuesEach: number;
  readonly seed: number;
}): Promise<RandomVerdicts> {
  const counts = { values: 0, right: 0, telling: 0 };
  const guardFaults: string[] = [];
  const unexplained: string[] = [];
  const known = new Map(ajvFaults.map(({ name }) => [name, 0]));
  for (let from = 0; from < options.schemas; from += BATCH) {
    const seed = options.seed + from;
    const numRuns = Math.min(BATCH, options.schemas - from);
    const schemas = fc
      .sample(randomSchemas(), { numRuns, seed })
      .map((schema, index) => placed(schema, `G${index}`));
    const document = documentOf(schemas);
    const guards = await importedGuards(document);
    const ajv = ajvJudge(document);
    for (const [index, schema] of schemas.entries()) {
      const values = valuesNear(document, schema, options.valuesEach, `${seed} ${index}`);
      const right = values.filter((value) => {
        const isValid = isRight(document, schema, value);
        const told = `seed ${seed} G${index} ${String(isValid)}: ${JSON.stringify(value)} by ${JSON.stringify(schema)}`;
        if (guards(`G${index}`)(value) !== isValid) guardFaults.push(told);
        const verdict = ajv(`G${index}`, value);
        if (verdict === isValid) return isValid;
        const fault = faultBehind(schema, value, verdict);
        if (fault === undefined) unexplained.push(`ajv ${String(verdict)} ${told}`);
        else known.set(fault.name, (known.get(fault.name) ?? 0) + 1);
        return isValid;
      });
      counts.values += values.length;
      counts.right += right.length;
      if (right.length > 0 && right.length < values.length) counts.telling += 1;
    }
  }
  const shortest = (texts: string[]): string[] => texts.sort((one, other) => one.length - other.length);
  return {
    ...counts,
    guardFaults: shortest(guardFaults),
    ajvFaults: known,
    unexplained: shortest(unexplained),
  };
}

// --- internal ---

/** Schemas of one document. */
const BATCH = 200;

function documentOf(schemas: readonly unknown[]): object {
  return {
    ...{ openapi: '3.1.0', info: { title: 'Random', version: '1' }, paths: {} },
    components: { schemas: Object.fromEntries(schemas.map((schema, index) => [`G${index}`, schema])) },
  };
}

async function importedGuards(document: object): Promise<(name: string) => (value: unknown) => boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-random-schemas-'));
  try {
    const { guards, diagnostics } = await guardsOf(document, folder);
    if (guards === undefined) throw new Error(`refused: ${JSON.stringify(diagnostics[0])}`);
    return guards;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
