import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { pathParameters } from '../own-api.ts';
import { chosenId, collectionOf } from '../document/ids.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { refusal } from './refusal.ts';
import type { Role, Thing } from './thing.ts';
import { Things, thingsOf } from './things.ts';

type Guarded = PolicyOf<'conditional-write'>;

/** A change that names the version that it changes: If-Match (RFC 9110, sections 8.8.3 and 13.1.1). */
export function conditionalWriteProbes(facts: OperationFacts<Guarded>): Probes {
  const things = thingsAround(facts);
  const { operation, policy } = facts;
  const role = things && roleIn(things, operation.id);
  if (things === undefined || role === undefined) return {};
  const scenario = (name: string, cases: readonly string[], run: Run): readonly Scenario[] =>
    facts.scenario(cases, {
      id: `conditional-write.${operation.id}.${name}`,
      title: `${operation.method.toUpperCase()} ${operation.path} with If-Match: ${name}`,
      permissions: ['writes'],
      severalCases: facts.ids(...cases),
      requests: things.requests({ create: 8, read: 40, replace: 16, patch: 16, delete: 16 }),
      async *run(session: Session) {
        const within = await things.within(session);
        yield* run(new Course(facts, things, role, session), () => things.make(session, within));
      },
    });
  return {
    scenarios: [
      ...scenario('versions', ['current', 'list', 'any', 'changed'], async function* (course, make) {
        const isGone = role === 'delete';
        let thing = await make();
        for (const [name, tagsOf] of TAGS) {
          const before = await course.version(thing);
          const seen = await course.change(thing, tagsOf(before.tag));
          yield* facts.judge(
            name,
            [before.seen, seen],
            isSuccess(seen),
            `the change, with If-Match: ${tagsOf(before.tag)}`,
          );
          if (isGone) thing = await make();
          else if (isSuccess(seen)) yield* course.judgeTags(thing, before.tag, seen);
        }
      }),
      ...scenario('others', ['mismatch', 'weak', 'required'], async function* (course, make) {
        const thing = await make();
        const old = await course.version(thing);
        const before = (await course.otherChange(thing)) ? await course.version(thing) : old;
        const refused: readonly (readonly [string, string | null, Parameters<typeof refusal>[3]])[] = [
          ['mismatch', '"tallystick-other"', policy.mismatch],
          ...(old.tag === before.tag ? [] : ([['mismatch', old.tag, policy.mismatch]] as const)),
          ['mismatch', '"tallystick-other", "tallystick-another"', policy.mismatch],
          ['weak', `W/${before.tag.replace(/^W\//, '')}`, policy.mismatch],
          ...(policy.required === undefined ? [] : ([['required', null, policy.required]] as const)),
        ];
        // The second time shows whether a refusal has a side effect.
        for (const [name, tags, stated] of [...refused, ...refused]) {
          const seen = await course.change(thing, tags);
          yield* refusal(
            facts,
            name,
            seen,
            stated,
            tags === null ? 'without If-Match' : `with If-Match: ${tags}`,
          );
          const now = await course.version(thing);
          yield* facts.judge(
            name,
            [before.seen, seen, now.seen],
            now.tag === before.tag,
            `still ${before.tag}`,
            now.tag,
          );
          if (now.tag !== before.tag) return;
        }
        yield* course.judgeNew(thing);
      }),
    ],
  };
}

// --- internal ---

type Run = (course: Course, make: () => Promise<Thing>) => AsyncGenerator<Check>;

const TAGS: readonly (readonly [string, (tag: string) => string])[] = [
  ['current', (tag) => tag],
  ['list', (tag) => `"tallystick-other", ${tag}`],
  ['any', () => '*'],
];

/** Changes of one thing by one operation, each with another body than the previous one. */
class Course {
  readonly #facts: OperationFacts<Guarded>;
  readonly #things: Things;
  readonly #role: Role;
  readonly #session: Session;
  /** Which of two bodies the thing has: the original, or the changed one. */
  #isChanged = false;

  constructor(facts: OperationFacts<Guarded>, things: Things, role: Role, session: Session) {
    this.#facts = facts;
    this.#things = things;
    this.#role = role;
    this.#session = session;
  }

  /** @throws {NotExercised} if a read returns no tag */
  async version({ values }: Thing): Promise<{ readonly seen: Exchange; readonly tag: string }> {
    const seen = await this.#things.call(this.#session, 'read', values);
    const tag = seen.header('etag');
    if (tag === undefined || !/^"[^"]*"$/.test(tag))
      throw new NotExercised(
        'an opportunity',
        `a read has no strong ETag to change by: ${tag ?? sketchAnswer(seen)}`,
      );
    return { seen, tag };
  }

