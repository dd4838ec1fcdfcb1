import { durationMs } from '../../../contract/policies/duration.ts';
import type { Form } from '../../../contract/index.ts';
import type { Formed } from '../../../contract/form.ts';
import type { HeldKey } from '../../../engine/memory-keys.ts';
import { bodyText, type Answer } from '../../call/answer.ts';
import {
  bytesOfText,
  changeOf,
  keeping,
  textOfBytes,
  type ChangeOf,
  type Keeping,
  type RecordChange,
} from '../../state/durable-state.ts';
import { recordForm, rememberedAs, storedName, withCopy, type EndedKey } from '../../state/key-ledger.ts';
import { modelForm, type Model } from './catalogue.ts';
import type { Router, RouterState } from './context.ts';

/** The form of what `written` makes of the copy of an answer. */
const responseForm = {
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
} as const satisfies Form;

/** The forms of the changes that this API records, by part. */
export const routerChanges = {
  'router.key': changeOf({ id: 'string', record: { nullOr: recordForm(responseForm) } }),
  'router.model': changeOf({ model: modelForm }),
  'router.model-removed': changeOf({ id: 'string' }),
  'router.seal': changeOf({ secret: 'string' }),
  'router.dispatches': changeOf({ model: 'string', count: 'number' }),
  /** When it will be done; null after it was collected. */
  'router.generation': changeOf({ id: 'string', at: { nullOr: 'number' } }),
  'router.charged': changeOf({ id: 'string', until: 'number' }),
};

/**
 * The state that survives the process: keys, charges, edits of the catalogue, the seal of cursors, and the
 * numbers of calls per model.
 */
export function durableRouter(
  router: Pick<Router, 'clock' | 'facts' | 'state'>,
  fresh: () => RouterState,
  keep: RecordChange | undefined,
): Keeping {
  return keeping<RouterState, typeof routerChanges>(router, {
    ...{ fresh, keep },
    watch: ({ catalogue, cursors, ledger, dispatches, generations }, tell) => {
      catalogue.edits.watch((id, model) => {
        tell(changeOfModel(id, model));
      });
      cursors.watch((secret) => {
        tell({ part: 'router.seal', secret: textOfBytes(secret) });
      });
      dispatches.watch((model, count = 0) => {
        tell({ part: 'router.dispatches', model, count });
      });
      generations.watch((id, at) => {
        tell({ part: 'router.generation', id, at: at ?? null });
      });
      ledger.watch((held, isCharge) => {
        const id = storedName(held);
        const change = isCharge
          ? ({ part: 'router.charged', id, until: held.chargedUntil ?? 0 } as const)
          : changeOfKey(router, id, held);
        if (change !== undefined) tell(change);
      });
    },
    *snapshot({ catalogue, cursors, ledger, dispatches, generations }) {
      yield { part: 'router.seal', secret: textOfBytes(cursors.secret) };
      for (const [id, model] of catalogue.edits) yield changeOfModel(id, model);
      for (const [id, known] of ledger.entries()) if (known.state !== 'in-flight') yield keyChange(id, known);
      for (const [model, count] of dispatches) yield { part: 'router.dispatches', model, count };
      for (const [id, at] of generations) yield { part: 'router.generation', id, at };
      for (const [id, until] of ledger.charges()) yield { part: 'router.charged', id, until };
    },
    restoring: {
      'router.key': ({ ledger }, { id, record }) => {
        ledger.put(id, record === null ? undefined : withCopy(record, answerOf));
      },
      'router.model': ({ catalogue }, { model }) => {
        catalogue.put(model as Model);
      },
      'router.model-removed': ({ catalogue }, { id }) => {
        catalogue.remove(id);
      },
      'router.seal': ({ cursors }, { secret }) => {
        cursors.secret = bytesOfText(secret);
      },
      'router.dispatches': ({ dispatches }, { model, count }) => {
        dispatches.set(model, count);
      },
      'router.generation': ({ generations }, { id, at }) => {
        if (at === null) generations.delete(id);
        else generations.set(id, at);
      },
      'router.charged': ({ ledger }, { id, until }) => {
        ledger.putCharge(id, until);
      },
    },
  });
}

// --- internal ---

type RouterChange = ChangeOf<typeof routerChanges>;

function changeOfModel(id: string, model: Model | undefined): RouterChange {
  return model === undefined ? { part: 'router.model-removed', id } : { part: 'router.model', model };
}

/**
 * What is saved when a key changes. An answer that is being sent counts as received, because the caller may have it
 * if this process ends now. Nothing is saved for a running call, because nothing of it has reached its caller.
 */
function changeOfKey(
  { clock, facts }: Pick<Router, 'clock' | 'facts'>,
  id: string,
  held: HeldKey<Answer>,
): RouterChange | undefined {
  const { record, isLeaving, isReleased } = held;
  if (isReleased === true) return { part: 'router.key', id, record: null };
  const known = rememberedAs(held);
  if (known !== undefined) return keyChange(id, known);
  if (isLeaving !== true) return undefined;
  const expiresAt = clock.now() + durationMs(facts.idempotency.window);
  return keyChange(id, { state: 'collecting', bodyHash: record.bodyHash, expiresAt });
}

function keyChange(id: string, record: EndedKey<Answer>): RouterChange {
  return { part: 'router.key', id, record: withCopy(record, written) };
}

function written({ body, headers, ...head }: Answer): Formed<typeof responseForm> {
  // A lone surrogate, as deviations record it, is not valid text.
  const kept = body.kind === 'bytes' ? { bytes: textOfBytes(body.bytes) } : { text: bodyText(body) };
  return { ...head, headers, kind: body.kind, ...kept };
}

function answerOf({ kind, text = '', bytes, headers, ...head }: Formed<typeof responseForm>): Answer {
  const body: Answer['body'] =
    kind === 'json'
      ? { kind, value: JSON.parse(text) as unknown, text }
      : kind === 'bytes'
        ? { kind, bytes: bytesOfText(bytes) }
        : { kind: 'none' };
  return { ...head, headers: headers as Answer['headers'], body };
}
