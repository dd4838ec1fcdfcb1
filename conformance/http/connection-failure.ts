import { connect as connectTls } from 'node:tls';

/** Describes why a connection failed; includes the code of the error. */
export function connectionError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  // It contains one error for each address of a host, and no message itself.
  if (error instanceof AggregateError && error.message === '') {
    const messages = error.errors.map((one) => (one instanceof Error ? one.message : String(one)));
    return Object.assign(new Error(messages.join('; '), { cause: error }), {
      code: (error as { code?: unknown }).code,
    });
  }
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  // The message of OpenSSL contains memory addresses and source lines.
  if (typeof code !== 'string' || !code.startsWith('ERR_SSL_') || typeof reason !== 'string') return error;
  return Object.assign(new Error(`${code} ${reason}`, { cause: error }), { code });
}

/** Why a proxy did not connect: an error, or the status of its response. Its credentials are left out. */
export function proxyError(proxy: URL, why: unknown): Error {
  if (why instanceof ProxyError) return why;
  if (why === 407) return new ProxyError(`the proxy ${proxy.host} asks for a login (407)`);
  if (typeof why === 'number')
    return new ProxyError(`the proxy ${proxy.host} refused the tunnel with ${why}`);
  const message = why instanceof Error ? why.message : String(why);
  return new ProxyError(`the proxy ${proxy.host} does not respond: ${message}`, { cause: why });
}

/** The next step after a failed connection; `undefined` if there is no specific advice. */
export function adviceFor(failure: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(failure))?.[1];
}

/** Whether the next attempt would fail for the same reason, such as an expired certificate. */
export function failsAgain(failure: string): boolean {
  return adviceFor(failure) !== undefined && !/EAI_AGAIN|does not respond/.test(failure);
}

/** Text in a server's 400 that indicates a TLS mismatch, not an answer of the API. */
export function complaintAboutTls(text: string): string | undefined {
  return COMPLAINT.exec(text)?.[0];
}

/** Whether a port that closed a plain connection speaks TLS. Only the TLS handshake is sent. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host, port, rejectUnauthorized: false, timeout: PATIENCE_MS });
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('timeout', () => done(false));
  });
}

// --- internal ---

class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** How long a port may take for the TLS handshake, in milliseconds. */
const PATIENCE_MS = 2000;

/** The texts of common servers, such as nginx, Apache and those in Go. */
const COMPLAINT =
  /No required SSL certificate was sent|The SSL certificate error|plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled server port/i;

/** The first matching pattern decides. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /asks for a login \(407\)/,
    'Put the user and the password into the address of the proxy: --proxy http://USER:PASSWORD@HOST:PORT.',
  ],
  [
    /the proxy \S+ does not respond/,
    'Check the address of the proxy: --proxy, $HTTPS_PROXY or $HTTP_PROXY. To connect directly, add --no-proxy.',
  ],
  [/the proxy \S+ refused/, 'The proxy does not allow this server. To connect directly, add --no-proxy.'],
  [
    /CERTIFICATE_REQUIRED|asked for a client certificate|No required SSL certificate/i,
    'The server asks for a client certificate: add --cert FILE --key FILE.',
  ],
  [
    /ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED)|had got the client certificate|SSL certificate error/,
    'The server refused the client certificate: check --cert, its dates, and that the server trusts its issuer.',
  ],
  [
    /ALERT_HANDSHAKE_FAILURE/,
    'The server ended the handshake. If it asks for a client certificate, add --cert FILE --key FILE; else it may only speak versions or ciphers of TLS that this Node does not.',
  ],
  [
    /CERT_HAS_EXPIRED/,
    "The server's certificate, or one that issued it, has expired: ask the operators of the server to renew it.",
  ],
  [
    /CERT_NOT_YET_VALID/,
    "The server's certificate is not yet valid: check the clock of this machine and the dates of the certificate.",
  ],
  [
    /ALTNAME/,
    'The certificate is for another name: use the name that it is for in the base URL, or let the server have one for this name.',
  ],
  [/speaks TLS|HTTPS (?:port|server)|SSL-enabled server port/, 'Use https:// in the address.'],
  [
    /certificate|CERT_|SELF_SIGNED|UNABLE_TO_/i,
    'The certificate is not trusted. For a CA of your own, or a self-signed certificate, add --ca FILE or set NODE_EXTRA_CA_CERTS=FILE.',
  ],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|EPROTO|SSL routines/i,
    'The port does not speak TLS. Did you mean http:// instead of https://?',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'The host name does not resolve. Check its spelling.'],
];
