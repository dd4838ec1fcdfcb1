import type { Json } from '../../../contract/index.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import type { Occasion, OccasionCall } from '../../target/occasions.ts';

/** The fixtures of models by operation and occasion. The usual run is of a model whose output is known. */
export function routerOffers({
  model = {},
}: Pick<Fixtures, 'model'>): Pick<Fixtures, 'parameters' | 'bodies' | 'occasions'> {
  const usual = model.echo ?? model.ok;
  const [standIn] = callsOf(model.noSchema);
  return {
    ...(usual === undefined ? {} : { parameters: segmentsOf(usual.id), bodies: { runModel: usual.input } }),
    occasions: {
      runModel: runsOn(model),
      // The document of a model without an authored schema is made up by the router, and a document like any other.
      ...(standIn?.parameters === undefined
        ? {}
        : { getModelInputSchema: { other: { parameters: standIn.parameters } } }),
    },
  };
}

/** The occasion that a run of each model brings about. */
export const OCCASIONS: Readonly<Partial<Record<Occasion, readonly [keyof Models, ...(keyof Models)[]]>>> = {
  other: ['ok'],
  // The one beyond the deadline is the last.
  slow: ['slow', 'deadline'],
  failing: ['5xx', 'providerTimeout'],
  refused: ['policy'],
  invalid: ['reject422'],
  huge: ['hugeOutput'],
  unavailable: ['503', '425'],
  missing: ['unknown', 'unknownProvider', 'unreleased'],
};

// --- internal ---

type Models = NonNullable<Fixtures['model']>;

function runsOn(models: Models): Readonly<Partial<Record<Occasion, readonly OccasionCall[]>>> {
  const byOccasion = Object.entries(OCCASIONS).map(
    ([occasion, names]) => [occasion, names.flatMap((name) => callsOf(models[name]))] as const,
  );
  const { slow = [], ...others }: Partial<Record<string, readonly OccasionCall[]>> =
    Object.fromEntries(byOccasion);
  return { ...others, slow: slow.map((call) => ({ minMs: DEADLINE_MS, ...call })) };
}

/** The deadline that the sheet states. */
const DEADLINE_MS = 600_000;

/** A fixture of a model has its id, or is its id. */
function callsOf(given: Models[keyof Models]): readonly OccasionCall[] {
  if (given === undefined) return [];
  const { id, input = {}, single, minMs }: Run = typeof given === 'string' ? { id: given } : given;
  const parameters = segmentsOf(id);
  return [
    { parameters, body: input, ...(minMs === undefined ? {} : { minMs }) },
    ...(single === undefined ? [] : [{ parameters, body: single }]),
  ];
}

interface Run {
  readonly id: string;
  readonly input?: Json;
  readonly single?: Json;
  readonly minMs?: number;
}

/** The segments of the path of a model. */
function segmentsOf(id: string): Readonly<Record<'provider' | 'model', string>> {
  const [provider = '', ...rest] = id.split('/');
  return { provider, model: rest.join('/') };
}
