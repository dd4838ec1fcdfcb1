import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { TlsOptions } from '../../conformance/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { readUserFile } from './user-file.ts';

interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/**
 * Reads the files of `--cert`, `--key` and `--ca`; `undefined` if none is given.
 *
 * @throws {CommandFailure} that names the file, if it is missing, is not of the kind that the option needs, or does
 *   not fit the others
 */
export async function readTlsFiles(
  files: TlsFiles,
  context: Pick<Context, 'cwd' | 'environment' | 'terminal'>,
): Promise<TlsOptions | undefined> {
  const { cert, key, ca } = files;
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined && key !== undefined)
    throw new CommandFailure(2, '--key needs --cert: a client presents both', ['add --cert FILE']);
  const client = cert === undefined ? {} : await readClient(cert, key, context);
  const trusted = ca === undefined ? undefined : await readTrusted(ca, context);
  try {
    createSecureContext({ ...client, ...(trusted === undefined ? {} : { ca: [...trusted] }) });
  } catch (cause) {
    // For example a key that is too short for the security level of OpenSSL.
    const reason = (cause as { readonly reason?: unknown }).reason ?? (cause as Error).message;
    throw new CommandFailure(
      2,
      `Node cannot use ${[cert, key, ca].filter((file) => file !== undefined).join(', ')}: ${String(reason)}`,
      [],
      { cause },
    );
  }
  return { ...client, ...(trusted === undefined ? {} : { ca: trusted }) };
}

// --- internal ---

const HOW_TO_CONVERT = [
  'expected a file in PEM form; to convert DER: openssl x509 -inform DER -in FILE -out cert.pem',
  'to convert PKCS#12 (.p12, .pfx): openssl pkcs12 -in FILE -out client.pem -nodes',
];

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const PASSPHRASE = 'TALLYSTICK_KEY_PASSPHRASE';

/** A certificate and its key, which may be in the same file. */
async function readClient(
  cert: string,
  key: string | undefined,
  context: Pick<Context, 'cwd' | 'environment' | 'terminal'>,
): Promise<Pick<TlsOptions, 'cert' | 'key' | 'passphrase'>> {
  const certText = await readPem(cert, context);
  const [certificate] = certificatesIn(certText, cert, '--cert');
  if (key === undefined && !PRIVATE_KEY.test(certText))
    throw new CommandFailure(2, `${cert} contains no private key`, ['add --key FILE']);
  const keyFile = key ?? cert;
  const keyText = key === undefined ? certText : await readPem(key, context);
  const passphrase = context.environment[PASSPHRASE];
  const privateKey = privateKeyIn(keyText, keyFile, passphrase);
  if (certificate?.checkPrivateKey(privateKey) === false)
    throw new CommandFailure(
      2,
      `The private key in ${keyFile} does not belong to the certificate in ${cert}`,
      [`the certificate is for ${nameOf(certificate)}`],
    );
  const until = certificate?.validTo;
  if (until !== undefined && Date.parse(until) < Date.now())
    context.terminal.say(`${context.terminal.sign.warning} the certificate in ${cert} expired on ${until}`);
  return { cert: certText, key: keyText, ...(passphrase === undefined ? {} : { passphrase }) };
}

/** In addition to the certificates that Node trusts by default, including those of `NODE_EXTRA_CA_CERTS`. */
async function readTrusted(
  file: string,
  context: Pick<Context, 'cwd' | 'environment'>,
): Promise<readonly string[]> {
  const text = await readPem(file, context);
  certificatesIn(text, file, '--ca');
  const extra = context.environment['NODE_EXTRA_CA_CERTS'];
  const more = extra === undefined || extra === '' ? [] : [await readUserFile(extra, context)];
  return [...rootCertificates, ...more, text];
}

/** Certificates in other forms than PEM are not text. */
async function readPem(file: string, context: Pick<Context, 'cwd'>): Promise<string> {
  try {
    return await readUserFile(file, context);
  } catch (error) {
    if (!(error instanceof CommandFailure) || !/ not text$| not UTF-8/.test(error.message)) throw error;
    throw new CommandFailure(2, error.message, HOW_TO_CONVERT, { cause: error });
  }
}

function certificatesIn(text: string, file: string, option: string): readonly X509Certificate[] {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) {
    const help = PRIVATE_KEY.test(text)
      ? ['it contains a private key: is it the file for --key?']
      : HOW_TO_CONVERT;
    throw new CommandFailure(2, `${option}: ${file} contains no certificate`, help);
  }
  return found.map((pem, index) => {
    try {
      return new X509Certificate(pem);
    } catch (cause) {
      const which = found.length === 1 ? 'The certificate' : `Certificate ${index + 1}`;
      throw new CommandFailure(2, `${which} in ${file} is damaged`, ['get the file again from its source'], {
        cause,
      });
    }
  });
}

function privateKeyIn(text: string, file: string, passphrase: string | undefined): KeyObject {
  if (!PRIVATE_KEY.test(text)) {
    const help = CERTIFICATE.test(text)
      ? 'it contains a certificate: is it the file for --cert?'
      : 'expected a file in PEM form, with a line -----BEGIN PRIVATE KEY-----';
    throw new CommandFailure(2, `--key: ${file} contains no private key`, [help]);
  }
  try {
    return createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (cause) {
    if (!/ENCRYPTED/.test(text))
      throw new CommandFailure(
        2,
        `The private key in ${file} is damaged`,
        ['get the file again from its source'],
        {
          cause,
        },
      );
    throw passphrase === undefined
      ? new CommandFailure(
          2,
          `The private key in ${file} is encrypted`,
          [`set its passphrase: export ${PASSPHRASE}=…`],
          {
            cause,
          },
        )
      : new CommandFailure(2, `$${PASSPHRASE} is not the passphrase of the private key in ${file}`, [], {
          cause,
        });
  }
}

function nameOf({ subject }: X509Certificate): string {
  return subject.replaceAll('\n', ', ');
}
