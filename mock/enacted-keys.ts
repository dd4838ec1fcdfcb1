import type { Form } from '../contract/index.ts';
import type { ReplayRecord } from '../contract/policies/idempotency-replay.ts';
import { heldAs, type HeldKey } from '../engine/memory-store.ts';
import type { StoredResponse } from '../engine/store.ts';
import type { ServedApi } from '../engine/served-api.ts';
import type { KeyHolder } from './api-control.ts';
import { bytesOfText, changeOf, textOfBytes, type Change } from './lasting.ts';

/** The keys of a contract of a user's own, as the memory store of the engine keeps them. */
export type HeldKeys = Map<string, HeldKey>;

/** Keys, and what is to be called after one of them was changed. */
export interface KeyTable {
  readonly keys: HeldKeys;
  readonly changed: (held: HeldKey) => void;
}

/** The forms of the changes that such a contract takes down, by their part. */
export const enactedChanges: Readonly<Record<string, Form>> = {
  ['own.key']: changeOf({
    api: 'string',
    scope: { listOf: 'string' },
    key: 'string',
    record: { nullOr: recordForm() },
  }),
};

/** The change that makes a key what it is now; `undefined` for what else a store holds than keys of callers. */
export function keyChange(api: string, held: HeldKey): Change | undefined {
  const scope = scopeOf(held);
  if (scope === undefined) return undefined;
  const record = rememberedAs(held);
  return { part: PART, api, scope, key: held.key, record: record === undefined ? null : written(record) };
}

/** Changes that make these keys; none for a call that has come to no answer. */
export function* keyChanges(api: string, keys: HeldKeys): Generator<Change> {
  for (const held of keys.values()) {
    const change = rememberedAs(held) === undefined ? undefined : keyChange(api, held);
    if (change !== undefined) yield change;
  }
}

/** Makes a change of `keyChange`; those of other contracts and of other parts are left alone. */
export function restoreKey(api: string, keys: HeldKeys, change: Change): void {
  if (change.part !== PART || change['api'] !== api) return;
  const scope = JSON.stringify(change['scope']);
  const key = String(change['key']);
  if (change['record'] === null) keys.delete(heldAs(scope, key));
  // No call has this fence, so none owns a key that was restored.
  else
    keys.set(heldAs(scope, key), {
      scope,
      key,
      fence: '',
      record: readRecord(change['record']),
      leaseUntil: 0,
    });
}

/** The keys for the control API; `undefined` for a contract without keys. */
export function keyHolder({ operations }: ServedApi, table: () => KeyTable): KeyHolder | undefined {
  const policies = new Map(
    operations.flatMap(({ id, idempotency }) => (idempotency === undefined ? [] : [[id, idempotency]])),
  );
  const [first] = policies.values();
  if (first === undefined) return undefined;
  return {
    header: first.requestHeader,
    semantics: first.mode,
    running: 'in-flight',
    *entries() {
      for (const [name, held] of table().keys) {
        const scope = scopeOf(held);
        if (scope === undefined || held.isReleased === true) continue;
        const [, operation = '', caller = ''] = scope;
        const { state, bodyHash } = held.record;
        yield [
          name,
          {
            ...{ state, bodyHash, caller, key: held.key },
            semantics: policies.get(operation)?.mode ?? first.mode,
            ...('expiresAt' in held.record ? { expiresAt: held.record.expiresAt } : {}),
          },
        ] as const;
      }
    },
    forget: (name) => {
      const { keys, changed } = table();
      const held = keys.get(name);
      if (held === undefined) return;
      keys.delete(name);
      changed({ ...held, isReleased: true });
    },
    expire: (name, now) => {
      const { keys, changed } = table();
      const held = keys.get(name);
      if (held === undefined || held.record.state === 'in-flight') return;
      const expired = { ...held, record: { ...held.record, expiresAt: now } };
      keys.set(name, expired);
      changed(expired);
    },
  };
}

// --- internal ---

const PART = 'own.key';

type EndedKey = Exclude<ReplayRecord<StoredResponse>, { state: 'in-flight' }>;

/** What is left of a key when its process dies; nothing while its call has come to no answer. */
function rememberedAs({ record, prepared, isReleased }: HeldKey): EndedKey | undefined {
  if (isReleased === true) return undefined;
  return record.state === 'in-flight' ? prepared : record;
}

/** Contract, operation and caller, as the engine writes a scope; what else a store holds is no key of a caller. */
function scopeOf({ scope }: HeldKey): readonly string[] | undefined {
  try {
    return JSON.parse(scope) as string[];
  } catch {
    return undefined;
  }
}

function recordForm(): Form {
  const ended = { state: 'string', bodyHash: 'string', expiresAt: 'number' } as const;
  const required = Object.keys(ended);
  const response: Form = {
    members: { status: 'number', headers: { listOf: { listOf: 'string' } }, text: 'string', bytes: 'string' },
    required: ['status', 'headers'],
  };
  return {
    by: 'state',
    cases: {
      recorded: { members: { ...ended, response }, required: [...required, 'response'] },
      consumed: { members: ended, required },
      collecting: { members: ended, required },
    },
  };
}

/** A body is kept as text where it is text, so that people can read a snapshot. */
function written(record: EndedKey): unknown {
  if (record.state !== 'recorded') return record;
  const { body, ...head } = record.response;
  return { ...record, response: { ...head, ...bodyAsJson(body) } };
}

function bodyAsJson(body: Uint8Array): { readonly text: string } | { readonly bytes: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { bytes: textOfBytes(body) };
  }
}

function readRecord(value: unknown): EndedKey {
  const record = value as EndedKey;
  if (record.state !== 'recorded') return record;
  const { status, headers, text, bytes } = record.response as unknown as {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly text?: string;
    readonly bytes?: string;
  };
  const body = bytes === undefined ? new TextEncoder().encode(text ?? '') : bytesOfText(bytes);
  return { ...record, response: { status, headers, body } };
}
