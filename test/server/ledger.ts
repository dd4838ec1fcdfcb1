import { readFileSync } from 'node:fs';
import type { Transport, WireRequest, WireResponse } from '../../conformance/index.ts';
import { pause } from '../until.ts';

/** A POST with a key, and what came back to its caller. */
interface Sent {
  readonly key: string;
  readonly request: WireRequest;
  readonly isJob: boolean;
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** What arrived; whole or not. */
  body: Buffer;
  /** `cut`: the line broke, or the balancer answered for a dead replica; `dropped`: its caller hung up. */
  end: 'running' | 'whole' | 'cut' | 'dropped';
}

export interface Accounts {
  readonly keys: number;
  /** Requests whose replica died under them. */
  readonly cut: number;
  /** Keys that reached a partner more often than the contract allows. */
  readonly twice: readonly string[];
  /** Answers with a result that did not come back for their key. */
  readonly lost: readonly string[];
  readonly replayed: number;
  /** Errors of the 500s that do not say why as their API does. */
  readonly unnamed: readonly string[];
  /** Jobs whose key made another one, or that are gone or have no end. */
  readonly badJobs: readonly string[];
  readonly jobs: number;
}

/**
 * Stands between the suite and the line, and remembers what was sent with a key and what came of it. What the balancer
 * says in place of a dead replica is passed on as what it is: a call without an answer.
 */
export class Ledger {
  readonly #sent: Sent[] = [];
  readonly #unnamed: string[] = [];
  #cut = 0;

  over(inner: Transport): Transport {
    const { prepare } = inner;
    const through = async (request: WireRequest, go: () => Promise<WireResponse>): Promise<WireResponse> => {
      const sent = this.#enter(request);
      try {
        return await this.#read(request, await go(), sent);
      } catch (error) {
        this.#end(request, sent, 'cut');
        throw error;
      }
    };
    return Object.assign((request: WireRequest) => through(request, () => inner(request)), {
      ...(inner.close === undefined ? {} : { close: inner.close }),
      ...(prepare === undefined
        ? {}
        : {
            prepare: async (request: WireRequest) => {
              const go = await prepare(request);
              return () => through(request, go);
            },
          }),
    });
  }

  /**
   * What it comes to: no key may have run more often than its callers saw it fail, each result is there for its key,
   * and each job has its end. Asks the server, and again after a request to wait.
   */
  async settle(inner: Transport, dispatchLog: string): Promise<Accounts> {
    const dispatches = new Map<string, number>();
    for (const line of readFileSync(dispatchLog, 'utf8').split('\n')) {
      const key = line.slice(0, line.lastIndexOf(' '));
      dispatches.set(key, (dispatches.get(key) ?? 0) + 1);
    }
    const runs = this.#sent.filter(({ isJob }) => !isJob);
    const twice: string[] = [];
    for (const [key, sends] of grouped(runs, ({ key }) => key)) {
      const callers = new Set(sends.map(({ request }) => credentialOf(request))).size;
      const freed = sends.filter(isFreed).length;
      const count = dispatches.get(key) ?? 0;
      if (count > callers + freed)
        twice.push(`${key} ran ${String(count)} times, was freed ${String(freed)} times`);
    }
    const lost: string[] = [];
    let replayed = 0;
    const results = runs.filter(({ status, end }) => status === 200 && end === 'whole');
    for (const [key, sends] of grouped(results, ({ key, request }) => `${key} ${credentialOf(request)}`)) {
      const fresh = sends.filter(({ headers }) => !isReplay(headers));
      const [first] = fresh;
      if (fresh.length > 1) twice.push(`${key} gave ${String(fresh.length)} results`);
      if (first === undefined) continue;
      const again = await persist(inner, first.request);
      // Past the cap of this server an answer is used up with its key.
      const isConsumed = again.status === 409 && first.body.length > 100_000;
      const isSame = again.status === 200 && isReplay(again.headers) && again.body.equals(first.body);
      if (isSame || isConsumed) replayed += 1;
      else lost.push(`${key}: ${String(again.status)} ${again.body.toString().slice(0, 120)}`);
    }
    const badJobs: string[] = [];
    const submissions = this.#sent.filter(
      ({ isJob, status, end }) => isJob && status === 201 && end === 'whole',
    );
    for (const [key, made] of grouped(submissions, ({ key, request }) => `${key} ${credentialOf(request)}`)) {
      const [first] = made;
      if (first === undefined) continue;
      if (made.length > 1) badJobs.push(`${key} made ${String(made.length)} jobs`);
      const again = await persist(inner, first.request);
      if (again.status !== 422) badJobs.push(`${key} was taken again: ${String(again.status)}`);
      const end = await endOf(inner, first);
      if (end !== undefined) badJobs.push(`${key}: ${end}`);
    }
    return {
      keys: new Set(this.#sent.map(({ key }) => key)).size,
      cut: this.#cut,
      unnamed: this.#unnamed,
      jobs: submissions.length,
      ...{ twice, lost, replayed, badJobs },
    };
  }

