import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key, in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** For the key, if it is encrypted. */
  readonly passphrase?: string;
}

/**
 * Makes a self-signed certificate for names of this machine, valid for 30 days. Clients trust it when they are
 * configured with it (`NODE_EXTRA_CA_CERTS`). It is no authority: its key, which stays in memory, can sign for no other
 * certificate, and so for no other host.
 *
 * @param names host names and IP addresses
 */
export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicBytes = publicKey.export({ type: 'spki', format: 'der' });
  const now = Date.now();
  const name = sequence(set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from('tallystick mock')))));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ALGORITHM,
    name,
    sequence(time(now - DAY_MS), time(now + 30 * DAY_MS)),
    name,
    publicBytes,
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(), true),
        // Signatures of connections alone, and none of certificates.
        extension('2.5.29.15', der(0x03, Buffer.from([0x07, 0x80])), true),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.14', der(0x04, createHash('sha1').update(publicBytes).digest())),
        extension('2.5.29.17', sequence(...names.map(alternativeName))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const bytes = sequence(body, ALGORITHM, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

// --- internal ---

const DAY_MS = 24 * 3_600_000;

/** A value in the DER encoding (ITU-T X.690). */
function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, Buffer.concat(parts));
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes);
const TRUE = der(0x01, Buffer.from([0xff]));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const sevens = (value: number): number[] => (value < 0x80 ? [value] : [0x80 | (value >> 7), value & 0x7f]);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(sevens)]));
}

/** `YYMMDDHHMMSSZ`; a two-digit year is in this century. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/^..|[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text, 'latin1'));
}

function extension(id: string, value: Uint8Array, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [TRUE] : []), der(0x04, value));
}

function alternativeName(name: string): Buffer {
  const kind = isIP(name);
  if (kind === 0) return der(0x82, Buffer.from(name, 'latin1'));
  return der(0x87, kind === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name));
}

function ipv6Bytes(address: string): Buffer {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const gap = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...gap, ...after].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** ECDSA with SHA-256 (RFC 5758, section 3.2). It comes last, because it signs the parts above. */
const ALGORITHM = sequence(oid('1.2.840.10045.4.3.2'));
