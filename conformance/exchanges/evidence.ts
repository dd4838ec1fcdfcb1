import { isObject, parseJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { masker, maskedHeaders } from '../../contract/secrecy/index.ts';
import type { Mask, Masker, SecrecyFacts } from '../../contract/secrecy/index.ts';
import type { StoredBody, StoredExchange } from '../verdicts/report.ts';
import { Hindered } from '../scenarios/scenario.ts';
import { isUsable } from '../target/usable.ts';

export interface EvidenceOptions {
  readonly masks: readonly Mask[];
  readonly secrecy: SecrecyFacts;
  /** Characters of a body that are kept; default 4096. */
  readonly keepBytes?: number | undefined;
  /** Characters of the request's body that are kept, if it has to be sent again; default `keepBytes`. */
  readonly keepSentBytes?: number;
}

/** The default for the characters of a body in a report. */
export const DEFAULT_KEEP = 4096;

/**
 * The stored form of an exchange: secrets masked, bodies truncated, times relative to the start of the run.
 */
export function storeExchange(
  exchange: Exchange,
  runStartedAt: number,
  options: EvidenceOptions,
): StoredExchange {
  const hide = masker(options.masks, options.secrecy);
  const given = new Map(
    options.masks.flatMap(({ header, secret, placeholder }) =>
      header === undefined ? [] : [[`${header.toLowerCase()}: ${secret}`, placeholder] as const],
    ),
  );
  const headers = (list: Headers, isOwn = false): Headers =>
    list.map(([name, value]) => {
      const placeholder = given.get(`${name.toLowerCase()}: ${value}`);
      if (placeholder !== undefined) return [hide(name), placeholder];
      // What the suite made up to be refused is no secret.
      return isOwn ? [hide(name), hide(value)] : (maskedHeaders([[name, value]], hide)[0] ?? [name, '']);
    });
  const keep = options.keepBytes ?? DEFAULT_KEEP;
  const { request, answer, unreadable } = exchange;
  return {
    id: exchange.id,
    api: exchange.api,
    scenario: exchange.scenario,
    ...(exchange.course === undefined ? {} : { course: exchange.course }),
    ...((exchange.during ?? []).length === 0 ? {} : { during: exchange.during ?? [] }),
    startedAtMs: exchange.startedAt - runStartedAt,
    durationMs: exchange.endedAt - exchange.startedAt,
    request: {
      method: request.method,
      target: hide(request.target),
      as: request.as,
      headers: headers(request.headers, !isUsable(request.as)),
      body: storeBody(request.body, hide, { keep: options.keepSentBytes ?? keep }),
      ...(request.keyParameter === undefined ? {} : { keyParameter: request.keyParameter }),
    },
    answer:
      answer === undefined
        ? undefined
        : {
            status: answer.status,
            headers: headers(answer.headers),
            body: storeBody(answer.body, hide, {
              keep,
              isBeginning: answer.truncated !== undefined,
              echoes: answer.status === 422,
            }),
            ...(unreadable === undefined ? {} : { unreadable }),
            ...(answer.compressed === undefined ? {} : { compressed: hide(answer.compressed) }),
          },
    failure: exchange.failure === undefined ? undefined : hide(exchange.failure),
  };
}

/** The exchange with bodies of at most this many characters. */
export function shortened(exchange: StoredExchange, most: number, mostSent = most): StoredExchange {
  const { request, answer } = exchange;
  return {
    ...exchange,
    request: { ...request, body: cutBody(request.body, mostSent) },
    answer: answer === undefined ? undefined : { ...answer, body: cutBody(answer.body, most) },
  };
}

// --- internal ---

type Headers = readonly (readonly [string, string])[];

interface Keeping {
  readonly keep: number;
  /** Whether these bytes are only the beginning of the body. */
  readonly isBeginning?: boolean;
  /** Whether parts of it may be the caller's own input. */
  readonly echoes?: boolean;
}

/**
 * Only the kept part is examined, plus the length of a secret after it, because a server may send any length.
 */
function storeBody(
  bytes: Uint8Array | undefined,
  hide: Masker,
  { keep, isBeginning = false, echoes = false }: Keeping,
): StoredBody | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const told = echoes ? withoutEchoes(bytes, isBeginning) : bytes;
  if (told === undefined) return { bytes: bytes.length, text: '', encoding: 'text', cut: true };
  const window = told.subarray(0, LONGEST_IN_UTF8 * (keep + hide.margin));
  const isPart = isBeginning || window.length < told.length;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(window, { stream: isPart });
    const end = keep - (isSurrogatePairAt(text, keep) ? 1 : 0);
    const cut = isBeginning || text.length > end || window.length < told.length;
    return {
      bytes: bytes.length,
      text: hide(text, Math.min(end, text.length), isPart),
      encoding: 'text',
      cut,
    };
  } catch {
    const head = Buffer.from(told.subarray(0, keep + hide.margin)).toString('latin1');
    const masked = hide(head, Math.min(keep, head.length), isBeginning || head.length < told.length);
    // These bytes have no ellipsis.
    const text = Buffer.from(masked.replaceAll('…', '...'), 'latin1').toString('base64');
    return { bytes: bytes.length, text, encoding: 'base64', cut: isBeginning || told.length > keep };
  }
}

/** The maximum number of bytes for a UTF-16 unit. */
const LONGEST_IN_UTF8 = 3;

function isSurrogatePairAt(text: string, index: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(index - 1)) && /[\udc00-\udfff]/.test(text.charAt(index));
}

/**
 * A model's refusal may echo parts of the input, which belongs to the caller. A body that cannot be parsed
 * may contain them anywhere, so it is left out.
 */
function withoutEchoes(bytes: Uint8Array, isBeginning: boolean): Uint8Array | undefined {
  if (isBeginning) return undefined;
  let value: unknown;
  try {
    value = parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof Hindered) return undefined;
    throw error;
  }
  if (!isObject(value) || !Array.isArray(value['detail'])) return bytes;
  const detail = value['detail'].map((entry: unknown) =>
    isObject(entry) && 'input' in entry ? { ...entry, input: '…' } : entry,
  );
  return new TextEncoder().encode(JSON.stringify({ ...value, detail }));
}

function cutBody(body: StoredBody | undefined, most: number): StoredBody | undefined {
  // Base64 has four characters for three bytes.
  const [room, end] =
    body?.encoding === 'base64' ? [4 * Math.ceil(most / 3), 4 * Math.floor(most / 3)] : [most, most];
  if (body === undefined || body.text.length <= room) return body;
  return { ...body, text: body.text.slice(0, end), cut: true };
}
