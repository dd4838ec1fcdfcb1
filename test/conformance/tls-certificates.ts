import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its private key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  readonly name: string;
  /** DNS names, and IPv4 addresses. */
  readonly hosts?: readonly string[];
  /** Who signs; the certificate itself where it is absent. */
  readonly issuer?: Certified & { readonly name: string };
  /** Days from today. */
  readonly from?: number;
  readonly until?: number;
}

/** Makes an X.509 certificate (RFC 5280) with a fresh P-256 key; Node has keys and signatures, and no certificates. */
export function certificate(options: CertificateOptions): Certified & { readonly name: string } {
  const { name, hosts = [], issuer, from = -1, until = 30 } = options;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(Math.floor(Math.random() * 2 ** 30)),
    algorithm,
    distinguished(issuer?.name ?? name),
    sequence(time(from), time(until)),
    distinguished(name),
    publicKey,
    tagged(0xa3, sequence(...extensions(hosts, issuer === undefined))),
  );
  const signature = sign('sha256', body, createPrivateKey(issuer?.key ?? key));
  const der = sequence(body, algorithm, tagged(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    name,
    key,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

// --- internal ---

/** An element of DER: tag, length, content. */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const TRUE = tagged(0x01, Buffer.from([0xff]));

const ECDSA_WITH_SHA256 = oid('2a8648ce3d040302');
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value, 1);
  const first = Math.min(
    4,
    bytes.findIndex((byte, index) => byte !== 0 || index === 4),
  );
  return tagged(0x02, bytes.subarray((bytes[first] ?? 0) > 127 ? first - 1 : first));
}

function distinguished(name: string): Buffer {
  return sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name)))));
}

/** UTCTime. */
function time(days: number): Buffer {
  const date = new Date(Date.now() + days * 86_400_000).toISOString();
  return tagged(0x17, Buffer.from(`${date.slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

function extensions(hosts: readonly string[], isAuthority: boolean): readonly Buffer[] {
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
      : tagged(0x82, Buffer.from(host)),
  );
  return [
    sequence(BASIC_CONSTRAINTS, TRUE, tagged(0x04, sequence(...(isAuthority ? [TRUE] : [])))),
    ...(names.length === 0 ? [] : [sequence(SUBJECT_ALT_NAME, tagged(0x04, sequence(...names)))]),
  ];
}
