import { storeExchange } from '../exchanges/evidence.ts';
import { headerOf, makeExchange } from '../exchanges/exchange.ts';
import { masksOfHeaders } from '../target/given-headers.ts';
import type { GivenHeader } from '../target/given-headers.ts';
import { keyInTarget } from '../target/key-in-target.ts';
import {
  HEADER_PLACEHOLDERS,
  placeholderPattern,
  placeholders,
  secrecyOfMasked,
} from '../../contract/secrecy/index.ts';
import type { Mask, Placeholder, SecrecyFacts } from '../../contract/secrecy/index.ts';
import { READ_TIMEOUT_MS, complete } from '../http/receive.ts';
import type { Report, StoredExchange } from '../verdicts/report.ts';
import { placeholdersOf } from '../target/target.ts';
import type { Credential } from '../target/target.ts';
import { systemClock } from '../http/transport.ts';
import type { Clock, Transport } from '../http/transport.ts';

/** The secret for each placeholder. */
export type Secrets = Readonly<Partial<Record<Placeholder, string>>>;

/** How an exchange is sent again. */
export interface ReplayOptions {
  readonly transport: Transport;
  readonly secrets?: Secrets;
  /** If the transport leads to another server than that of the report: the value of the Host header. */
  readonly host?: string;
  /** Headers that are added, or replace those with the same name. */
  readonly headers?: readonly GivenHeader[] | undefined;
  /** Replaces the stored key by a new one, so that the call runs and is not replayed. */
  readonly freshKey?: string;
  readonly clock?: Clock;
  /**
   * The time limit for the whole answer in milliseconds; default 30 s for reads and 150 s for calls that may
   * run.
   */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A recorded exchange with its new answer. */
export interface Replay {
  readonly before: StoredExchange;
  readonly now: StoredExchange;
  /** Whether status and body are unchanged. */
  readonly same: boolean;
}

/** An exchange cannot be sent again: it is unknown, or a part of it was not stored. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/**
 * Sends one exchange of a report again, with the secret of its own caller and no other.
 *
 * @throws {ReplayError} when it is not in the report, its body was truncated, a secret for it is missing, or
 * it contains an unexpected placeholder for one: a report is untrusted
 */
export async function replayExchange(report: Report, id: string, options: ReplayOptions): Promise<Replay> {
  const before = exchangeIn(report, id);
  const { method, headers, body, as, keyParameter } = before.request;
  if (body?.cut === true)
    throw new ReplayError(
      `The report does not contain the whole body of ${id}: run conform again with a larger --keep`,
    );
  const carried = keyInTarget(before.request);
  const [inAddress] = (carried?.before ?? before.request.target).match(placeholderPattern) ?? [];
  if (inAddress !== undefined)
    throw new ReplayError(`The address of ${id} contains ${inAddress}: a secret is never sent in an address`);
  const secrets = options.secrets ?? {};
  const reveal = (text: string, allowed: readonly Placeholder[]): string =>
    text.replaceAll(placeholderPattern, (name) => {
      if (!allowed.includes(name as Placeholder))
        throw new ReplayError(`${id} was sent as ${as}, and ${name} is not a secret of that caller.`);
      const secret = secrets[name as Placeholder];
      if (secret === undefined)
        throw new ReplayError(
          `${id} needs the value of ${name}, which the report hides: export ${name.slice(1)}=… before the command`,
        );
      return secret;
    });
  const own = placeholdersOf(as);
  const target =
    carried === undefined
      ? before.request.target
      : `${carried.before}${encodeURIComponent(reveal(carried.key, own))}`;
  const bytes =
    body === undefined
      ? undefined
      : body.encoding === 'base64'
        ? Buffer.from(body.text, 'base64')
        : new TextEncoder().encode(reveal(body.text, own.length === 0 ? [] : SECRETS_OF_BODIES));
  const typed = options.headers ?? [];
  const isTyped = (name: string): boolean => headerOf(typed, name) !== undefined;
  const kept = headers.filter(([name]) => !isTyped(name));
  if ([before.request.target, ...kept.map(([, value]) => value)].some((text) => text.includes('…')))
    throw new ReplayError(
      `The report hides a secret in the address or in a header of ${id}: it cannot be sent again`,
    );
  const unknown = kept.find(([, value]) => isUnknownHeader(value, secrets));
  if (unknown !== undefined)
    throw new ReplayError(
      `${id} was sent with the header ${unknown[0]}, whose value is not in the report: add --header '${unknown[0]}: …'`,
    );
  const sent = kept.map(([name, value]): readonly [string, string] => {
    if (name.toLowerCase() === 'content-length') return [name, String(bytes?.length ?? 0)];
    if (name.toLowerCase() === 'host') return [name, options.host ?? value];
    const isKey = name.toLowerCase() === 'idempotency-key' && options.freshKey !== undefined;
    return [name, isKey ? (options.freshKey ?? value) : reveal(value, [...own, ...HEADER_PLACEHOLDERS])];
  });
  const clock = options.clock ?? systemClock;
  const startedAt = clock.now();
  const request = { method, target, headers: [...sent, ...typed], body: bytes, as, keyParameter };
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const answer = await complete(options.transport, request, {
    clock,
    timeoutMs: options.timeoutMs ?? (isRead ? READ_TIMEOUT_MS : RUN_TIMEOUT_MS),
    signals: [options.signal],
    take: () => undefined,
  });
  const { api, scenario } = before;
  const now = storeExchange(
    makeExchange({ id, api, scenario, request, ...answer, startedAt, endedAt: clock.now() }),
    startedAt,
    { masks: [...masksOf(secrets), ...masksOfHeaders(typed)], secrecy: secrecyIn(report) },
  );
  const same =
    now.answer?.status === before.answer?.status && now.answer?.body?.text === before.answer?.body?.text;
  return { before, now, same };
}

/**
 * An exchange of a report.
 *
 * @throws {ReplayError} if the report has no exchange with this id
 */
export function exchangeIn(report: Report, id: string): StoredExchange {
  const exchange = report.exchanges.find((one) => one.id === id);
  if (exchange === undefined) throw new ReplayError(`The report has no exchange ${id}.`);
  return exchange;
}

/**
 * The placeholders of a report and the sources of their secrets, for callers with an available credential.
 */
export function secretsFor(
  credential: Credential | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Secrets {
  const own = credential?.value.replace(/^bearer +/i, '');
  const found = placeholders.flatMap((name) => {
    const secret = (name === '$API_KEY' ? own : undefined) ?? environment[name.slice(1)];
    return secret === undefined ? [] : [[name, secret] as const];
  });
  return Object.fromEntries(found);
}

// --- internal ---

/** A report does not contain its document, but shows which places the document made secret. */
function secrecyIn({ exchanges }: Report): SecrecyFacts {
  return secrecyOfMasked(
    exchanges.flatMap(({ request, answer }) =>
      [request, answer].flatMap((message) =>
        message === undefined ? [] : [{ ...message, body: message.body?.text ?? '' }],
      ),
    ),
  );
}

/** The time limit of a run on a server whose deadline is unknown. */
const RUN_TIMEOUT_MS = 150_000;

/** Secrets that belong to no caller: the token of a publication, and those in the fixtures of jobs. */
const SECRETS_OF_BODIES: readonly Placeholder[] = ['$PAT', '$OTHER_KEY'];

/** A header of the run whose value was not given again. */
function isUnknownHeader(value: string, secrets: Secrets): boolean {
  const placeholder = HEADER_PLACEHOLDERS.find((name) => name === value);
  return placeholder !== undefined && secrets[placeholder] === undefined;
}

function masksOf(secrets: Secrets): readonly Mask[] {
  return placeholders.flatMap((placeholder) => {
    const secret = secrets[placeholder];
    return secret === undefined ? [] : [{ placeholder, secret }];
  });
}
