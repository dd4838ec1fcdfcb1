import { matchesIfNoneMatch, opaqueTag } from '../../../../contract/policies/conditional-get.ts';
import { onJson } from '../../../deviations/deviation.ts';
import type { Replacements } from '../../../deviations/replacements.ts';
import { countRequest } from '../../../scenarios/requested-scenarios.ts';
import { modelIdOf } from '../catalogue.ts';
import { refuse } from '../context.ts';
import type { BadCursorKind } from '../model-list.ts';
import { output } from '../run.ts';

/** Replacements of mechanisms of the router for deviations. */
type Replace = NonNullable<Replacements['router']>;

// --- lists ---

/** A different default page size. */
export function defaultLimit(limit: number): Replace {
  return ({ limitOf }) => ({
    limitOf: (router, call) => {
      const { facts } = router;
      const pagination = { ...facts.pagination, defaultLimit: limit };
      return limitOf({ ...router, facts: { ...facts, pagination } }, call);
    },
  });
}

/** Serves at most this many entries, regardless of the echoed limit. */
export function servedEntries(most: number): Replace {
  return ({ page }) => ({
    page: (router, call, start, limit) =>
      onJson(page(router, call, start, Math.min(limit, most)), 200, (body) => ({
        ...body,
        [router.facts.pagination.page.limit]: limit,
      })),
  });
}

/** After a cursor was refused, the next one leads to the first page. */
export const lostAfterRefusal: Replace = ({ startOf, badCursor }) => {
  let isLost = false;
  return {
    badCursor: (...asked) => {
      isLost = true;
      return badCursor(...asked);
    },
    startOf: (...asked) => {
      const start = startOf(...asked);
      if (!isLost || typeof start !== 'number') return start;
      isLost = false;
      return 0;
    },
  };
};

/** Ignores the cursor: every page is the first one. */
export const cursorIgnored: Replace = () => ({ startOf: () => 0 });

/** After the last entry, empty pages follow without end. */
export const endlessEmptyPages: Replace = ({ page }) => ({
  page: (router, call, start, limit) => {
    const { more, next } = router.facts.pagination.page;
    const { catalogue, cursors } = router.state;
    const last = catalogue
      .listed()
      .slice(0, start + limit)
      .at(-1);
    return onJson(page(router, call, start, limit), 200, (body) =>
      body[more] === true || last === undefined
        ? body
        : { ...body, [more]: true, [next]: cursors.close(modelIdOf(last)) },
    );
  },
});

/** The same in pages of the largest size only. */
export const endlessLargePages: Replace = (parts) => ({
  page: (router, call, start, limit) => {
    const { page = parts.page } = limit < 100 ? parts : endlessEmptyPages(parts);
    return page(router, call, start, limit);
  },
});

/** The answer to an invalid cursor of this kind, instead of the refusal. */
export function badCursorGets(gets: 'first-page' | 'internal-error', kind?: BadCursorKind): Replace {
  return ({ badCursor, page, limitOf }) => ({
    badCursor: (router, call, found) => {
      if (kind !== undefined && kind !== found) return badCursor(router, call, found);
      return gets === 'first-page'
        ? page(router, call, 0, limitOf(router, call) ?? 1)
        : refuse(router, call, { role: 'internal', detail: 'Something went wrong on our side.' });
    },
  });
}

// --- runs ---

/** How many models the refusal of an unknown one suggests at most. */
export function mostSuggested(atMost: number): Replace {
  return ({ suggestable }) => ({ suggestable: (router, call) => ({ ...suggestable(router, call), atMost }) });
}

/** Suggests unreleased models too. */
export const unreleasedSuggested: Replace = ({ suggestable }) => ({
  suggestable: (router, call) => ({ ...suggestable(router, call), models: router.state.catalogue.all() }),
});

/** Suggests models that do not exist. */
export const goneSuggested: Replace = ({ suggestable }) => ({
  suggestable: (router, call) => {
    const { models, atMost } = suggestable(router, call);
    return { models: models.map((model) => ({ ...model, model: `${model.model}-2` })), atMost };
  },
});

/** The schema of a model is not enforced. */
export const schemaUnchecked: Replace = () => ({ inputFailures: () => [] });

/** The schema of a model is not enforced for a call with a key. */
export const schemaUncheckedUnderKeys: Replace = ({ inputFailures }) => ({
  inputFailures: (router, call, model, input) =>
    call.facts.idempotencyKey === undefined ? inputFailures(router, call, model, input) : [],
});

/** Numbers that are written as text are taken as numbers. */
export const numbersInTextTaken: Replace = ({ inputFailures }) => ({
  inputFailures: (router, call, model, input) => inputFailures(router, call, model, withNumbers(input)),
});

/** A policy refusal is not repeated: the second call succeeds. */
export const policyRefusedOnce: Replace = ({ policyRefusal }) => ({
  policyRefusal: (router, call, detail) => {
    const counter = `policy\n${call.facts.caller?.scope ?? ''}\n${call.facts.modelId ?? ''}`;
    const isFirst = countRequest(router.state.requestCounts, counter) === 0;
    return isFirst ? policyRefusal(router, call, detail) : output(router, call, 'picture');
  },
});

// --- conditional reads ---

/** Another interpretation of `If-None-Match`. */
function ifNoneMatch(isCurrent: (condition: string | undefined, etag: string) => boolean): Replace {
  return () => ({
    isCurrent: (_router, { request }, etag) => isCurrent(request.header('if-none-match')?.trim(), etag),
  });
}

export const neverCurrent = ifNoneMatch(() => false);
export const alwaysCurrent = ifNoneMatch((condition) => condition !== undefined);
export const withoutStar = ifNoneMatch(
  (condition, etag) => condition !== '*' && matchesIfNoneMatch(condition, etag),
);
export const asOneTag = ifNoneMatch(
  (condition, etag) =>
    condition === '*' || (condition !== undefined && opaqueTag(condition) === opaqueTag(etag)),
);
export const strongly = ifNoneMatch(
  (condition, etag) => condition === '*' || (condition ?? '').split(',').some((tag) => tag.trim() === etag),
);

function withNumbers<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' && /^\d+(?:\.\d+)?$/.test(inner) ? Number(inner) : inner,
  ) as Value;
}
