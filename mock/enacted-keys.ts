import type { Form } from '../contract/index.ts';
import { type EndedKey, type HeldKey, keyName, rememberedAs } from '../engine/memory-store.ts';
import type { ServedApi } from '../engine/served-api.ts';
import type { KeyHolder } from './api-control.ts';
import { bytesOfText, changeOf, textOfBytes, type Change } from './lasting.ts';

/** The keys of a contract of a user's own, as the memory store of the engine keeps them. */
export type HeldKeys = Map<string, HeldKey>;

/** Keys, and what is to be called after one of them was changed. */
export interface KeyTable {
  readonly keys: HeldKeys;
  readonly changed: (name: string) => void;
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

/**
 * The change that makes a key what it is now; `undefined` for a name that is not that of a caller's key.
 *
 * @param name of `keyName`
 */
export function keyChange(api: string, name: string, held: HeldKey | undefined): Change | undefined {
  const parts = partsOf(name);
  if (parts === undefined) return undefined;
  const record = held === undefined ? undefined : rememberedAs(held);
  return { part: PART, api, ...parts, record: record === undefined ? null : written(record) };
}

/** Changes that make these keys; none for a call that has come to no answer. */
export function* keyChanges(api: string, keys: HeldKeys): Generator<Change> {
  for (const [name, held] of keys) {
    const change = rememberedAs(held) === undefined ? undefined : keyChange(api, name, held);
    if (change !== undefined) yield change;
  }
}

/** Makes a change of `keyChange`; those of other contracts and of other parts are left alone. */
export function restoreKey(api: string, keys: HeldKeys, change: Change): void {
  if (change.part !== PART || change['api'] !== api) return;
  const name = keyName(JSON.stringify(change['scope']), String(change['key']));
  if (change['record'] === null) keys.delete(name);
  else keys.set(name, heldAs(change['record'], name));
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
        const parts = partsOf(name);
        if (parts === undefined || held.isReleased) continue;
        const [, operation = '', caller = ''] = parts.scope;
        const { state, bodyHash } = held.record;
        yield [
          name,
          {
            ...{ state, bodyHash, caller, key: parts.key },
            semantics: policies.get(operation)?.mode ?? first.mode,
            ...('expiresAt' in held.record ? { expiresAt: held.record.expiresAt } : {}),
          },
        ] as const;
      }
    },
    forget: (name) => {
      const { keys, changed } = table();
      keys.delete(name);
      changed(name);
    },
    expire: (name, now) => {
      const { keys, changed } = table();
      const held = keys.get(name);
      if (held === undefined || held.record.state === 'in-flight') return;
      held.record = { ...held.record, expiresAt: now };
      changed(name);
    },
  };
}

// --- internal ---

const PART = 'own.key';

/** Contract, operation and caller, as the engine writes a scope; what else a store keeps is no key of a caller. */
function partsOf(name: string): { readonly scope: readonly string[]; readonly key: string } | undefined {
  const [, digits = '', rest = ''] = /^(\d+):(.*)$/s.exec(name) ?? [];
  const text = rest.slice(0, Number(digits));
  try {
    return { scope: JSON.parse(text) as string[], key: rest.slice(text.length) };
  } catch {
    return undefined;
  }
}

/** A released claim has this fence, so that no call owns a key that was restored. */
function heldAs(value: unknown, name: string): HeldKey {
  return { fence: `restored ${name}`, record: readRecord(value), leaseUntil: 0, isReleased: false };
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
