import type { Effect, FoundChange, Party } from '../change.ts';
import { compareAlternatives, compareBareAlternatives } from './alternatives.ts';
import { type Comparing, pairOf, type ChangeDetails, type SetChange, type Way } from './comparing.ts';
import { compareConditions } from './conditions.ts';
import type { Node } from './flat-schema.ts';
import { keyOf, type Schemas } from './flat.ts';
import { compareItems } from './items.ts';
import { compareLimits } from './limits.ts';
import { compareMembers } from './members.ts';
import { compareValues } from './values.ts';
import { compareNotes } from './notes.ts';

interface Visit {
  readonly old: Node;
  readonly new: Node;
  readonly way: Way;
  readonly found: FoundChange[];
  readonly parts: Visit[];
}

/** Pairs of schemas, each compared once, regardless of how many operations use it. */
export class SchemaPairs {
  readonly #schemas: { readonly old: Schemas; readonly new: Schemas };
  readonly #visits = new Map<string, Visit>();
  readonly #roots: { readonly visit: Visit; readonly operation: string | undefined }[] = [];
  #isFull = false;
  /** Computed on first use, after all operations have been added. */
  #compared: Set<string> | undefined;

  constructor(old: Schemas, schemas: Schemas) {
    this.#schemas = { old, new: schemas };
  }

  /** Compares two schemas and everything that they refer to. */
  add(before: Node, after: Node, way: Way, operation: string | undefined): void {
    const waiting: Visit[] = [];
    const enter = (old: Node, next: Node, nextWay: Way): Visit => {
      const key = `${keyOf(old)}\n${keyOf(next)}\n${keyOfWay(nextWay)}`;
      const known = this.#visits.get(key);
      if (known !== undefined) return known;
      const visit: Visit = { old, new: next, way: nextWay, found: [], parts: [] };
      this.#visits.set(key, visit);
      if (this.#visits.size <= MOST_PAIRS) waiting.push(visit);
      else this.#isFull = true;
      return visit;
    };
    this.#roots.push({ visit: enter(before, after, way), operation });
    for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) this.#compare(visit, enter);
  }

  /** Whether two schemas have been compared, in any direction. */
  hasCompared(before: Node, after: Node): boolean {
    this.#compared ??= new Set(
      [...this.#visits.values()].map((visit) => `${keyOf(visit.old)}\n${keyOf(visit.new)}`),
    );
    return this.#compared.has(`${keyOf(before)}\n${keyOf(after)}`);
  }

  /** All changes, each with the operations that reach it. */
  found(): FoundChange[] {
    const users = this.#users();
    const found = [...this.#visits.values()].flatMap((visit) =>
      visit.found.map((each) => ({ ...each, operations: [...(users.get(visit) ?? [])] })),
    );
    if (!this.#isFull) return found;
    return [
      ...found,
      {
        kind: 'too-large',
        says: `more than ${String(MOST_PAIRS)} pairs of schemas: the rest was not compared`,
        reason: 'the documents are too large to be compared completely',
        ...{ callers: 'unknown', servers: 'unknown' },
        ...{ before: { pointer: '' }, after: { pointer: '' }, operations: [] },
      },
    ];
  }

  // --- internal ---

  #compare(visit: Visit, enter: (old: Node, next: Node, way: Way) => Visit): void {
    const { way, found } = visit;
    const old = this.#schemas.old.flat(visit.old);
    const next = this.#schemas.new.flat(visit.new);
    const comparing: Comparing = {
      ...{ old, new: next, nodes: { old: visit.old, new: visit.new }, schemas: this.#schemas, way },
      report: (kind, sense, said, pair) => {
        const { says, reason } = said;
        const effects = effectsOf(sense, said, way);
        found.push({
          ...{ kind, says, ...effects },
          ...((reason ?? way.within) === undefined || !Object.values(effects).includes('unknown')
            ? {}
            : { reason: reason ?? `it is within ${way.within ?? ''}, where less can mean more` }),
          ...{ before: { pointer: pair.before }, after: { pointer: pair.after }, operations: [] },
        });
      },
      compare: (before, after, more) => {
        visit.parts.push(enter(before, after, { ...way, ...more }));
      },
    };
    compareNotes(comparing);
    if (compareBareAlternatives(comparing) || compareValues(comparing)) return;
    compareLimits(comparing);
    compareMembers(comparing);
    compareItems(comparing);
    compareAlternatives(comparing);
    compareConditions(comparing);
    if (!old.isCut && !next.isCut) return;
    const reason = 'it is composed of more parts than are compared';
    comparing.report(
      'too-large',
      'unknown',
      { says: `${next.label} was not compared completely`, reason },
      pairOf(comparing),
    );
  }

  /** The operations that reach each pair with a change. */
  #users(): ReadonlyMap<Visit, ReadonlySet<string>> {
    const around = new Map<Visit, Visit[]>();
    for (const visit of this.#visits.values())
      for (const part of visit.parts) {
        const known = around.get(part);
        if (known === undefined) around.set(part, [visit]);
        else known.push(visit);
      }
    // Most pairs do not lead to a change, and only those that do are walked.
    const leading = new Set([...this.#visits.values()].filter(({ found }) => found.length > 0));
    for (const visit of leading) for (const outer of around.get(visit) ?? []) leading.add(outer);
    const users = new Map<Visit, Set<string>>();
    let steps = 0;
    for (const { visit, operation } of this.#roots) {
      if (operation === undefined || !leading.has(visit)) continue;
      const reached = new Set([visit]);
      for (const each of reached) {
        if ((steps += 1) > MOST_STEPS) return users;
        if (each.found.length > 0) users.set(each, (users.get(each) ?? new Set()).add(operation));
        for (const part of each.parts) if (leading.has(part)) reached.add(part);
      }
    }
    return users;
  }
}

// --- internal ---

const MOST_PAIRS = 200_000;
const MOST_STEPS = 20_000_000;

function keyOfWay({ direction, sender, isText, isUnused, within = '' }: Way): string {
  return `${direction} ${sender} ${String(isText)} ${String(isUnused)} ${within}`;
}

function effectsOf(sense: SetChange, said: ChangeDetails, way: Way): Record<Party, Effect> {
  const usual: Record<SetChange, readonly [sender: Effect, receiver: Effect]> = {
    narrowed: ['wire', 'none'],
    widened: ['none', 'wire'],
    changed: ['wire', 'wire'],
    unknown: ['unknown', 'unknown'],
    same: ['none', 'none'],
  };
  const [sender, receiver] = usual[sense];
  const settled = [said.sender ?? sender, said.receiver ?? receiver].map((effect): Effect => {
    if (effect === 'none') return effect;
    if (way.within !== undefined) return 'unknown';
    return way.isUnused === true && effect === 'wire' ? 'code' : effect;
  });
  const [ofSender = 'none', ofReceiver = 'none'] = settled;
  return way.sender === 'callers'
    ? { callers: ofSender, servers: ofReceiver }
    : { callers: ofReceiver, servers: ofSender };
}
