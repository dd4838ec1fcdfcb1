import { isRecord } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { statesAfter, unexplained } from '../../explore/orders.ts';
import type { Moment } from '../../explore/orders.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import type { Thing } from '../policies/thing.ts';
import { strongTag } from './version.ts';
import { writeOutcome, isWrite } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

/** A thing that a course has made, and what can be true of it by all answers so far. */
export class KnownThing {
  readonly id: string;
  readonly values: Values;
  /** The body that would make a thing as this one was last known to be. */
  body: Json | undefined;
  /** The tags that reads have shown, each once, in their order. */
  readonly tags: string[] = [];
  /** Whether the last call that removed it, or brought it back, removed it. */
  isDeleted = false;
  /** The last answer that shows the thing. */
  shown: Readonly<Record<string, unknown>> | undefined;
  readonly #history: Moment<ThingCall>[] = [];
  /** What each side can be; without a side, it is judged no more. */
  readonly #states: Map<ThingSide, readonly unknown[]>;

  constructor({ id, values, sent }: Pick<Thing, 'id' | 'values' | 'sent'>, sides: readonly ThingSide[]) {
    this.id = String(id);
    this.values = values;
    this.body = sent;
    this.#states = new Map(sides.map((side) => [side, side.specification.start]));
  }

  /** Judges calls of one moment: some order of them has to explain all answers. */
  *judge(moment: Moment<ThingCall>): Generator<Check> {
    this.#history.push(moment);
    for (const { call } of moment) this.#note(call);
    for (const [side, before] of this.#states) {
      const isOfOthers = moment.every(({ call }) => call.role === 'beside');
      if (isOfOthers && side.isOfOthers !== true) continue;
      const states = statesAfter(side.specification, before, moment);
      this.#states.set(side, states);
      if (states.length > 0) continue;
      this.#states.delete(side);
      const calls = unexplained(side.specification, this.#heardBy(side)) ?? moment.map(({ call }) => call);
      const broken = side.broken(calls, this.#history);
      if (broken === undefined) continue;
      const seen = [...new Set(calls.map((call) => call.seen))];
      yield* broken.facts.judge(
        broken.name,
        seen,
        false,
        `answers that some order of these calls explains, about ${side.about}`,
        seen.map((one) => `${one.request.method} ${one.request.target}: ${sketchAnswer(one)}`).join('; '),
      );
    }
  }

  #heardBy({ isOfOthers }: ThingSide): readonly Moment<ThingCall>[] {
    return isOfOthers === true
      ? this.#history
      : this.#history.filter((moment) => moment.some(({ call }) => call.role !== 'beside'));
  }

  #note(call: ThingCall): void {
    if (call.role === 'beside') return;
    const { shown, role, sent } = call;
    if (isWrite(call) && writeOutcome(call) === 'made') {
      if (role === 'delete' || role === 'restore') this.isDeleted = role === 'delete';
      if (role === 'replace') this.body = sent;
      if (role === 'patch' && isRecord(sent) && isRecord(this.body))
        this.body = { ...this.body, ...sent } as Json;
    }
    if (shown !== null && shown !== undefined && call.role !== 'list') this.shown = shown;
    const tag = strongTag(call);
    if (tag === undefined || this.tags.at(-1) === tag) return;
    if (this.tags.includes(tag)) this.tags.splice(this.tags.indexOf(tag), 1);
    this.tags.push(tag);
  }
}
