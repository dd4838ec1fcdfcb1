import type { Form } from '../../contract/index.ts';
import type { Formed } from '../../contract/form.ts';
import type { HeldKey } from '../../engine/memory-keys.ts';
import type { StoredResponse } from '../../engine/store.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { KeyHolder } from '../control/api-control.ts';
import {
  keyId,
  type KeyLedger,
  partsOfKeyId,
  recordForm,
  rememberedAs,
  withCopy,
} from '../state/key-ledger.ts';
import { bytesOfText, textOfBytes } from '../state/durable-state.ts';
import { tableChanges } from './tables.ts';

/** The keys of a user's own contract. */
export type EnactedKeys = KeyLedger<StoredResponse>;

/**
 * The stored copy of an answer, as `written` makes it. A textual body is stored as text, so that people can
 * read it.
 */
const responseForm = {
  members: { status: 'number', headers: { listOf: { listOf: 'string' } }, text: 'string', bytes: 'string' },
  required: ['status', 'headers'],
} as const satisfies Form;

/** The form of a change of a key. */
const keyForm = {
  members: {
    part: 'string',
    api: 'string',
    scope: { listOf: 'string' },
    key: 'string',
    record: { nullOr: recordForm(responseForm) },
    // Absent in states of earlier versions.
    mode: { oneOf: ['replay', 'single-use'] },
  },
  required: ['api', 'scope', 'key', 'record'],
} as const satisfies Form;

/** The forms of the changes that such a contract records, by part. */
export const enactedChanges = { 'own.key': keyForm, ...tableChanges };
type KeyChange = { readonly part: 'own.key' } & Formed<typeof keyForm>;

/** The sheet's policy for keys, for each operation that accepts one. */
export type KeyModes = ReadonlyMap<string, 'replay' | 'single-use'>;

export function keyModes({ operations }: ServedApi): KeyModes {
  return new Map(
    operations.flatMap(({ id, idempotency }) => (idempotency === undefined ? [] : [[id, idempotency.mode]])),
  );
}

/** The change that produces the current state of a key. */
export function keyChange(api: string, held: HeldKey, modes: KeyModes): KeyChange {
  const known = rememberedAs(held);
  const record = known === undefined ? null : withCopy(known, written);
  const scope = scopeOf(held.scope);
  const mode = modes.get(operationOf(scope));
  return { part: 'own.key', api, scope, key: held.key, record, ...(mode === undefined ? {} : { mode }) };
}

/** Changes that produce these keys; none for a call without an answer. */
export function* keyChanges(api: string, { held: all }: EnactedKeys, modes: KeyModes): Generator<KeyChange> {
  for (const held of all.values()) {
    if (rememberedAs(held) !== undefined) yield keyChange(api, held, modes);
  }
}

/**
 * Applies a change of `keyChange`; changes of other contracts are ignored.
 *
 * @throws {RangeError} for a key for which an earlier sheet stated another policy
 */
export function restoreKey(
  name: string,
  keys: EnactedKeys,
  { api, scope, key, record, mode }: Omit<KeyChange, 'part'>,
  modes: KeyModes,
): void {
  if (api !== name) return;
  const operation = operationOf(scope);
  const present = modes.get(operation);
  if (record !== null && mode !== undefined && present !== undefined && mode !== present)
    throw new RangeError(
      `the key ${JSON.stringify(key)} of ${operation} was stored for the mode ${mode}, and the sheet now says ${present}`,
    );
  keys.put(keyId(JSON.stringify(scope), key), record === null ? undefined : withCopy(record, responseOf));
}

/** Forgets the keys of operations whose policy has changed. */
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
    ledger: keys,
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
  };
}

// --- internal ---

/** Contract, operation and caller, as the engine writes a scope. */
function scopeOf(scope: string): readonly string[] {
  return JSON.parse(scope) as string[];
}

function operationOf([, operation = '']: readonly string[]): string {
  return operation;
}

function written({ status, headers, body }: StoredResponse): Formed<typeof responseForm> {
  try {
    return { status, headers, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { status, headers, bytes: textOfBytes(body) };
  }
}

function responseOf({ status, headers, text = '', bytes }: Formed<typeof responseForm>): StoredResponse {
  const body = bytes === undefined ? new TextEncoder().encode(text) : bytesOfText(bytes);
  return { status, headers: headers as StoredResponse['headers'], body };
}
