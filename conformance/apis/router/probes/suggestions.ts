import { check } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { isRefusal, sketchRefusal } from './answers.ts';
import { anyModel, catalogue, catalogueIds } from './catalogue.ts';
import { declared } from './idempotency.ts';

const VISIBLE = 'router.run.404-suggestions-visible';

/** How many suggestions that the catalogue does not list are read. */
const MOST_STRANGERS = 3;

export const unknownModels = scenario({
  id: 'router.run.unknown-models',
  api: 'router',
  title: 'runs of models that do not exist',
  permissions: ['negatives'],
  judges: [
    'router.run.404-model-not-found',
    'router.run.404-unknown-provider',
    'router.run.404-suggestions-max3',
    VISIBLE,
  ],
  uses: [catalogue],
  severalCases: ['router.run.404-suggestions-max3'],
  searches: [VISIBLE],
  requests: {
    model: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 3 + MOST_STRANGERS },
    provider: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: MOST_STRANGERS },
  },
  run: async function* (session) {
    const { send, fixtures, random } = session;
    const ids = await catalogueIds(session);
    const listed = new Set(ids);
    const known = await anyModel(session);
    const noise = Math.floor(random() * 1e9).toString(36);
    const [provider] = known.split('/');

    // Document 1, Errors, rule 1: 404 model_not_found on invocation; table: an unknown provider gets it too.
    const unknown = await send('model', {
      fill: { id: fixtures.model?.unknown ?? `${provider}/no-such-model-${noise}` },
      body: {},
    });
    yield check(
      'router.run.404-model-not-found',
      unknown,
      isRefusal(unknown, 404, 'model_not_found'),
      'status 404, bucket model_not_found',
      sketchRefusal(unknown),
    );
    const elsewhere = await send('provider', {
      fill: { id: fixtures.model?.unknownProvider ?? `tallystick-${noise}/model` },
      body: {},
    });
    yield check(
      'router.run.404-unknown-provider',
      elsewhere,
      isRefusal(elsewhere, 404, 'model_not_found'),
      'status 404, bucket model_not_found',
      sketchRefusal(elsewhere),
    );

    // Document 1, RouterErrorResponse, row detail: up to three suggestions. The text is free, so only IDs of
    // the catalogue count; names similar to existing ones cause the most.
    const near = [`${known}-x`, `${crowded(ids) ?? known}0`].filter((id) => !listed.has(id));
    const answers = [unknown, elsewhere];
    for (const id of near) answers.push(await send('model', { fill: { id }, body: {} }));
    for (const answer of answers.filter(({ status }) => status === 404)) {
      const suggested = idsIn(answer).filter((id) => listed.has(id));
      yield check(
        'router.run.404-suggestions-max3',
        answer,
        suggested.length <= 3,
        'at most three suggestions',
        `${suggested.length}: ${suggested.join(', ')}`,
      );
    }
    yield* lookForStrangers(session, answers, ids);
  },
});

export const hiddenSuggestions = scenario({
  id: 'router.run.hidden-suggestions',
  api: 'router',
  title: 'a name similar to that of an unreleased model',
  permissions: ['negatives'],
  needs: ['model.unreleased'],
  judges: [VISIBLE],
  severalCases: [VISIBLE],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 2 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 2 },
  },
  run: async function* ({ send, fixtures }) {
    const hidden = declared(fixtures.model?.unreleased, 'model.unreleased');
    for (const id of [`${hidden}s`, hidden.slice(0, -1)])
      for (const name of ['run', 'detail', 'schema'] as const) {
        const answer = await send(name, { fill: { id }, ...(name === 'run' ? { body: {} } : {}) });
        if (answer.status !== 404) continue;
        // Document 1, RouterErrorResponse, row detail: drawn from models the caller may see.
        const told = idsIn(answer).includes(hidden);
        yield check(VISIBLE, answer, !told, `no mention of ${hidden}`);
      }
  },
});

// --- internal ---

/**
 * Document 1, RouterErrorResponse, row detail: drawn from models the caller may see. A suggestion that is in no
 * catalogue page can be read, unless its model disappeared in between: then it is not suggested again.
 */
async function* lookForStrangers(
  { send }: Pick<Session<'model' | 'detail'>, 'send'>,
  answers: readonly Exchange[],
  listed: readonly string[],
): AsyncGenerator<Check> {
  // In a free text, only what begins with a known provider is certainly the ID of a model.
  const providers = new Set(listed.map((id) => id.split('/')[0]));
  const known = new Set(listed);
  const strangers = answers
    .filter(({ status }) => status === 404)
    .flatMap((answer) => idsIn(answer).map((id) => ({ id, asked: askedIn(answer) })))
    .filter(({ id, asked }) => !known.has(id) && providers.has(id.split('/')[0]) && !isAlike(id, asked));
  for (const { id, asked } of strangers.slice(0, MOST_STRANGERS)) {
    const detail = await send('detail', { fill: { id } });
    if (!isRefusal(detail, 404, 'model_not_found')) continue;
    const again = await send('model', { fill: { id: asked }, body: {} });
    if (again.status === 404 && idsIn(again).includes(id))
      yield check(
        VISIBLE,
        [detail, again],
        false,
        'suggestions that the caller can read',
        `${id}, which gets ${sketchRefusal(detail)}`,
      );
  }
}

function askedIn({ request }: Exchange): string {
  return request.target.replace(/^.*?\/v1\/models\//, '');
}

/** The detail may name what was asked for, also as the beginning or the end of something else. */
function isAlike(id: string, asked: string): boolean {
  return asked.startsWith(id) || id.startsWith(asked);
}

/** The ID with the longest common prefixes with others: a similar name causes the most suggestions. */
function crowded(ids: readonly string[]): string | undefined {
  const beginning = (id: string): string => id.slice(0, id.indexOf('/') + 6);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(beginning(id), (counts.get(beginning(id)) ?? 0) + 1);
  return [...ids].sort((a, b) => (counts.get(beginning(b)) ?? 0) - (counts.get(beginning(a)) ?? 0))[0];
}

/** Everything in the detail that looks like a model ID, in linear time. */
function idsIn(answer: Exchange): readonly string[] {
  const detail = member(answer.json, 'detail');
  if (typeof detail !== 'string') return [];
  const found = new Set<string>();
  for (const [token] of detail.matchAll(/[a-z0-9._/-]+/g)) {
    const parts = token.split('/');
    for (let at = 1; at < parts.length; at += 1) {
      // The text on either side of the slash, as far as it can be a name.
      const provider = (parts[at - 1] ?? '').split(/[._-]{2,}/).at(-1);
      const model = (parts[at] ?? '').split(/[._-]{2,}/)[0];
      const id = `${provider?.replace(/^[._-]/, '')}/${model?.replace(/[._-]$/, '')}`;
      if (/^[a-z0-9](?:.*[a-z0-9])?\/[a-z0-9]/.test(id)) found.add(id);
    }
  }
  return [...found];
}
