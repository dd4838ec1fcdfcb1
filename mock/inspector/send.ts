import type { FollowedLine, RequestToSend, SentExchange } from '../control/calls-shape.ts';
import type { OperationShape } from '../control/reference-shape.ts';
import { controlAddress, notice, read, steer } from './control-client.ts';

/** The answer to a request, as far as it has arrived. */
export interface Sent {
  readonly number?: number;
  readonly status?: number;
  readonly headers: SentExchange['headers'];
  readonly body: string;
  /** Known when the answer has ended. */
  readonly delivery?: SentExchange['delivery'];
}

/** Sends the sample of an operation and shows the result. */
export async function sendSample(api: string, operation: string): Promise<SentExchange | undefined> {
  const { call } = await read<OperationShape>(`operations/${api}/${operation}`);
  if (call === undefined) return undefined;
  const sent = await steer<SentExchange>('POST', 'requests', call);
  if (sent !== undefined)
    notice.value = { kind: 'done', text: `${call.method} ${call.target} was answered with ${sent.status}` };
  return sent;
}

/**
 * Sends a request and reports its progress, with each piece of the answer.
 *
 * @throws {Error} with the mock's objection to the request
 */
export async function follow(
  request: RequestToSend,
  tell: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(controlAddress('requests', { follow: '' }), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok || response.body === null) {
    const { error } = (await response.json()) as { readonly error: string };
    throw new Error(error);
  }
  let sent: Sent = { headers: [], body: '' };
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) sent = withLine(sent, JSON.parse(line) as FollowedLine);
    if (lines.length > 0) tell(sent);
    if (done) return;
  }
}

// --- internal ---

function withLine(sent: Sent, line: FollowedLine): Sent {
  return 'text' in line ? { ...sent, body: sent.body + line.text } : { ...sent, ...line };
}
