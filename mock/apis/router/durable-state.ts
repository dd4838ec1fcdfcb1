import { durationMs } from '../../../contract/policies/duration.ts';
import type { ReplayRecord } from '../../../contract/policies/idempotency-replay.ts';
import type { HeldKey } from '../../../engine/memory-store.ts';
import { bodyText, type Answer } from '../../call/answer.ts';
import type { Form } from '../../../contract/index.ts';
import { recordForm, rememberedAs, storedName } from '../../state/key-ledger.ts';
import {
  bytesOfText,
  changeOf,
  keeping,
  textOfBytes,
  type StateChange,
  type RecordChange,
  type Keeping,
} from '../../state/durable-state.ts';
import { modelForm, type Model } from './catalogue.ts';
import type { Router, RouterState } from './context.ts';

/** Names of what changes. */
export const KEY = 'router.key';
const MODEL = 'router.model';
const REMOVED = 'router.model-removed';
const SEAL = 'router.seal';
const DISPATCHES = 'router.dispatches';
const GENERATION = 'router.generation';
const CHARGED = 'router.charged';

/** Whose state it is. */
type Lasted = Pick<Router, 'clock' | 'facts' | 'state'>;

export function keepDispatches(keep: RecordChange | undefined, model: string, count: number): void {
  keep?.({ part: DISPATCHES, model, count });
}

/** @param at when it will be done; `undefined` when it was collected */
export function keepGeneration(keep: RecordChange | undefined, id: string, at: number | undefined): void {
  keep?.({ part: GENERATION, id, at: at ?? null });
}

/** The forms of the changes that this API takes down, by their part. */
export const routerChanges: Readonly<Record<string, Form>> = {
  [KEY]: changeOf({ id: 'string', record: { nullOr: recordForm(responseForm()) } }),
  [MODEL]: changeOf({ model: modelForm }),
  [REMOVED]: changeOf({ id: 'string' }),
  [SEAL]: changeOf({ secret: 'string' }),
  [DISPATCHES]: changeOf({ model: 'string', count: 'number' }),
  [GENERATION]: changeOf({ id: 'string', at: { nullOr: 'number' } }),
  [CHARGED]: changeOf({ id: 'string', until: 'number' }),
};

/**
 * The state that survives the process: keys, charges, edits of the catalogue, the seal of cursors, calls that reached
 * models.
 */
export function durableRouter(router: Lasted & Pick<Router, 'keep'>, fresh: () => RouterState): Keeping {
  const { keep } = router;
  return keeping(router, {
    ...{ fresh, restoreIn },
    watch: ({ catalogue, cursors, ledger }) => {
      if (keep === undefined) return;
      catalogue.watch((id, model) => {
        keep(changeOfModel(id, model));
      });
      cursors.watch((secret) => {
        keep({ part: SEAL, secret: textOfBytes(secret) });
      });
      ledger.watch((held, isCharge) => {
        const id = storedName(held);
        const change = isCharge
          ? { part: CHARGED, id, until: held.chargedUntil ?? 0 }
          : changeOfKey(router, id, held);
        if (change !== undefined) keep(change);
      });
    },
    *snapshot({ catalogue, cursors, ledger, dispatches, generations }) {
      yield { part: SEAL, secret: textOfBytes(cursors.secret) };
      for (const [id, model] of catalogue.edits) yield changeOfModel(id, model);
      for (const [id, record] of ledger.entries())
        if (record.state !== 'in-flight') yield { part: KEY, id, record: written(record) };
      for (const [model, count] of dispatches) yield { part: DISPATCHES, model, count };
      for (const [id, at] of generations) yield { part: GENERATION, id, at };
      for (const [id, until] of ledger.charges()) yield { part: CHARGED, id, until };
    },
  });
}

// --- internal ---

function changeOfModel(id: string, model: Model | undefined): StateChange {
  return model === undefined ? { part: REMOVED, id } : { part: MODEL, model };
}

/**
 * What is saved when a key changes. An answer that is being sent counts as received, because the caller may have it
 * if this process ends now. Nothing is saved for a running call, because nothing of it has reached its caller.
 */
function changeOfKey({ clock, facts }: Lasted, id: string, held: HeldKey<Answer>): StateChange | undefined {
  const { record, isLeaving, isReleased } = held;
  if (isReleased === true) return { part: KEY, id, record: null };
  const known = rememberedAs(held);
  if (known !== undefined) return { part: KEY, id, record: written(known) };
  if (isLeaving !== true) return undefined;
  const expiresAt = clock.now() + durationMs(facts.idempotency.window);
  return { part: KEY, id, record: { state: 'collecting', bodyHash: record.bodyHash, expiresAt } };
}

function restoreIn(state: RouterState, change: StateChange): void {
  const { catalogue, cursors, ledger, dispatches, generations } = state;
  switch (change.part) {
    case KEY:
      ledger.put(String(change['id']), change['record'] === null ? undefined : readRecord(change['record']));
      return;
    case MODEL:
      catalogue.put(change['model'] as Model);
      return;
    case REMOVED:
      catalogue.remove(String(change['id']));
      return;
    case SEAL:
      cursors.secret = bytesOfText(change['secret']);
      return;
    case DISPATCHES:
      dispatches.set(String(change['model']), Number(change['count']));
      return;
    case CHARGED:
      ledger.putCharge(String(change['id']), Number(change['until']));
      return;
    case GENERATION:
      if (change['at'] === null) generations.delete(String(change['id']));
      else generations.set(String(change['id']), Number(change['at']));
  }
}

/** What `written` makes of the copy of an answer. */
function responseForm(): Form {
  return {
    members: {
      status: 'number',
      headers: { listOf: { listOf: 'string' } },
      licence: 'string',
      cut: 'boolean',
      kind: { oneOf: ['none', 'json', 'bytes', 'stream'] },
      text: 'string',
      bytes: 'string',
    },
    required: ['status', 'headers', 'kind'],
  };
}

function written(record: ReplayRecord<Answer>): unknown {
  if (record.state !== 'recorded') return record;
  const { body, ...head } = record.response;
  const text = bodyText(body);
  // A lone surrogate, as deviations record it, is not valid text.
  const kept = body.kind === 'bytes' ? { bytes: textOfBytes(body.bytes) } : { text };
  return { ...record, response: { ...head, kind: body.kind, ...kept } };
}

function readRecord(value: unknown): ReplayRecord<Answer> {
  const record = value as ReplayRecord<Answer>;
  if (record.state !== 'recorded') return record;
  const {
    kind,
    text = '',
    bytes,
    ...head
  } = record.response as unknown as Omit<Answer, 'body'> & {
    kind: Answer['body']['kind'];
    text?: string;
    bytes?: string;
  };
  const body: Answer['body'] =
    kind === 'json'
      ? { kind, value: JSON.parse(text) as unknown, text }
      : kind === 'bytes'
        ? { kind, bytes: bytesOfText(bytes) }
        : { kind: 'none' };
  return { ...record, response: { ...head, body } };
}
