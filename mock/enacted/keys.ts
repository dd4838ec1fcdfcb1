import type { Form } from '../../contract/index.ts';
import type { HeldKey } from '../../engine/memory-store.ts';
import type { StoredResponse } from '../../engine/store.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { KeyHolder } from '../control/api-control.ts';
import {
  type EndedKey,
  keyId,
  type KeyLedger,
  partsOfKeyId,
  recordForm,
  rememberedAs,
} from '../state/key-ledger.ts';
import { bytesOfText, textOfBytes, type StateChange } from '../state/durable-state.ts';

/** The keys of a contract of a user's own. */
export type EnactedKeys = KeyLedger<StoredResponse>;

/** The forms of the changes that such a contract takes down, by their part. */
export const enactedChanges: Readonly<Record<string, Form>> = {
  ['own.key']: {
    members: {
      part: 'string',
      api: 'string',
      scope: { listOf: 'string' },
      key: 'string',
      record: { nullOr: recordForm(responseForm()) },
      // States of earlier versions have none.
      mode: { oneOf: ['replay', 'single-use'] },
    },
    required: ['api', 'scope', 'key', 'record'],
  },
};

/** What the sheet says of the keys of each operation that takes one. */
export type KeyModes = ReadonlyMap<string, 'replay' | 'single-use'>;

export function keyModes({ operations }: ServedApi): KeyModes {
  return new Map(
    operations.flatMap(({ id, idempotency }) => (idempotency === undefined ? [] : [[id, idempotency.mode]])),
  );
}

/** The change that makes a key what it is now. */
export function keyChange(api: string, held: HeldKey, modes: KeyModes): StateChange {
  const record = rememberedAs(held);
  const kept = record === undefined ? null : written(record);
  const scope = scopeOf(held.scope);
  const mode = modes.get(operationOf(scope));
  return { part: PART, api, scope, key: held.key, record: kept, ...(mode === undefined ? {} : { mode }) };
}

/** Changes that make these keys; none for a call that has come to no answer. */
export function* keyChanges(
  api: string,
  { held: all }: EnactedKeys,
  modes: KeyModes,
): Generator<StateChange> {
  for (const held of all.values()) {
    if (rememberedAs(held) !== undefined) yield keyChange(api, held, modes);
  }
}

/**
 * Makes a change of `keyChange`; those of other contracts and of other parts are left alone.
 *
 * @throws {RangeError} for a key that the sheet of then promised other things for than the present one
 */
export function restoreKey(api: string, keys: EnactedKeys, change: StateChange, modes: KeyModes): void {
  if (change.part !== PART || change['api'] !== api) return;
  const { scope, key, record, mode } = change;
  const operation = operationOf(scope as readonly string[]);
  const present = modes.get(operation);
  if (record !== null && mode !== undefined && present !== undefined && mode !== present)
    throw new RangeError(
      `the key ${JSON.stringify(key)} of ${operation} was kept for the mode ${String(mode)}, and the sheet now says ${present}`,
    );
  keys.restore(keyId(JSON.stringify(scope), String(key)), record === null ? undefined : readRecord(record));
}

/** Forgets the keys of operations whose sheet now says something else about keys. */
export function forgetOtherModes(keys: EnactedKeys, before: KeyModes, now: KeyModes): void {
  for (const [stored, { state }] of [...keys.entries()]) {
    const [scope] = partsOfKeyId(stored);
    const operation = operationOf(scopeOf(scope));
    if (state !== 'in-flight' && before.get(operation) !== now.get(operation)) keys.put(stored, undefined);
  }
}

/** The keys for the control API; `undefined` for a contract without keys. */
export function keyHolder({ operations }: ServedApi, keys: () => EnactedKeys): KeyHolder | undefined {
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
      for (const [stored, record] of keys().entries()) {
        const [scope, key] = partsOfKeyId(stored);
        const [, operation = '', caller = ''] = scopeOf(scope);
        const { state, bodyHash } = record;
        yield [
          stored,
          {
            ...{ state, bodyHash, caller, key },
            semantics: policies.get(operation)?.mode ?? first.mode,
            ...('expiresAt' in record ? { expiresAt: record.expiresAt } : {}),
          },
        ] as const;
      }
    },
    forget: (stored) => {
      keys().put(stored, undefined);
    },
    expire: (stored) => {
      keys().expire(stored);
    },
  };
}

// --- internal ---

const PART = 'own.key';

/** Contract, operation and caller, as the engine writes a scope. */
function scopeOf(scope: string): readonly string[] {
  return JSON.parse(scope) as string[];
}

function operationOf([, operation = '']: readonly string[]): string {
  return operation;
}

/** What `written` makes of the copy of an answer. */
function responseForm(): Form {
  return {
    members: { status: 'number', headers: { listOf: { listOf: 'string' } }, text: 'string', bytes: 'string' },
    required: ['status', 'headers'],
  };
}

/** A body is kept as text where it is text, so that people can read a snapshot. */
function written(record: EndedKey<StoredResponse>): unknown {
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

function readRecord(value: unknown): EndedKey<StoredResponse> {
  const record = value as EndedKey<StoredResponse>;
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
