import type { Form } from '../../contract/index.ts';
import type { Formed } from '../../contract/form.ts';
import type { HeldKey } from '../../engine/memory-store.ts';
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

/** The keys of a contract of a user's own. */
export type EnactedKeys = KeyLedger<StoredResponse>;

/** What `written` makes of the copy of an answer. A body is kept as text where it is text, so that people can read it. */
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
    // States of earlier versions have none.
    mode: { oneOf: ['replay', 'single-use'] },
  },
  required: ['api', 'scope', 'key', 'record'],
} as const satisfies Form;

/** The forms of the changes that such a contract takes down, by their part. */
export const enactedChanges = { 'own.key': keyForm, ...tableChanges };
type KeyChange = { readonly part: 'own.key' } & Formed<typeof keyForm>;

/** What the sheet says of the keys of each operation that takes one. */
export type KeyModes = ReadonlyMap<string, 'replay' | 'single-use'>;

export function keyModes({ operations }: ServedApi): KeyModes {
  return new Map(
    operations.flatMap(({ id, idempotency }) => (idempotency === undefined ? [] : [[id, idempotency.mode]])),
  );
}

/** The change that makes a key what it is now. */
export function keyChange(api: string, held: HeldKey, modes: KeyModes): KeyChange {
  const known = rememberedAs(held);
  const record = known === undefined ? null : withCopy(known, written);
  const scope = scopeOf(held.scope);
  const mode = modes.get(operationOf(scope));
  return { part: 'own.key', api, scope, key: held.key, record, ...(mode === undefined ? {} : { mode }) };
}

/** Changes that make these keys; none for a call that has come to no answer. */
export function* keyChanges(api: string, { held: all }: EnactedKeys, modes: KeyModes): Generator<KeyChange> {
  for (const held of all.values()) {
    if (rememberedAs(held) !== undefined) yield keyChange(api, held, modes);
  }
}

/**
 * Makes a change of `keyChange`; those of other contracts are left alone.
 *
 * @throws {RangeError} for a key that the sheet of then promised other things for than the present one
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
      `the key ${JSON.stringify(key)} of ${operation} was kept for the mode ${mode}, and the sheet now says ${present}`,
    );
  keys.put(keyId(JSON.stringify(scope), key), record === null ? undefined : withCopy(record, responseOf));
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
