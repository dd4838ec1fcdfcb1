/** An answer of the proxy itself, in place of one of the server. */
export interface OwnAnswer {
  readonly what: 'the request was not passed on' | 'the server gave no answer';
  readonly reason: string;
  readonly help: string;
  /** The error, by a name of RFC 9209, section 2.3, with its parameters. */
  readonly error: string;
}

/** Its headers and its body. */
export function ownAnswer({ what, reason, help, error }: OwnAnswer): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const body = `${JSON.stringify({ error: `tallystick proxy: ${what}`, reason, help })}\n`;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Proxy-Status': `tallystick; error=${error}`,
  };
  return { headers, body };
}
