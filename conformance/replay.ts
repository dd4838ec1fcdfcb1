import { placeholderPattern, placeholders, storeExchange } from './evidence.ts';
import { makeExchange } from './exchange.ts';
import type { Mask, Placeholder } from './evidence.ts';
import type { Report, StoredExchange } from './report.ts';
import type { Credential } from './target.ts';
import { systemClock } from './transport.ts';
import type { Clock, Transport } from './transport.ts';

/** Placeholder to the secret that it stands for. */
export type Secrets = Readonly<Partial<Record<Placeholder, string>>>;

export interface ReplayOptions {
  readonly transport: Transport;
  readonly secrets?: Secrets;
  /** Where the transport leads, if not to the server of the report: the value of the Host header. */
  readonly host?: string;
  /** Puts a key that was never used in the place of the stored one, so that the call runs and is not replayed. */
  readonly freshKey?: string;
  readonly clock?: Clock;
}

export interface Replay {
  readonly before: StoredExchange;
  readonly now: StoredExchange;
  /** Whether status and body are what they were. */
  readonly same: boolean;
}

/** An exchange cannot be sent again: it is unknown, or something of it was not kept. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/**
 * Sends one exchange of a report again.
 *
 * @throws {ReplayError} when it is not in the report, its body was cut, or a secret for it is missing
 */
export async function replayExchange(report: Report, id: string, options: ReplayOptions): Promise<Replay> {
  const before = report.exchanges.find((exchange) => exchange.id === id);
  if (before === undefined) throw new ReplayError(`The report has no exchange ${id}`);
  const { method, target, headers, body, as } = before.request;
  if (body?.cut === true)
    throw new ReplayError(
      `The report does not contain the whole body of ${id}: run conform again with a larger --keep`,
    );
  const secrets = options.secrets ?? {};
  const reveal = (text: string): string =>
    text.replaceAll(placeholderPattern, (name) => {
      const secret = secrets[name as Placeholder];
      if (secret === undefined) throw new ReplayError(`${id} needs ${name}: set it in the environment`);
      return secret;
    });
  const bytes =
    body === undefined
      ? undefined
      : body.encoding === 'base64'
        ? Buffer.from(body.text, 'base64')
        : new TextEncoder().encode(reveal(body.text));
  const sent = headers.map(([name, value]): readonly [string, string] => {
    if (name.toLowerCase() === 'content-length') return [name, String(bytes?.length ?? 0)];
    if (name.toLowerCase() === 'host') return [name, options.host ?? value];
    const isKey = name.toLowerCase() === 'idempotency-key' && options.freshKey !== undefined;
    return [name, isKey ? (options.freshKey ?? value) : reveal(value)];
  });
  const clock = options.clock ?? systemClock;
  const startedAt = clock.now();
  const request = { method, target: reveal(target), headers: sent, body: bytes, as };
  const answer = await receive(options.transport, request);
  const now = storeExchange(
    makeExchange({
      id,
      api: before.api,
      scenario: before.scenario,
      request,
      ...answer,
      startedAt,
      endedAt: clock.now(),
    }),
    startedAt,
    { masks: masksOf(secrets) },
  );
  const same =
    now.answer?.status === before.answer?.status && now.answer?.body?.text === before.answer?.body?.text;
  return { before, now, same };
}

/** The placeholders of a report and where their secrets come from, for callers that have a credential at hand. */
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

function masksOf(secrets: Secrets): readonly Mask[] {
  return placeholders.flatMap((placeholder) => {
    const secret = secrets[placeholder];
    return secret === undefined ? [] : [{ placeholder, secret }];
  });
}

type Received = Pick<Parameters<typeof makeExchange>[0], 'answer' | 'failure'>;

async function receive(
  transport: Transport,
  request: Parameters<typeof makeExchange>[0]['request'],
): Promise<Received> {
  try {
    const { body, ...head } = request;
    const response = await transport({ ...head, ...(body === undefined ? {} : { body }) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const { status, headers, informational = [] } = response;
    return { answer: { status, headers, body: Buffer.concat(chunks), informational }, failure: undefined };
  } catch (error) {
    return { answer: undefined, failure: error instanceof Error ? error.message : String(error) };
  }
}
