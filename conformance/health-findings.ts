import type { Exchange, Fault } from './exchange.ts';
import type { Course, Health, Loss } from './health.ts';
import type { Finding } from './report.ts';

type Records = Pick<Health, 'courses' | 'losses' | 'givenUp' | 'stopped' | 'oddities'>;

/** What the losses of a run mean, the gravest first. Each loss is told once. */
export function findingsOf(health: Records, sent: number): readonly Finding[] {
  const untold = new Map(health.losses.map((loss) => [loss.exchange, loss]));
  const take = (losses: readonly Loss[]): readonly Loss[] => {
    const taken = losses.filter(({ exchange }) => untold.has(exchange));
    for (const { exchange } of taken) untold.delete(exchange);
    return taken;
  };
  const courses = [...health.courses.values()];
  const broken = [
    ...courses.flatMap((course) => neverAnswers(course, health, take)),
    ...framings(courses, health.losses, take),
    ...eachTime(health, sent, take),
  ];
  return [...health.stopped, ...broken, ...faults([...untold.values()], sent), ...remarks(health)];
}

// --- internal ---

/** A share of requests that a network may lose without being worth a word. */
const ISOLATED = 0.02;

const MOST_NAMED = 5;

type Take = (losses: readonly Loss[]) => readonly Loss[];

/** An operation that answers none of its requests, or none since some moment, while others are answered. */
function neverAnswers(course: Course, { losses, courses }: Records, take: Take): readonly Finding[] {
  const { api, operation, answered, lostInARow, lastAnswered } = course;
  if (lostInARow < (answered === 0 ? 2 : 4)) return [];
  const own = losses.filter((loss) => loss.exchange.api === api && loss.operation === operation);
  const lost = own.slice(-lostInARow);
  const silent = lost.filter(({ exchange }) => exchange.begun === undefined);
  const neighbours = [...courses.values()].filter((other) => other !== course && other.answered > 0);
  if (silent.length < lost.length || lost.length === 0 || neighbours.length === 0) return [];
  take(lost);
  const since = answered === 0 ? 'never answers' : `does not answer since ${lastAnswered ?? 'some moment'}`;
  const runs = lost.some(({ exchange }) => exchange.fault === 'silent' && exchange.request.method === 'POST');
  return [
    {
      kind: 'broken',
      about: `${api} ${operation}`,
      says: `${operation} ${since}, while other operations do: ${howMany(lost)}`,
      help: `Rules that need this operation are inconclusive.${runs ? ' If it needs more time, set deadlineMs in the fixtures file.' : ''}`,
      exchanges: idsOf(lost),
    },
  ];
}

/** Responses of one status, or of one operation, that all arrive incomplete. */
function framings(courses: readonly Course[], losses: readonly Loss[], take: Take): readonly Finding[] {
  const cut = losses.filter(({ exchange }) => exchange.fault === 'cut');
  const finding = (what: string, lost: readonly Loss[]): readonly Finding[] =>
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

/** Requests that never got a whole response, where chance does not explain it. */
function eachTime({ givenUp, losses }: Records, sent: number, take: Take): readonly Finding[] {
  return givenUp
    .filter((attempts) => {
      const share = Math.max(0, losses.length - attempts.length) / Math.max(1, sent);
      return attempts.length > 1 && sent * share ** attempts.length < 0.05;
    })
    .slice(0, 20)
    .flatMap((attempts) => {
      const lost = take(attempts);
      const [first] = lost;
      if (first === undefined) return [];
      const { method, target } = first.exchange.request;
      return [
        {
          kind: 'broken',
          says: `${method} ${target.slice(0, 200)} gets no whole response, however often it is sent: ${howMany(lost)}`,
          help: `Other requests are answered. The scenario is ${first.exchange.scenario}.`,
          exchanges: idsOf(lost),
        },
      ];
    });
}

/** What is left: faults here and there. */
function faults(losses: readonly Loss[], sent: number): readonly Finding[] {
  if (losses.length === 0) return [];
  const isolated = losses.length <= Math.max(1, ISOLATED * sent);
  const [first] = losses;
  return [
    {
      kind: isolated ? 'doubt' : 'disturbed',
      says: `${losses.length} of ${sent} requests got no whole response: ${howMany(losses)}`,
      help: isolated
        ? `Reads were sent again. The first one: ${first?.exchange.failure ?? ''}.`
        : `This is too often for a verdict on this server. The first one: ${first?.exchange.failure ?? ''}. If a network or a proxy lies in between, test without it.`,
      exchanges: idsOf(losses),
    },
  ];
}

/** What arrived whole, and what another reader may not see so. */
function remarks({ oddities }: Records): readonly Finding[] {
  return [...oddities].map(([oddity, ids]) => ({
    kind: 'doubt',
    says: `${ids.length} responses have ${oddity}`,
    help: 'A proxy may see another end of the body than the suite does (RFC 9112, section 6.3).',
    exchanges: ids.slice(0, MOST_NAMED),
  }));
}

const FAULTS: Readonly<Record<Exclude<Fault, 'dropped'>, string>> = {
  closed: 'without a connection, or closed before the response',
  silent: 'without a response in time',
  cut: 'cut short',
};

/** Such as `3 requests, 2 cut short (x0001 …), 1 without a response in time`. */
function howMany(losses: readonly Loss[]): string {
  const counts = Object.entries(FAULTS).flatMap(([fault, says]) => {
    const some = losses.filter(({ exchange }) => exchange.fault === fault);
    return some.length === 0 ? [] : [`${some.length} ${says}`];
  });
  const [first] = losses;
  const example = first === undefined ? '' : ` (${first.exchange.id}: ${first.exchange.failure ?? ''})`;
  return `${counts.join(', ')}${example}`;
}

function idsOf(losses: readonly Loss[]): readonly string[] {
  return losses.slice(0, MOST_NAMED).map(({ exchange }: { readonly exchange: Exchange }) => exchange.id);
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
