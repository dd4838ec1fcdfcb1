import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { followed } from '../../../contract/pointer.ts';
import { isRecord } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedList } from './paged-lists.ts';
import type { AskPage } from './pagination-whole.ts';
import { itemsOf, keyReader, nextPlace, takesLimit } from './pages.ts';
import type { PagedPolicy } from './pages.ts';
import { refusal, type StatedRefusal } from './refusal.ts';

/** Cursors that no page has given, where the sheet states their refusal: made-up ones, and changed ones of a page. */
export function refusedCursors(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { noSuchPage: stated, limitParameter } = policy;
  if (policy.kind !== 'pagination' || stated === undefined) return [];
  const cursors = new Cursors(facts as OperationFacts<PolicyOf<'pagination'>>);
  const one = { [limitParameter]: 1 };
  return facts.scenario(CASES, {
    id: `pagination.${operation.id}.refused-cursors${list.suffix}`,
    title: `GET ${operation.path}: cursors that no page has given${list.title}`,
    ...list.parts,
    permissions: [...(list.parts.permissions ?? []), 'negatives'],
    severalCases: facts.ids(...CASES),
    requests: {
      ...list.requests,
      page: api.plan(operation, { times: MOST_CURSORS, isInvalid: true }),
      ...(operation.security.length === 0
        ? {}
        : { other: api.plan(operation, { as: 'secondAccount', isOptional: true, isInvalid: true }) }),
    },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      const first = await ask(session, takesLimit(facts, 1) ? one : {});
      const items = itemsOf(first, policy) ?? [];
      if (!isSuccess(first)) throw new NotExercised('an opportunity', 'the first page is refused');
      const given = nextPlace(policy, first, { pages: 1, items: items.length })?.[policy.cursorParameter];
      const known = [
        String(given),
        ...items.map(keyReader(api, operation)).map((key) => key.replace(/^"|"$/g, '')),
      ];
      // A size that is refused for itself shows nothing about cursors.
      const limits: (number | undefined)[] = [undefined];
      for (const limit of [1, 5, policy.maximumLimit + 1])
        if (takesLimit(facts, limit) && isSuccess(await ask(session, { [limitParameter]: limit })))
          limits.push(limit);
      const changed = typeof given === 'string' ? cursors.changed(given) : [];
      const made = cursors.madeUp(session.random);
      // After others were refused, the given one does not lead back to its own page. Whether it is valid then is open.
      const keyOf = keyReader(api, operation);
      const stillLeadsOn = async function* (cursor: string): AsyncGenerator<Check> {
        const next = await ask(session, { [policy.cursorParameter]: cursor, ...one });
        const isSame = (itemsOf(next, policy) ?? []).some((item) => items.map(keyOf).includes(keyOf(item)));
        yield* facts.judge(
          'cursor-fallback',
          [first, next],
          !isSuccess(next) || !isSame,
          'the page behind the cursor, after others were refused',
          'the page that gave it',
        );
      };
      for (const [index, cursor] of [...made, ...changed].entries()) {
        if (known.includes(cursor)) continue;
        const few = changed.includes(cursor) ? limits.slice(0, 2) : [limits[index % 2]];
        for (const limit of cursors.isAtEdge(cursor, given) ? limits : few) {
          const size = limit === undefined ? {} : { [limitParameter]: limit };
          const seen = await ask(session, { [policy.cursorParameter]: cursor, ...size });
          const part = cursors.partOf(cursor, given);
          // What the document forbids may be refused like any other invalid request, unless a rule says more of it.
          const isForbidden = !facts.isApart(part) && cursors.isForbidden(cursor);
          yield* judged(facts, stated, { part, seen, isForbidden });
        }
        if (typeof given === 'string' && STOPS.includes(index)) yield* stillLeadsOn(given);
      }
      // What is before the API may refuse a broken escape, and some readers end a text at a character of no meaning.
      const raws = ['%zz', '%', ...(typeof given === 'string' ? [`${encodeURIComponent(given)}%00`] : [])];
      for (const raw of facts.isApart('cursor-fallback') ? raws : []) {
        const seen = await ask(session, {}, { raw: `${policy.cursorParameter}=${raw}` });
        yield* facts.judge('cursor-fallback', seen, !isSuccess(seen), 'a refusal and not a page');
      }
      if (typeof given !== 'string') return;
      yield* stillLeadsOn(given);
      if (operation.security.length === 0 || !session.knows('secondAccount')) return;
      const seen = await ask(session, { [policy.cursorParameter]: given, ...one }, { as: 'other' });
      yield* facts.judge(
        'cursor-error',
        [first, seen],
        seen.status < 500,
        'a page or a refusal of a cursor that another caller was given',
      );
    },
  });
}

// --- internal ---

const CASES = [
  ...['empty-cursor', 'made-up-cursor', 'long-cursor', 'cut-cursor'],
  ...['cursor-error', 'cursor-fallback'],
];

