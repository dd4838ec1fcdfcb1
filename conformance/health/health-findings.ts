import type { Exchange } from '../exchanges/exchange.ts';
import { sketchForeign } from '../exchanges/foreign.ts';
import type { OperationHealth, Health, Loss, LossKind } from './health.ts';
import type { RunFinding } from '../verdicts/report.ts';

type Records = Pick<Health, 'courses' | 'losses' | 'givenUp' | 'stopped' | 'oddities'>;

/** Findings about lost responses of a run, the most severe first. Each loss is reported once. */
export function findingsOf(
  health: Records,
  sent: number,
  undecided: ReadonlySet<string>,
): readonly RunFinding[] {
  const untold = new Map(health.losses.map((loss) => [loss.exchange.id, loss]));
  const take = (losses: readonly Loss[]): readonly Loss[] => {
    const taken = losses.filter(({ exchange }) => untold.has(exchange.id));
    for (const { exchange } of taken) untold.delete(exchange.id);
    return taken;
  };
  const courses = [...health.courses.values()];
  const unserved = courses.flatMap((course) => notServed(course, health, take));
  const broken = [
    ...courses.flatMap((course) => neverAnswers(course, health, take)),
    ...framings(courses, health.losses, take),
    ...eachTime(health, sent, take),
  ];
  return [
    ...health.stopped,
    ...unserved,
    ...broken,
    ...disturbances([...untold.values()], sent, undecided),
    ...remarks(health),
  ];
}

// --- internal ---

/** The share of requests that a network may lose without a finding. */
const ISOLATED = 0.03;

/** The probability at which something is no longer explained by chance. */
const UNLIKELY = 0.02;

const MOST_NAMED = 5;

/** Losses that a network causes. */
const FAULTS: ReadonlySet<LossKind> = new Set(['closed', 'silent', 'cut', 'gateway']);

type Take = (losses: readonly Loss[]) => readonly Loss[];

/** An operation that answers none of its requests, or none since some moment, while others are answered. */
function neverAnswers(
  course: OperationHealth,
  { losses, courses }: Records,
  take: Take,
): readonly RunFinding[] {
  const { api, operation, answered, unanswered, unaccepted, unheard } = course;
  /** Whether a network that loses responses of living operations explains these losses. */
  const isChance = (lost: readonly Exchange[], since?: string, between = 0): boolean => {
    // An operation that was answered before is compared with the answers since then.
    const from = since === undefined ? 0 : numberOf(lost[0]?.id);
    const live = [...courses.values()].filter(
      (other) => other !== course && other.answered > 0 && numberOf(other.unanswered.since) > from,
    );
    const names = new Set(live.map((other) => `${other.api} ${other.operation}`));
    const stray = losses.filter(
      (loss) => FAULTS.has(loss.kind) && names.has(`${loss.exchange.api} ${loss.operation}`),
    ).length;
    const whole = live.reduce((sum, { answered: count }) => sum + count, 0);
    const chance = atLeast(lost.length, lost.length + between, stray / Math.max(1, stray + whole));
    return live.length === 0 || courses.size * chance >= UNLIKELY;
  };
  const found = (
    says: string,
    lost: readonly Exchange[],
    how: string,
    help: string,
  ): readonly RunFinding[] => [
    {
      kind: 'broken',
      about: `${api} ${operation}`,
      says: `${operation} ${says}, while other operations do: ${how}`,
      help: `Rules that need this operation are inconclusive.${help}`,
      exchanges: lost.slice(0, MOST_NAMED).map(({ id }) => id),
    },
  ];
  const kinds = [
    [unanswered, answered === 0 ? 'never answers' : `has not answered since ${unanswered.since}`],
    [
      unaccepted,
      unaccepted.since === undefined
        ? 'refuses calls, and never answers one that it does not refuse'
        : `has answered only refusals since ${unaccepted.since}`,
    ],
  ] as const;
  for (const [{ since, lost, between }, says] of kinds) {
    const exchanges = lost.map(({ exchange }) => exchange);
    if (lost.length < (since === undefined ? 2 : 4) || lost.some(({ kind }) => kind === 'cut')) continue;
    if (isChance(exchanges, since, between)) continue;
    take(lost);
    const runs = lost.some(({ kind, exchange }) => kind === 'silent' && exchange.request.method === 'POST');
    const help = runs ? ' If it needs more time, set deadlineMs in the fixtures file.' : '';
    return found(says, exchanges, howMany(lost), help);
  }
  const [first] = unheard;
  if (first === undefined || unheard.length < 2 || unaccepted.since !== undefined || isChance(unheard))
    return [];
  const waitedMs = unheard.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0);
  return found(
    'never sends anything, not even the head of a response',
    unheard,
    `${unheard.length} streams were silent for ${Math.round(waitedMs / 1000)} s in all (${first.id})`,
    ' A client cannot tell such a stream from a server that hangs. Send the head at once; if it is sent, a proxy in between may hold it back: turn off its buffering (nginx: X-Accel-Buffering: no).',
  );
}