  change(thing: Thing, ifMatch: string | null): Promise<Exchange> {
    return this.#change(this.#role, thing, ifMatch);
  }

  /** Changes the thing without deleting it, so that an older tag is known. */
  async otherChange(thing: Thing): Promise<boolean> {
    const roles = [this.#role, 'replace', 'patch'] as const;
    const role = roles.find((one) => one !== 'delete' && this.#things.operation(one) !== undefined);
    return role !== undefined && isSuccess(await this.#change(role, thing, undefined));
  }

  /** A changed thing has another tag, and repeated reads return the same tag. */
  async *judgeTags(thing: Thing, before: string, change: Exchange): AsyncGenerator<Check> {
    const [first, second] = [await this.version(thing), await this.version(thing)];
    yield* this.#facts.judge(
      'changed',
      [first.seen],
      first.tag !== before,
      'another ETag than before the change',
      first.tag,
    );
    // The next change uses the tag of the answer.
    yield* this.#facts.judge(
      'changed',
      [change, first.seen],
      change.header('etag') !== before || first.tag === before,
      `${first.tag} with the answer to the change, or no ETag`,
      before,
    );
    yield* this.#facts.judge(
      'changed',
      [first.seen, second.seen],
      first.tag === second.tag,
      `still ${first.tag}`,
      second.tag,
    );
  }

  /** A change with If-Match creates nothing, because no version exists that it could name (RFC 9110, section 13.1.1). */
  async *judgeNew(thing: Thing): AsyncGenerator<Check> {
    const { api, operation } = this.#facts;
    const { parameter, operations } = this.#things.roles;
    if (this.#role !== 'replace' || operations.create !== operation.id) return;
    for (const tags of ['"tallystick-other"', '*']) {
      const id = chosenId(api, operation, parameter, this.#session.freshKey);
      if (id === undefined) return;
      const values = { ...thing.values, [parameter]: id };
      const seen = await this.#things.call(this.#session, 'replace', values, {
        body: thing.sent,
        ifMatch: tags,
      });
      yield* this.#facts.judge(
        'mismatch',
        seen,
        !isSuccess(seen),
        `a refusal with If-Match: ${tags}, of a resource that does not exist`,
        sketchAnswer(seen),
      );
    }
  }

  async #change(role: Role, { values, sent }: Thing, ifMatch: string | null | undefined): Promise<Exchange> {
    const other = this.#things.bodies.change(this.#session, role, sent);
    const body = this.#isChanged ? back(role, sent, other) : other;
    const seen = await this.#things.call(this.#session, role, values, {
      body,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    if (isSuccess(seen)) this.#isChanged = !this.#isChanged;
    return seen;
  }
}

/** The body that restores a thing. */
function back(role: Role, sent: Json | undefined, other: Json | undefined): Json | undefined {
  if (role !== 'patch' || !isObject(sent) || !isObject(other)) return other === undefined ? undefined : sent;
  return Object.fromEntries(Object.keys(other).map((name) => [name, sent[name] as Json]));
}

/**
 * The things that an operation changes: those of the sheet's resource policy, else of the surrounding paths.
 */
function thingsAround({ api, operation }: OperationFacts<Guarded>): Things | undefined {
  const policies = api.contract.sheet?.policies ?? [];
  const policy = policies
    .filter((one) => one.kind === 'resource')
    .find((one) => Object.values(one.operations).includes(operation.id));
  if (policy !== undefined) return thingsOf(api, policy);
  const parameter = pathParameters(operation).at(-1)?.name;
  const read = api.at('get', operation.path);
  const create =
    parameter === undefined ? undefined : api.at('post', collectionOf(operation.path, parameter));
  if (parameter === undefined || read === undefined || create === undefined) return undefined;
  const ways = (['put', 'patch', 'delete'] as const).map((method) => api.at(method, operation.path)?.id);
  const [replace, patch, remove] = ways;
  return new Things(api, {
    operations: {
      ...{ create: create.id, read: read.id },
      ...(replace === undefined ? {} : { replace }),
      ...(patch === undefined ? {} : { patch }),
      ...(remove === undefined ? {} : { delete: remove }),
    },
    parameter,
  });
}

function roleIn(things: Things, id: string): 'replace' | 'patch' | 'delete' | undefined {
  return (['replace', 'patch', 'delete'] as const).find((role) => things.operation(role)?.id === id);
}
