import { randomUUID } from 'node:crypto';
import type { Contract } from '../../../contract/index.ts';
import type { TokenSource } from '../../target/bearer-token.ts';
import { Unreadable, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { GivenHeader } from '../../target/given-headers.ts';
import { MemoryBudget } from '../../exchanges/memory-budget.ts';
import { rationed } from '../../http/rate.ts';
import { RetryWaits } from '../../http/retry-after.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import { walkPages } from './probes/catalogue.ts';
import { bodySchemas, isFallback } from '../../schemas/schema-document.ts';
import { Hindered } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { seededRandom } from '../../schemas/seed.ts';
import { openSession } from '../../sessions/session.ts';
import { makeTarget } from '../../target/target.ts';
import type { Credential } from '../../target/target.ts';
import { systemClock } from '../../http/transport.ts';
import type { Clock, Transport } from '../../http/transport.ts';

/** The dependencies of `discoverFixtures`. */
export interface DiscoverOptions {
  readonly contracts: readonly Contract[];
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly transport: Transport;
  /** If the credential is a token that expires, a way to renew it. */
  readonly token?: TokenSource | undefined;
  /** Headers to send with every request. */
  readonly headers?: readonly GivenHeader[] | undefined;
  readonly clock?: Clock;
  /** How many models are examined; default 20. Each takes one request. */
  readonly most?: number;
  /** The limit for requests per second; default: unlimited. */
  readonly rate?: number | undefined;
  /** The longest `Retry-After` that is honoured, in milliseconds; default 2 minutes. */
  readonly longestWaitMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/** The facts about a server from its catalogue and its schema documents. */
export type Discovery =
  | {
      readonly ok: true;
      /** Members of the fixtures file, such as `model.ok`, with their values. */
      readonly found: Readonly<Record<string, unknown>>;
      /** Notes for a person about these values, one sentence each. */
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly why: 'unreachable' | 'busy' | 'not-served' | 'credential' | 'unreadable';
      readonly says: string;
    };

/** Reads the catalogue and some schema documents of a live server. Sends only GETs. */
export async function discoverFixtures(options: DiscoverOptions): Promise<Discovery> {
  const session = readerOf(options);
  const seen = await walkCatalogue(session);
  if (!seen.ok) return seen;
  const most = options.most ?? DEFAULT_MOST;
  const models: Model[] = [];
  for (const id of seen.ids.slice(0, most)) {
    const model = await readModel(session, id);
    if (model !== undefined) models.push(model);
  }
  const found: Record<string, unknown> = {};
  const notes = [
    `the catalogue lists ${seen.ids.length} models; ${models.length} schema documents were read`,
  ];
  const authored = models.filter(({ input }) => input !== undefined);
  const [ok] = authored.sort((a, b) => sizeOf(a.input) - sizeOf(b.input));
  if (ok !== undefined) {
    found['model.ok'] = { id: ok.id, input: ok.input };
    notes.push(
      `model.ok is a guess: ${ok.id} needs the smallest input; check that it succeeds with this input, and what a run costs`,
    );
  }
  const fallback = models.find(({ input }) => input === undefined);
  if (fallback !== undefined) {
    found['model.noSchema'] = { id: fallback.id, input: {} };
    notes.push(`model.noSchema: ${fallback.id} has no authored schema`);
  }
  if (seen.ids.length > most)
    notes.push(
      `${seen.ids.length - most} models were not read; to read all, add --models ${seen.ids.length}`,
    );
  return { ok: true, found, notes };
}

// --- internal ---

const DEFAULT_MOST = 20;
const MOST_PAGES = 20;
const MOST_MODELS = 1000;

interface Model {
  readonly id: string;
  /** A small input; `undefined` if the schema accepts every object. */
  readonly input: unknown;
}

type Reader = Pick<Session<'first' | 'next' | 'document'>, 'send'> & {
  /** The status of the last answer; 0 if there was none. */
  readonly lastStatus: () => number;
};

function readerOf(options: DiscoverOptions): Reader {
  const { contracts, baseUrl, credential, transport } = options;
  const signal = options.signal ?? new AbortController().signal;
  const target = makeTarget(contracts, {
    baseUrl,
    credential,
    headers: options.headers,
    token: options.token,
  });
  const memory = new MemoryBudget();
  const clock = options.clock ?? systemClock;
  let sent = 0;
  let document: string | undefined;
  let lastStatus = 0;
  const keep = ({ id, request, status }: Exchange): void => {
    lastStatus = status;
    // A document is released before the next one is requested.
    if (document !== undefined) memory.giveBack(document);
    document = request.target.endsWith('/openapi.json') ? id : undefined;
  };
  const { send } = openSession(
    {
      target,
      transportTo: () => transport,
      clock,
      turn: rationed(clock, options.rate),
      waits: new RetryWaits({ longestMs: options.longestWaitMs }),
      nextId: () => `x${String((sent += 1)).padStart(4, '0')}`,
      keep,
      memory,
      obtained: new Map(),
      signal,
      freshKey: randomUUID,
      random: seededRandom,
    },
    {
      id: 'discover',
      api: 'router',
      mayPost: false,
      requests: {
        first: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 1 },
        next: {
          method: 'GET',
          target: '/v1/models?limit={limit}&cursor={cursor}',
          as: 'valid',
          times: MOST_PAGES,
        },
        document: {
          method: 'GET',
          target: '/v1/models/{id}/openapi.json',
          as: 'valid',
          times: MOST_MODELS,
        },
      },
    },
    signal,
  );
  return { send, lastStatus: () => lastStatus };
}

async function walkCatalogue(
  session: Reader,
): Promise<{ readonly ok: true; readonly ids: readonly string[] } | Extract<Discovery, { ok: false }>> {
  try {
    const { pages, entries, ended } = await walkPages(
      session,
      { first: 'first', next: 'next' },
      100,
      MOST_PAGES,
    );
    if (ended === 'broken' && entries.length === 0) return refused(pages.at(-1));
    const ids = entries.map((entry) => member(entry, 'id')).filter((id) => typeof id === 'string');
    return { ok: true, ids };
  } catch (error) {
    if (!(error instanceof Hindered)) throw error;
    if (error instanceof Unreadable) return { ok: false, why: 'unreadable', says: error.message };
    return { ok: false, why: session.lastStatus() === 0 ? 'unreachable' : 'busy', says: error.message };
  }
}

function refused(answer: Exchange | undefined): Extract<Discovery, { ok: false }> {
  const status = answer?.status ?? 0;
  const says = `GET /v1/models returned ${status}`;
  if (status === 404) return { ok: false, why: 'not-served', says };
  if (status === 401 || status === 403) return { ok: false, why: 'credential', says };
  return { ok: false, why: 'unreadable', says: `${says}, which is not a page of the catalogue` };
}

/** `undefined` if the document cannot be read: `conform` judges that. */
async function readModel(session: Reader, id: string): Promise<Model | undefined> {
  try {
    const { status, json } = await session.send('document', { fill: { id } });
    const [schema] = bodySchemas(json);
    if (status !== 200 || schema === undefined) return undefined;
    return { id, input: isFallback(json, schema) ? undefined : smallestValue(json, schema) };
  } catch (error) {
    if (error instanceof Hindered) return undefined;
    throw error;
  }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