/** An operation whose path gets only a 404 that does not come from the API. */
function notServed(
  { api, operation, answered }: OperationHealth,
  { losses }: Records,
  take: Take,
): readonly RunFinding[] {
  const lost = losses.filter(
    (loss) => loss.exchange.api === api && loss.operation === operation && loss.kind === 'unserved',
  );
  take(lost);
  return lost.length === 0 || answered > 0
    ? []
    : [
        {
          kind: 'not-served',
          about: `${api} ${operation}`,
          says: `${operation} is not served here: each of ${lost.length} requests returned 404 without the error body of the ${api} API`,
          help: 'It was not tested. If the API is at another address, use that address.',
          exchanges: idsOf(lost),
        },
      ];
}

/** Responses of one status, or of one operation, that all arrive incomplete. */
function framings(
  courses: readonly OperationHealth[],
  losses: readonly Loss[],
  take: Take,
): readonly RunFinding[] {
  const cut = losses.filter(({ kind }) => kind === 'cut');
  const finding = (what: string, lost: readonly Loss[]): readonly RunFinding[] =>
    take(lost).length < 2
      ? []
      : [
          {
            kind: 'broken',
            says: `Every ${what} arrives incomplete: ${howMany(lost)}`,
            help: 'The body is not what Content-Length or the chunks announce. Rules that need these responses are inconclusive.',
            exchanges: idsOf(lost),
          },
        ];
  const byStatus = groupBy(
    cut,
    ({ exchange }) => `${exchange.begun ?? 0} response of the ${exchange.api} API`,
  );
  const everyStatus = [...byStatus].flatMap(([what, lost]) => {
    const [first] = lost;
    const whole = courses
      .filter(({ api }) => api === first?.exchange.api)
      .some((course) => course.whole.has(first?.exchange.begun ?? 0));
    return whole || lost.length < 2 ? [] : finding(what, lost);
  });
  const byOperation = groupBy(cut, ({ exchange, operation }) => `${exchange.api} ${operation}`);
  const everyOperation = [...byOperation].flatMap(([key, lost]) => {
    const course = courses.find(({ api, operation }) => `${api} ${operation}` === key);
    return course === undefined || course.answered > 0 || lost.length < 2
      ? []
      : finding(`response to ${course.operation}`, lost);
  });
  return [...everyStatus, ...everyOperation];
}

/**
 * Requests that never got a complete response, although they were repeated. The losses after which another
 * attempt succeeded show how often this happens by chance.
 */
function eachTime({ givenUp, losses }: Records, sent: number, take: Take): readonly RunFinding[] {
  const byRequest = groupBy(
    givenUp.filter(({ length }) => length > 1).flat(),
    ({ exchange: { request } }) => `${request.method} ${request.target} ${request.as}`,
  );
  const repeated = [...byRequest.values()];
  const inVain = new Set(repeated.flat().map(({ exchange }) => exchange.id));
  const share = losses.filter(({ exchange }) => !inVain.has(exchange.id)).length / Math.max(1, sent);
  return repeated
    .filter(({ length }) => sent * share ** length < UNLIKELY)
    .slice(0, 20)
    .flatMap((attempts) => {
      const lost = take(attempts);
      const [first] = lost;
      if (first === undefined) return [];
      const { method, target } = first.exchange.request;
      return [
        {
          kind: 'broken',
          says: `${method} ${target.slice(0, 200)} never gets a complete response: ${howMany(lost)}`,
          help: `Other requests are answered. The scenario is ${first.exchange.scenario}.`,
          exchanges: idsOf(lost),
        },
      ];
    });
}

