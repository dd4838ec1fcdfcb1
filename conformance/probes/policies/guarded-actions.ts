import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { callInState } from '../document/states-before.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { neverSent } from './facts.ts';
import { TAGS, currentVersion } from './guarded-things.ts';
import type { Guarded, Version } from './guarded-things.ts';
import { refusal } from './refusal.ts';
import type { StatedRefusal } from './refusal.ts';
import type { Thing } from './thing.ts';
import { thingsOf } from './things.ts';
import type { Things } from './things.ts';

const CASES = ['current', 'mismatch', 'weak', 'list', 'any', 'required', 'exists', 'changed'] as const;

/** A call of a lifecycle that names the version that it changes, as changes of the thing do. */
export function guardedActionProbes(facts: OperationFacts<Guarded>): Probes {
  const course = courseOf(facts);
  if (course === undefined)
    return {
      scenarios: neverSent(
        facts,
        CASES,
        `${facts.operation.id} neither changes a resource of the sheet nor is named by a transition of one`,
      ),
    };
  const { things, before } = course;
  const { api, operation, policy } = facts;
  const scenario = (
    name: string,
    cases: readonly (typeof CASES)[number][],
    run: (action: GuardedAction) => AsyncGenerator<Check>,
  ): readonly Scenario[] =>
    facts.scenario(cases, {
      id: `conditional-write.${operation.id}.${name}`,
      title: `${operation.method.toUpperCase()} ${operation.path} with a version: ${name}`,
      permissions: ['writes'],
      severalCases: facts.ids(...cases),
      requests: {
        ...things.requests({ create: 4, read: 24 }),
        ...Object.fromEntries(before.map((one) => [nameOf(one), api.plan(one, { times: 4 })])),
        action: api.plan(operation, { times: 12 }),
      },
      run: (session: Session) => run(new GuardedAction(facts, course, session)),
    });
  return {
    scenarios: [
      ...scenario('versions', ['current', 'list', 'any', 'changed'], async function* (action) {
        for (const [name, tagsOf] of TAGS) {
          const thing = await action.make();
          const { seen: first, tag } = await action.version(thing);
          const seen = await action.call(thing, [['If-Match', tagsOf(tag)]]);
          const steps = [first, seen];
          yield* facts.judge(name, steps, isSuccess(seen), `the call, with If-Match: ${tagsOf(tag)}`);
          if (!isSuccess(seen) || seen.status === 202) continue;
          const now = await action.version(thing);
          const expected = 'another ETag than before the call';
          yield* facts.judge('changed', [...steps, now.seen], now.tag !== tag, expected, now.tag);
        }
      }),
      ...scenario('others', ['mismatch', 'weak', 'required', 'exists'], async function* (action) {
        const thing = await action.make();
        const { tag } = await action.version(thing);
        const { mismatch, required, exists } = policy;
        const other = '"tallystick-other"';
        const rows: readonly (readonly [string, readonly Header[], StatedRefusal | undefined])[] = [
          ['mismatch', [['If-Match', other]], mismatch],
          ['weak', [['If-Match', `W/${tag}`]], mismatch],
          ['weak', [['If-Match', `${other}, W/${tag}`]], mismatch],
          ['required', [], required],
          [
            'exists',
            [
              ['If-Match', tag],
              ['If-None-Match', tag],
            ],
            exists,
          ],
        ];
        for (const [name, headers, stated] of rows) {
          if (stated === undefined) continue;
          const said = headers.map((header) => header.join(': ')).join(' and ');
          const seen = await action.call(thing, headers);
          yield* refusal(facts, name, seen, stated, said === '' ? 'without If-Match' : `with ${said}`);
          const now = await action.version(thing);
          yield* facts.judge(name, [seen, now.seen], now.tag === tag, `still ${tag}`, now.tag);
          if (now.tag !== tag) return;
        }
      }),
    ],
  };
}

// --- internal ---

type Header = readonly [name: string, value: string];

interface Course {
  readonly things: Things;
  /** The calls that bring a new thing into a state in which the action is possible. */
  readonly before: readonly Operation[];
}

function courseOf({ api, operation }: OperationFacts<Guarded>): Course | undefined {
  const { resource, before = [] } = callInState(api, operation) ?? {};
  const things = resource && thingsOf(api, resource);
  return things?.operation('create') === undefined ? undefined : { things, before };
}

class GuardedAction {
  readonly #facts: OperationFacts<Guarded>;
  readonly #course: Course;
  readonly #session: Session;
  #within: Promise<Values> | undefined;

  constructor(facts: OperationFacts<Guarded>, course: Course, session: Session) {
    this.#facts = facts;
    this.#course = course;
    this.#session = session;
  }

  /** @throws {NotExercised} if no thing comes into a state in which the call is possible */
  async make(): Promise<Thing> {
    const { things, before } = this.#course;
    const thing = await things.make(this.#session, await (this.#within ??= things.within(this.#session)));
    for (const one of before) {
      const seen = await this.#session.send(nameOf(one), this.#input(one, thing));
      if (!isSuccess(seen))
        throw new NotExercised('an opportunity', `${one.id} was answered with ${sketchAnswer(seen)}`);
    }
    return thing;
  }

  /** @throws {NotExercised} if a read returns no tag */
  version(thing: Thing): Promise<Version> {
    return currentVersion(this.#course.things, this.#session, thing);
  }

  /** @param conditions instead of the usual one */
  call(thing: Thing, conditions: readonly Header[]): Promise<Exchange> {
    const input = this.#input(this.#facts.operation, thing);
    const others = (input.headers ?? []).filter(([name]) => !/^if-(?:none-)?match$/i.test(name));
    return this.#session.send('action', { ...input, headers: [...others, ...conditions] });
  }

  #input(operation: Operation, { values }: Thing): ReturnType<typeof inputFor> {
    return inputFor(this.#facts.api, operation, this.#session, values);
  }
}

function nameOf({ id }: Operation): string {
  return `before ${id}`;
}
