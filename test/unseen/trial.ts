import type { Transport } from '../../conformance/index.ts';
import type { Thing } from './wire.ts';

export interface Seen {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  // Answers of servers under trial: they may have any form.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** Sends a call; `as` gives other headers, such as those of another caller. */
export type Send = (
  call: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Seen>;

/** Whether a server keeps one statement of its contract. */
export type Trial = (send: Send) => Promise<boolean>;

/** Calls a server with a credential, such as `POST /devices`. */
export const caller =
  (transport: Transport, credential: Readonly<Record<string, string>>): Send =>
  async (call, body, headers = {}) => {
    const [method = '', target = ''] = call.split(' ');
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const all = { ...(body === undefined ? {} : { 'Content-Type': type }), ...credential, ...headers };
    const answer = await transport({
      method,
      target,
      headers: Object.entries(all),
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const bytes: Uint8Array[] = [];
    for await (const piece of answer.body) bytes.push(piece);
    const text = Buffer.concat(bytes).toString();
    const isJson = text.startsWith('{') || text.startsWith('[');
    return {
      status: answer.status,
      headers: new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value])),
      text,
      json: isJson ? (JSON.parse(text) as Thing) : undefined,
    };
  };
