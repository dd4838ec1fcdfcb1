import type { Exchange } from '../../../exchanges/exchange.ts';
import { member } from '../../../exchanges/exchange.ts';
import { NotExercised, resource } from '../../../scenarios/scenario.ts';
import type { Session } from '../../../scenarios/scenario.ts';
import { isModel, isProvider } from '../wire/segment.ts';

/** The result of a walk through the catalogue. */
export interface Walk {
  readonly pages: readonly Exchange[];
  /** Members of `data` on all pages, of any type. */
  readonly entries: readonly unknown[];
  /** `broken`: an answer was not a page. `repeat`: a cursor was repeated. `cap`: the suite stopped. */
  readonly ended: 'end' | 'cap' | 'repeat' | 'broken';
}

/**
 * Document 1, GET /v1/models, rule 1: a walk continues until `has_more` is false, through short and empty pages too.
 */
export async function walkPages<Name extends string>(
  session: Pick<Session<Name>, 'send'>,
  names: { readonly first: Name; readonly next: Name },
  limit: number,
  mostPages: number,
): Promise<Walk> {
  const pages: Exchange[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < mostPages) {
    const fill: Record<string, string> = { limit: String(limit), cursor: inQuery(cursor ?? '') };
    const page = await session.send(cursor === undefined ? names.first : names.next, { fill });
    pages.push(page);
    const next = member(page.json, 'next_cursor');
    if (page.status !== 200 || !Array.isArray(member(page.json, 'data'))) return done(pages, 'broken');
    if (String(member(page.json, 'has_more')) === 'false') return done(pages, 'end');
    if (typeof next !== 'string' || next === '') return done(pages, 'broken');
    if (seen.has(next)) return done(pages, 'repeat');
    seen.add(next);
    cursor = next;
  }
  return done(pages, 'cap');
}

/** Text of a server as a value in a query, including text that is not valid Unicode. */
export function inQuery(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Pages of 100, to the end of the catalogue or to the cap. */
export const catalogue = resource<Walk>({
  id: 'router.catalogue',
  api: 'router',
  requests: {
    first: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 1 },
    next: { method: 'GET', target: '/v1/models?limit={limit}&cursor={cursor}', as: 'valid', times: 19 },
  },
  obtain: (session) => walkPages(session, { first: 'first', next: 'next' }, 100, 20),
});

/**
 * The IDs of the catalogue that can be requested. Entries that violate another rule are left out, so that one
 * bad entry is one finding.
 */
export async function catalogueIds(
  session: Pick<Session, 'obtain' | 'fixtures'>,
): Promise<readonly string[]> {
  const whole = await session.obtain(catalogue);
  const unreleased = session.fixtures.model?.unreleased;
  let ids = soundIds.get(whole);
  if (ids === undefined) soundIds.set(whole, (ids = whole.entries.flatMap(soundId)));
  return unreleased === undefined ? ids : ids.filter((id) => id !== unreleased);
}

/** A model to read: that of the fixtures, else the first of the catalogue. */
export async function anyModel(session: Pick<Session, 'obtain' | 'fixtures'>): Promise<string> {
  const declared = session.fixtures.model?.ok?.id;
  if (declared !== undefined) return declared;
  const [first] = await catalogueIds(session);
  if (first === undefined) throw new NotExercised('model.ok', 'needs model.ok: the catalogue lists nothing');
  return first;
}

// --- internal ---

/** Cached, because many scenarios need it, and the server determines the length of the catalogue. */
const soundIds = new WeakMap<Walk, readonly string[]>();

function soundId(entry: unknown): readonly string[] {
  const [id, provider, model] = ['id', 'provider', 'model'].map((name) => member(entry, name));
  const isSound = isProvider(provider) && isModel(model) && id === `${provider}/${model}`;
  return isSound ? [id] : [];
}

function done(pages: readonly Exchange[], ended: Walk['ended']): Walk {
  const entries = pages.flatMap((page) => {
    const data = member(page.json, 'data');
    return Array.isArray(data) ? (data as unknown[]) : [];
  });
  return { pages, entries, ended };
}
