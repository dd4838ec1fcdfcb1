import { findPolicy } from '../../contract/index.ts';
import type { Contract, PolicyOf } from '../../contract/index.ts';
import { isObject, member } from '../exchanges/exchange.ts';
import { answerOf, isStatus, sentHeader } from './exchange.ts';
import type { ClientCheck, ClientExchange } from './exchange.ts';

/**
 * How a client submits jobs, follows their links and watches their streams.
 *
 * @param everywhere the exchanges with all APIs: a link that was resolved wrongly can lead to another one
 */
export function* judgeJobs(
  contract: Contract,
  exchanges: readonly ClientExchange[],
  isWhole: boolean,
  everywhere: readonly ClientExchange[],
): Generator<ClientCheck> {
  yield* judgeSubmissions(contract, exchanges);
  yield* judgeLinks(contract, exchanges, isWhole);
  yield* judgeResolution(contract, everywhere);
  const stream = findPolicy(contract, 'event-stream');
  for (const call of exchanges.filter(
    ({ operation }) => stream?.operations.includes(operation ?? '') === true,
  )) {
    const resumed = sentHeader(call, 'last-event-id');
    yield {
      rule: 'jobs.sse.client-no-resume',
      holds: resumed === undefined,
      exchanges: [call],
      expected: 'a plain connection, with the snapshot as its start',
      got: resumed === undefined ? 'a plain connection' : `Last-Event-ID: ${resumed}`,
    };
  }
}

// --- internal ---

/** A submission that may have created a job uses up its key; there is no replay. */
function* judgeSubmissions(contract: Contract, exchanges: readonly ClientExchange[]): Generator<ClientCheck> {
  const idempotency = findPolicy(contract, 'idempotency');
  if (idempotency?.mode !== 'single-use') return;
  const { operations, requestHeader, reuse } = idempotency;
  const retry = findPolicy(contract, 'retry');
  const submissions = exchanges.filter(({ operation }) => operations.includes(operation ?? ''));
  for (const [index, call] of submissions.entries()) {
    const key = sentHeader(call, requestHeader);
    const free = isStatus(call.status, retry?.resend ?? []) || isRefusal(call, reuse.code);
    if (key === undefined || free) continue;
    const again = submissions
      .slice(index + 1)
      .find((one) => sentHeader(one, requestHeader) === key && one.caller === call.caller);
    yield {
      rule: 'jobs.idem.per-api-differs',
      holds: again === undefined,
      exchanges: again === undefined ? [call] : [again, call],
      expected: 'no second submission under this key',
      got:
        again === undefined ? 'none' : `another one, after ${call.status === 0 ? 'no answer' : call.status}`,
    };
  }
}

/** The client knows that no job was created. */
function isRefusal(call: ClientExchange, reuseCode: string): boolean {
  const code = member(member(answerOf(call), 'error'), 'code');
  return call.status >= 400 && call.status < 500 && call.delivery === 'delivered' && code !== reuseCode;
}

/**
 * If a link differs from the address that a client would build, the request shows which of the two the client
 * used.
 */
function* judgeLinks(
  contract: Contract,
  exchanges: readonly ClientExchange[],
  isWhole: boolean,
): Generator<ClientCheck> {
  const links = findPolicy(contract, 'links');
  if (links?.members === undefined) return;
  const operations = Object.keys(links.members);
  const templates = contract.operations.filter(({ id }) => operations.includes(id)).map(({ path }) => path);
  const builds = (path: string): boolean =>
    templates.some((template) => new RegExp(`^${template.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`).test(path));
  const known = new Map<string, { readonly built: boolean; readonly from: ClientExchange }>();
  const ids: string[] = [];
  for (const call of exchanges) {
    if (operations.includes(call.operation ?? '') || builds(call.target)) {
      const link = known.get(call.target);
      // The link may belong to a job that was not recorded.
      const isOpen = link === undefined && !isWhole && !ids.some((id) => call.target.includes(id));
      if (!isOpen && link?.built !== true) {
        yield {
          rule: 'jobs.urls.follow-not-build',
          holds: link !== undefined,
          exchanges: link === undefined ? [call] : [call, link.from],
          expected: 'the URL of a link in a job',
          got: link === undefined ? `${call.target}, which is not a link of any job` : 'the link of a job',
        };
      }
    }
    const job = answerOf(call);
    for (const { path, built } of linksIn(contract, job, links)) {
      ids.push(String(member(job, 'id')));
      known.set(path, { built, from: call });
    }
  }
}

/**
 * A link that begins with `/` contains the mount prefix already. A client that resolves it against its base address repeats
 * that prefix. Where the link has no prefix, the request does not show how it was resolved.
 */
function* judgeResolution(contract: Contract, exchanges: readonly ClientExchange[]): Generator<ClientCheck> {
  const links = findPolicy(contract, 'links');
  if (links?.members === undefined) return;
  const known = new Map<string, { readonly built: boolean; readonly from: ClientExchange }>();
  for (const call of exchanges) {
    const path = endsOf(call.target).find((end) => known.has(end));
    const link = known.get(path ?? '');
    if (path !== undefined && link !== undefined) {
      const holds = path === call.target;
      const added = call.target.slice(0, -path.length);
      if (holds ? !link.built : path.startsWith(`${added}/`))
        yield {
          rule: 'jobs.urls.origin-resolution',
          holds,
          exchanges: [call, link.from],
          expected: path,
          got: call.target,
        };
    }
    if (call.api === contract.name)
      for (const { path: own, isHostRelative, built } of linksIn(contract, answerOf(call), links))
        if (isHostRelative) known.set(own, { built, from: call });
  }
}

/** A path and all its ends that begin with a slash, the longest first. */
function endsOf(target: string): readonly string[] {
  const starts = [...target.slice(0, LONGEST_TARGET).matchAll(/\//g)].map(({ index }) => index);
  return starts.map((start) => target.slice(start));
}

const LONGEST_TARGET = 512;

interface JobLink {
  /** With the query. */
  readonly path: string;
  readonly isHostRelative: boolean;
  /** Whether a client that builds addresses would build this one. */
  readonly built: boolean;
}

function linksIn(
  contract: Contract,
  answer: unknown,
  { property, members }: PolicyOf<'links'>,
): readonly JobLink[] {
  const urls = member(answer, property);
  if (!isObject(urls)) return [];
  const id = String(member(answer, 'id'));
  return Object.entries(members ?? {}).flatMap(([operation, name]) => {
    const link = urls[name];
    if (typeof link !== 'string' || !URL.canParse(link, 'http://origin.invalid')) return [];
    const { pathname, search } = new URL(link, 'http://origin.invalid');
    const path = `${pathname}${search}`;
    const template = contract.operations.find((one) => one.id === operation)?.path ?? '';
    const built = template.replace(/\{[^{}]+\}/, id) === path;
    return [{ path, isHostRelative: /^\/(?!\/)/.test(link), built }];
  });
}