function* judged(
  facts: OperationFacts<PagedPolicy>,
  stated: StatedRefusal,
  {
    part,
    seen,
    isForbidden,
  }: { readonly part: string; readonly seen: Exchange; readonly isForbidden: boolean },
): Generator<Check> {
  // What is before the API may refuse a long address.
  if ([414, 431].includes(seen.status)) return;
  if (isForbidden && [400, 422].includes(seen.status)) return;
  yield* refusal(facts, part, seen, stated, 'to a cursor that no page has given');
  if (facts.isApart('cursor-error'))
    yield* facts.judge('cursor-error', seen, seen.status < 500, 'a refusal, and no fault of the server');
  if (facts.isApart('cursor-fallback'))
    yield* facts.judge('cursor-fallback', seen, !isSuccess(seen), 'a refusal and not a page');
}

/** The cursors after which the one of a page is asked for at once, by their places. */
const STOPS = [0, 1, 2];

/** Texts that are no cursors of a list. */
class Cursors {
  readonly #facts: OperationFacts<PolicyOf<'pagination'>>;
  readonly #schema: Readonly<Record<string, unknown>>;

  constructor(facts: OperationFacts<PolicyOf<'pagination'>>) {
    this.#facts = facts;
    const declared = this.#parameter;
    const schema = declared && followed(facts.api.root, declared.schema);
    this.#schema = isRecord(schema) ? schema : {};
  }

  /** Whether the document allows no such cursor. */
  isForbidden(cursor: string): boolean {
    const parameter = this.#parameter;
    return parameter !== undefined && this.#facts.api.misfits(parameter, cursor).length > 0;
  }

  /** The part of the case that a cursor shows. */
  partOf(cursor: string, given: unknown): string {
    const { maxLength } = this.#schema;
    if (cursor === '') return 'empty-cursor';
    if (typeof maxLength === 'number' && cursor.length > maxLength) return 'long-cursor';
    const isCut = typeof given === 'string' && given.startsWith(cursor);
    return isCut ? 'cut-cursor' : 'made-up-cursor';
  }

  /** Made-up cursors: odd and random ones, and the shortest and the longest that the document knows. */
  madeUp(random: () => number): readonly string[] {
    const { minLength, maxLength } = this.#schema;
    const longest = typeof maxLength === 'number' && maxLength <= LONGEST ? maxLength : undefined;
    return [
      // Where the document allows an empty text, it may be read like none.
      ...(typeof minLength === 'number' && minLength > 0 ? [''] : []),
      ...['zzzz', '!!!', '~', 'a/b?c', '\u{1f4a5}'],
      // Other servers may read these without their ends.
      ...(this.#facts.isApart('made-up-cursor') ? ['\u0000', '  '] : []),
      'A'.repeat(longest ?? LONGEST),
      ...(longest === undefined ? [] : ['A'.repeat(longest + 1)]),
      ...Array.from({ length: RANDOM_CURSORS }, () => randomText(random)),
    ];
  }

  /** A cursor of a page that lost its end, got a longer one, or has other characters. */
  changed(cursor: string): readonly string[] {
    // The neighbour of a number or of a short name may be a cursor as well, unless a rule says that none is.
    if (cursor.length < (this.#facts.isApart('cut-cursor') ? 2 : SHORTEST)) return [];
    const lengths = [1, 2, 4, 8].map((count) => cursor.length - count);
    const cut = [...lengths, Math.ceil(cursor.length / 2), 1].map((length) => cursor.slice(0, length));
    const escaped = `%${Buffer.from(cursor.slice(0, 1)).toString('hex')}${cursor.slice(1)}`;
    const spaced = this.#facts.isApart('made-up-cursor') ? [`${cursor} `, ` ${cursor}`] : [];
    const longer = [`${cursor}!`, `${cursor}AAAA`, `A${cursor}`, `${cursor}${cursor}`, escaped, ...spaced];
    const { maxLength } = this.#schema;
    const isShort = (text: string): boolean => typeof maxLength !== 'number' || text.length <= maxLength;
    return [...cut, ...longer.filter(isShort), reversed(cursor), '1', '20'];
  }

  /** Whether it is sent with limits of all kinds. */
  isAtEdge(cursor: string, given: unknown): boolean {
    return (
      cursor === '' || cursor.length > LONGEST || (typeof given === 'string' && cursor === reversed(given))
    );
  }

  get #parameter(): OperationFacts<PolicyOf<'pagination'>>['operation']['parameters'][number] | undefined {
    const { operation, policy } = this.#facts;
    return operation.parameters.find(({ name }) => name === policy.cursorParameter);
  }
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Of characters that an address may have. */
function randomText(random: () => number): string {
  const length = 3 + Math.floor(random() * 60);
  const at = (): string => CHARACTERS[Math.floor(random() * CHARACTERS.length)] ?? 'A';
  return Array.from({ length }, at).join('');
}

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-';

/** A longer text may be refused by what is before the API. */
const LONGEST = 512;
/** Shorter cursors may be numbers or names, of which a part is another cursor. */
const SHORTEST = 16;
const RANDOM_CURSORS = 4;
const MOST_CURSORS = 80;