/** The remaining isolated losses, one finding for each cause. */
function disturbances(
  losses: readonly Loss[],
  sent: number,
  undecided: ReadonlySet<string>,
): readonly RunFinding[] {
  const finding = (
    some: readonly Loss[],
    isGrave: boolean,
    says: string,
    help: string,
  ): readonly RunFinding[] =>
    some.length === 0
      ? []
      : [
          {
            kind: isGrave ? 'disturbed' : 'doubt',
            says: `${some.length} of ${sent} requests ${says}: ${howMany(some)}`,
            help,
            exchanges: idsOf(some),
          },
        ];
  const of = (...kinds: readonly LossKind[]): readonly Loss[] =>
    losses.filter(({ kind }) => kinds.includes(kind));
  const isOften = (some: readonly Loss[]): boolean => some.length > Math.max(1, ISOLATED * sent);
  const isOpen = (some: readonly Loss[]): boolean => some.some(({ exchange }) => undecided.has(exchange.id));
  const [faults, gateway, limiter, unavailable] = [
    of('closed', 'silent', 'cut'),
    of('gateway'),
    of('limiter'),
    of('unavailable'),
  ];
  return [
    ...finding(
      faults,
      isOften(faults),
      'got no complete response',
      isOften(faults)
        ? 'This is too often for a verdict on this server. If there is a proxy or an unstable network in between, test without it.'
        : 'A read was sent again. No rule was judged by these exchanges.',
    ),
    ...finding(
      gateway,
      isOften(gateway) && isOpen(gateway),
      'were answered by something before the API',
      'A gateway or a load balancer did not reach the API. A read was sent again. No rule was judged by these exchanges.',
    ),
    ...finding(
      limiter,
      isOpen(limiter),
      'were refused by a rate limit',
      'No rule was judged by these exchanges. Send fewer requests at once: --rate, --concurrency 1.',
    ),
    ...finding(
      unavailable,
      isOpen(unavailable),
      'were refused because the server is not available',
      'Rules that need these requests are inconclusive. Test again when the server is well.',
    ),
  ];
}

/** Responses that arrived completely, but that another reader may parse differently. */
function remarks({ oddities }: Records): readonly RunFinding[] {
  return [...oddities].map(([oddity, ids]) => ({
    kind: 'doubt',
    says: `${ids.length} responses have ${oddity}`,
    help: 'A proxy may see another end of the body than the suite does (RFC 9112, section 6.3).',
    exchanges: ids.slice(0, MOST_NAMED),
  }));
}

const KINDS: Readonly<Record<LossKind, string>> = {
  closed: 'without a connection, or closed before the response',
  silent: 'without a response in time',
  cut: 'cut short',
  gateway: 'not by the API',
  limiter: 'with 429',
  full: 'because of the number of things',
  unavailable: 'with 503',
  unserved: 'with 404',
};

/** Such as `2 cut short, 1 without a response in time (x0001: status 200, then …)`. */
function howMany(losses: readonly Loss[]): string {
  const counts = Object.entries(KINDS).flatMap(([kind, says]) => {
    const some = losses.filter((loss) => loss.kind === kind);
    return some.length === 0 ? [] : [`${some.length} ${says}`];
  });
  const [first] = losses;
  if (first === undefined) return '';
  const { id, failure } = first.exchange;
  return `${counts.join(', ')} (${id}: ${failure ?? sketchForeign(first.exchange)})`;
}

/** The probability that at least so many of these calls are lost, if each is lost with this probability. */
function atLeast(lost: number, calls: number, share: number): number {
  let exactly = share ** calls;
  let sum = exactly;
  for (let count = calls; count > lost && sum > 0; count -= 1) {
    exactly *= (count / (calls - count + 1)) * ((1 - share) / share);
    sum += exactly;
  }
  return Math.min(1, sum);
}

/** Exchanges are numbered in the order of sending: `x0042`. */
function numberOf(id = 'x0'): number {
  return Number(id.slice(1));
}

function idsOf(losses: readonly Loss[]): readonly string[] {
  return losses.slice(0, MOST_NAMED).map(({ exchange }) => exchange.id);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
