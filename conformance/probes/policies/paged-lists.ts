import { pagesPolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { RequestPlans, Resource, Session } from '../../scenarios/scenario.ts';
import type { FoundCall } from '../document/reads.ts';
import { callsOn } from '../../target/occasions.ts';
import { creatorOf, idOfCreated } from '../document/ids.ts';
import { inputFor, refusalOf } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { sendOnOccasion } from '../document/occasions.ts';
import { pathParameters } from '../own-api.ts';
import type { OwnApi, Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedPolicy } from './pages.ts';
import { itemsOf } from './pages.ts';
import { type Things, thingsBy } from './things.ts';

/** A list whose pages are judged: one that exists, or one that the suite fills. */
export interface PagedList {
  /** The end of the ids of its scenarios. */
  readonly suffix: '' | '.made';
  /** The end of the titles of its scenarios. */
  readonly title: string;
  readonly parts: {
    readonly uses?: readonly Resource<unknown>[];
    readonly permissions?: readonly ['writes'];
    /** Whether other scenarios can change the list. */
    readonly isUndisturbed: boolean;
  };
  readonly requests: RequestPlans;
  /**
   * The values of the path parameters. The list is filled once in a scenario; `undefined` if another scenario judges
   * it already.
   */
  readonly values: (session: Session) => Promise<Values | undefined>;
}

/** The lists of an operation: one that a read has found, and one that the suite fills if it can. */
export function pagedLists(facts: OperationFacts<PagedPolicy>): readonly PagedList[] {
  const found = facts.reads.of(facts.operation);
  return [
    {
      suffix: '',
      title: '',
      parts: { uses: [found], isUndisturbed: true },
      requests: {},
      values: async (session) => {
        const { answer, values, missing, why } = await session.obtain(found);
        if (answer === undefined) throw new NotExercised(missing, why);
        return values;
      },
    },
    ...filled(facts, found),
  ];
}

// --- internal ---

/** The name of the planned request for a list without a size or a place. */
const FIRST_LOOK = 'first look';

const ENDING = 'make what ends';
const MOST_ENDINGS = 2;
/** How often a list is looked at until what it is below has come to its end. */
const MOST_LOOKS = 15;
const PAUSE_MS = 1000;

/** Enough for pages of one and of two items. */
const ENOUGH = 3;

function filled(
  { api, operation, policy }: OperationFacts<PagedPolicy>,
  found: Resource<FoundCall>,
): readonly PagedList[] {
  const things = thingsBy(api, 'list', operation);
  if (pagesPolicyOf(operation) === undefined) return [];
  if (things?.operation('create') === undefined) return belowMade(api, operation, found);
  const { hasParents } = things;
  return [
    {
      suffix: '.made',
      title: ', which the suite has filled',
      parts: {
        permissions: ['writes'],
        isUndisturbed: !hasParents,
        ...(hasParents ? {} : { uses: [found] }),
      },
      requests: things.requests({ create: 2 * ENOUGH }),
      values: oncePerSession((session) => fill(session, things, { operation, policy, found })),
    },
  ];
}

/** A list that the suite cannot fill, below a resource that it makes: the server may fill it, as it does with a history. */
function belowMade(api: OwnApi, operation: Operation, found: Resource<FoundCall>): readonly PagedList[] {
  const parents = new MadeResources(api, operation);
  if (!parents.hasCreators) return [];
  const ending = endingParents(api, operation);
  return [
    {
      suffix: '.made',
      title: ', below what the suite has made',
      parts: { permissions: ['writes'], isUndisturbed: false, uses: [found] },
      requests: {
        ...parents.requests(),
        [FIRST_LOOK]: api.plan(operation, { times: 1 + MOST_ENDINGS * MOST_LOOKS }),
        ...ending?.requests,
      },
      values: oncePerSession(async (session) => {
        if ((await session.obtain(found)).answer !== undefined) return undefined;
        const values = await parents.values(session);
        const look = (of: Values): Promise<Exchange> =>
          session.send(FIRST_LOOK, inputFor(api, operation, session, of));
        const seen = await look(values);
        if (seen.status < 400 || seen.status > 499) return values;
        // What it is a list of may come to exist later, or only in some states.
        for await (const own of ending?.make(session, values) ?? [])
          for (let count = 0; count < MOST_LOOKS; count += 1) {
            if (isSuccess(await look(own))) return own;
            await session.clock.sleep(PAUSE_MS);
          }
        throw new NotExercised('an opportunity', `the list of what was made is refused: ${refusalOf(seen)}`);
      }),
    },
  ];
}

interface Ending {
  readonly requests: RequestPlans;
  /** Makes things that come to their end, as the fixtures say: the values of their paths. */
  readonly make: (session: Session, values: Values) => AsyncGenerator<Values>;
}

function endingParents(api: OwnApi, operation: Operation): Ending | undefined {
  const parameter = pathParameters(operation).at(-1)?.name ?? '';
  const maker = creatorOf(api, operation.path, parameter);
  if (maker === undefined) return undefined;
  return {
    requests: { [ENDING]: api.plan(maker, { times: MOST_ENDINGS }) },
    async *make(session, values) {
      for (const call of callsOn('ending', maker.id, session.fixtures).slice(0, MOST_ENDINGS)) {
        const seen = await sendOnOccasion(api, session, ENDING, [maker, 'ending', call], values);
        const id = isSuccess(seen) ? idOfCreated(api, seen, parameter) : undefined;
        if (id !== undefined) yield { ...values, [parameter]: id };
      }
    },
  };
}

function oncePerSession(make: PagedList['values']): PagedList['values'] {
  const made = new WeakMap<Session, Promise<Values | undefined>>();
  return (session) => {
    const known = made.get(session) ?? make(session);
    made.set(session, known);
    return known;
  };
}

async function fill(
  session: Session,
  things: Things,
  {
    operation,
    policy,
    found,
  }: { readonly operation: Operation; readonly policy: PagedPolicy; readonly found: Resource<FoundCall> },
): Promise<Values | undefined> {
  if (!things.hasParents) {
    const { answer } = await session.obtain(found);
    if (answer !== undefined && (itemsOf(answer, policy)?.length ?? 0) >= ENOUGH) return undefined;
  }
  const required = operation.parameters.find(
    ({ in: place, required: isNeeded }) => place === 'query' && isNeeded,
  );
  if (required !== undefined)
    throw new NotExercised(
      `parameters.${required.name}`,
      `the list can be limited by its parameter ${required.name}`,
    );
  const within = await things.within(session);
  for (let count = 0; count < ENOUGH; count += 1) await things.make(session, within);
  return within;
}