  #enter(request: WireRequest): Sent | undefined {
    const key = headerOf(request.headers, 'idempotency-key');
    if (request.method !== 'POST' || key === undefined) return undefined;
    const isJob = /\/jobs$/.test(request.target);
    // A key on any other POST, such as a cancel, claims nothing.
    if (!isJob && !request.target.includes('/v1/models/')) return undefined;
    const sent: Sent = { key, request, isJob, status: 0, headers: [], body: Buffer.alloc(0), end: 'running' };
    this.#sent.push(sent);
    return sent;
  }

  async #read(request: WireRequest, response: WireResponse, sent: Sent | undefined): Promise<WireResponse> {
    const { status, headers } = response;
    if (status >= 500 && headerOf(headers, 'content-type') !== undefined) {
      const body = await bytesOf(response);
      if (!isNamed(request, headers, body))
        this.#unnamed.push(`${request.method} ${request.target}: ${String(status)}`);
      if (headerOf(headers, 'proxy-status') !== undefined)
        throw new Error('its replica went away: the balancer answered in its place');
      if (sent !== undefined) Object.assign(sent, { status, headers, body });
      this.#end(request, sent, 'whole');
      return { ...response, body: once(body) };
    }
    if (sent === undefined) return response;
    Object.assign(sent, { status, headers });
    return { ...response, body: this.#copied(request, response, sent) };
  }

  async *#copied(request: WireRequest, { body }: WireResponse, sent: Sent): AsyncGenerator<Uint8Array, void> {
    let isWhole = false;
    try {
      for await (const chunk of body) {
        sent.body = Buffer.concat([sent.body, chunk]);
        yield chunk;
      }
      isWhole = true;
    } finally {
      this.#end(request, sent, isWhole ? 'whole' : 'cut');
    }
  }

  #end({ signal }: WireRequest, sent: Sent | undefined, end: 'whole' | 'cut'): void {
    const dropped = end === 'cut' && signal?.aborted === true;
    if (end === 'cut' && !dropped) this.#cut += 1;
    if (sent !== undefined) sent.end = dropped ? 'dropped' : end;
  }
}

// --- internal ---

/** Above the lease of a key whose replica died. */
const PATIENCE_MS = 90_000;
const TERMINAL = ['succeeded', 'canceled', 'failed', 'expired'];

/** Nothing reached the caller, or an answer that frees the key (document 1, "Idempotency key handling"). */
function isFreed({ end, status }: Sent): boolean {
  return end !== 'whole' || status >= 500 || [408, 425, 429].includes(status);
}

function isReplay(headers: Sent['headers']): boolean {
  return headerOf(headers, 'idempotent-replayed') === 'true';
}

function isNamed({ target }: WireRequest, headers: Sent['headers'], body: Buffer): boolean {
  const read = jsonOf(body) as {
    readonly error_type?: unknown;
    readonly error?: { readonly code?: unknown };
  };
  if (target.startsWith('/deployment/')) return typeof read.error?.code === 'string';
  const bucket = headerOf(headers, 'x-service-error-type');
  return (
    bucket !== undefined &&
    read.error_type === bucket &&
    headerOf(headers, 'x-service-request-id') !== undefined
  );
}

/** Sends a call again until it has an answer that lasts. */
async function persist(
  transport: Transport,
  { signal: _, ...request }: WireRequest,
): Promise<{ readonly status: number; readonly headers: Sent['headers']; readonly body: Buffer }> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await transport(request).then(
      async (response) => ({ ...response, body: await bytesOf(response) }),
      () => undefined,
    );
    const isPassing =
      answer === undefined ||
      answer.status >= 500 ||
      answer.status === 429 ||
      (answer.status === 409 && headerOf(answer.headers, 'retry-after') !== undefined);
    if (!isPassing) return answer;
    if (Date.now() > until) return answer ?? { status: 0, headers: [], body: Buffer.alloc(0) };
    await pause(200);
  }
}

/** What is wrong with a job; nothing where it has come to an end. */
async function endOf(transport: Transport, { request, body }: Sent): Promise<string | undefined> {
  const { id } = jsonOf(body) as { readonly id?: string };
  const headers = request.headers.filter(([name]) => /^(host|authorization|x-api-key)$/i.test(name));
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, body: read } = await persist(transport, {
      ...{ method: 'GET', target: `${request.target}/${id ?? ''}`, headers },
    });
    const job = jsonOf(read) as { readonly status?: string };
    if (status !== 200) return `a read of it answers ${String(status)}`;
    if (TERMINAL.includes(job.status ?? '')) return undefined;
    if (Date.now() > until) return `it stays ${job.status ?? ''}`;
    await pause(200);
  }
}

function credentialOf({ headers }: WireRequest): string {
  return headerOf(headers, 'x-api-key') ?? headerOf(headers, 'authorization') ?? '';
}

function headerOf(headers: Sent['headers'], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function jsonOf(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function bytesOf({ body }: WireResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(body);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
