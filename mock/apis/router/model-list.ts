import { servedLimit } from '../../../contract/policies/pagination.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import { jsonAnswer, type Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { REBUILT_CATALOGUE } from './scenarios.ts';
import { modelIdOf } from './catalogue.ts';
import type { TextRule } from './facts.ts';
import { refuse, refuseOpenly, type Router } from './context.ts';
import { Pages } from './pages.ts';

/** One page of the catalogue (document 1, "GET /v1/models"). */
export function modelList(router: Router): Behaviour {
  return (call) => {
    const { pagination } = router.facts;
    const limit = router.mechanisms.limitOf(router, call);
    if (limit === undefined) {
      const detail = `${pagination.limitParameter} is not an integer.`;
      const { limitNotAnInteger } = router.assume('A-24');
      return refuseOpenly(router, call, limitNotAnInteger, { detail, because: 'A-24' });
    }
    const { startOf, page } = router.mechanisms;
    const start = startOf(router, call);
    return typeof start === 'number' ? page(router, call, start, limit) : start;
  };
}

/** Invalid cursors, before Prism's finding about them is used: Prism treats an empty one as absent. */
export function cursorCheck(router: Router): Behaviour {
  return (call, next) => {
    const cursor = parameter(call, router.facts.pagination.cursorParameter);
    if (call.operation?.id === undefined || cursor === undefined) return next();
    const bad = router.facts.pagination.operations.includes(call.operation.id)
      ? badFormOf(router.facts.cursor, cursor)
      : undefined;
    return bad === undefined ? next() : router.mechanisms.badCursor(router, call, bad);
  };
}

/** Why a cursor is invalid. */
export type BadCursorKind = 'empty' | 'malformed' | 'overlong' | 'forged';

/** The page size; `undefined` if the limit is not a number. */
export function limitOf({ facts }: Router, call: Call): number | undefined {
  return servedLimit(facts.pagination, parameter(call, facts.pagination.limitParameter));
}

/** The index to continue from, or the refusal of the cursor. */
export function startOf(router: Router, call: Call): number | Answer {
  const { catalogue, cursors } = router.state;
  const cursor = parameter(call, router.facts.pagination.cursorParameter);
  if (cursor === undefined) return 0;
  if (scenarioOf(call.facts) === REBUILT_CATALOGUE) {
    call.facts.scenario = REBUILT_CATALOGUE;
    return router.mechanisms.badCursor(router, call, 'forged');
  }
  const last = cursors.open(cursor);
  if (last === undefined) return router.mechanisms.badCursor(router, call, 'forged');
  return catalogue.indexAfter(last);
}

export function page(router: Router, call: Call, start: number, limit: number): Answer {
  const { page: members } = router.facts.pagination;
  const { catalogue, cursors } = router.state;
  const models = catalogue.listed();
  const end = start + limit;
  const body = pagesOf(router).page({ models, cursors }, [start, end], () => {
    const shown = models.slice(start, end);
    const more = end < models.length;
    const last = shown.at(-1);
    const entries = shown
      .filter(({ state }) => state === 'listed')
      .map((entry) => ({ id: modelIdOf(entry), provider: entry.provider, model: entry.model }));
    const next = more && last !== undefined ? { [members.next]: cursors.close(modelIdOf(last)) } : {};
    const value = { [members.items]: entries, [members.more]: more, [members.limit]: limit, ...next };
    return { value, entries: entries.length };
  });
  call.note('list', `${String(body.entries)} of ${String(models.length)}`);
  return jsonAnswer(200, body.value, { text: body.text });
}

/** Every invalid cursor gets the same refusal (document 1, GET /v1/models, rule 2). */
export function badCursor(router: Router, call: Call, _kind: BadCursorKind): Answer {
  return refuse(router, call, {
    role: 'badInput',
    status: 400,
    detail: 'The cursor is not valid. Start again without one.',
    because: 'router.list.cursor-malformed-400',
  });
}

// --- internal ---

function parameter(call: Call, name: string): string | undefined {
  return call.request.query.find((pair) => pair.name === name)?.value;
}

/** Cached per contract, because the contract defines the members of a page. */
function pagesOf(router: Router): Pages {
  const known = pagesByRouter.get(router);
  if (known !== undefined) return known;
  const pages = new Pages();
  pagesByRouter.set(router, pages);
  return pages;
}

const pagesByRouter = new WeakMap<Router, Pages>();

function badFormOf({ pattern, minLength, maxLength }: TextRule, cursor: string): BadCursorKind | undefined {
  if (cursor.length < minLength) return 'empty';
  if (cursor.length > maxLength) return 'overlong';
  return pattern.test(cursor) ? undefined : 'malformed';
}
