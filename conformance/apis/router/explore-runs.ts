import { canonical } from '../../../contract/canonical-json.ts';
import { byCaller, knownCallers } from '../../explore/callers.ts';
import { exploration } from '../../explore/exploration.ts';
import { bodySchemas } from '../../schemas/schema-document.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { callRules, hangingUp, repeating, running } from './explore-calls.ts';
import type { KnownCall, Calls } from './explore-calls.ts';
import { READERS, callerRules } from './explore-callers.ts';
import { reading, readRules } from './explore-documents.ts';
import { keyRules } from './explore-keys.ts';
import { routerOracles } from './oracles/index.ts';
import { isOpenObject } from './probes/negatives.ts';

const requests = {
  ...byCaller('run', { method: 'POST', target: '/v1/models/{id}', share: 0.4 }, READERS),
  ...byCaller('detail', { method: 'GET', target: '/v1/models/{id}', share: 0.1 }, READERS),
  document: {
    method: 'GET',
    target: '/v1/models/{id}/openapi.json',
    as: 'valid',
    times: 1,
  } as const,
};

/** Runs with all kinds of keys, and the effects of one on the next. */
export const exploredRuns = exploration<Calls, typeof requests>({
  id: 'router.explore.runs',
  api: 'router',
  title: 'courses of runs: callers, models, keys, bodies, races, callers who hang up',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: [...callerRules, ...callRules, ...keyRules, ...readRules],
  requests,
  oracles: routerOracles,
  model: async (session) => {
    const calls = await callsOf(session);
    const callers = knownCallers(session, READERS);
    const parts = { calls, callers };
    const usual = {
      ...{ as: 'valid', model: 'ok', key: 'fresh', body: 'usual' },
      ...{ framing: 'length', together: 'one' },
    };
    return {
      start: () => ({ keys: [] }),
      operations: {
        run: running(parts),
        again: repeating,
        'hang up': hangingUp(parts),
        detail: reading({ ids: { known: session.fixtures.model?.ok?.id ?? '' }, callers }),
      },
      opening: [{ operation: 'run', choices: usual }],
    };
  },
});

// --- internal ---

/** The models that the fixtures offer. */
async function callsOf(session: Session<'document'>): Promise<Readonly<Record<string, KnownCall>>> {
  const { ok, echo, reject422, policy, unknown, ...others } = session.fixtures.model ?? {};
  const calls: Record<string, KnownCall> = {};
  if (ok !== undefined) calls['ok'] = { ...ok, ends: 'well', echoes: false };
  if (echo !== undefined)
    calls['echo'] = {
      ...{ ...echo, ends: 'well', echoes: await echoes(session, echo) },
      ...(echo.rawInput !== undefined && echo.rawInput === echo.rawOutput ? { spelled: echo.rawInput } : {}),
    };
  if (reject422 !== undefined) calls['refusing'] = { ...reject422, ends: 'refused', echoes: false };
  if (policy !== undefined) calls['policy'] = { ...policy, ends: 'refused', echoes: false };
  const failing = others['5xx'];
  if (failing !== undefined) calls['failing'] = { ...failing, ends: 'badly', echoes: false };
  const early = others['425'];
  if (early !== undefined) calls['early'] = { ...early, ends: 'badly', echoes: false };
  const id = unknown ?? `tallystick/no-such-model-${Math.floor(session.random() * 1e9)}`;
  calls['no such model'] = { id, input: {}, ends: 'unknown', echoes: false };
  return calls;
}

/** Whether a model returns its whole input, and its schema allows any member. */
async function echoes(
  { send }: Pick<Session<'document'>, 'send'>,
  {
    id,
    input,
    expectedOutput,
  }: { readonly id: string; readonly input: unknown; readonly expectedOutput?: unknown },
): Promise<boolean> {
  if (expectedOutput === undefined || canonical(expectedOutput) !== canonical(input)) return false;
  const { status, json } = await send('document', { fill: { id } });
  return status === 200 && bodySchemas(json).every((schema) => isOpenObject(json, schema));
}
