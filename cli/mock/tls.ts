import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningMock, StartOptions } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import type { MockFlags } from './options.ts';
import { readTlsFiles } from '../files/tls-files.ts';

/**
 * The certificate of `--cert` and `--key`; `undefined` without them.
 *
 * @throws {CommandFailure} for files that are not a certificate with its key
 */
export async function tlsOf(
  { cert, key }: MockFlags,
  context: Context,
): Promise<Pick<StartOptions, 'https'>> {
  const read = await readTlsFiles(definedFiles(cert, key), context);
  if (read?.cert === undefined || read.key === undefined) return {};
  const { passphrase } = read;
  return { https: { cert: read.cert, key: read.key, ...(passphrase === undefined ? {} : { passphrase }) } };
}

/**
 * Writes the certificate to a file, for `$NODE_EXTRA_CA_CERTS`, and returns a function that removes the file.
 */
export async function certificateFile({ certificate }: Pick<RunningMock, 'certificate'>): Promise<{
  readonly environment: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}> {
  if (certificate === undefined) return { environment: {}, remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-certificate-'));
  const file = join(folder, 'mock.pem');
  await writeFile(file, certificate, { mode: 0o600 });
  return {
    environment: { NODE_EXTRA_CA_CERTS: file },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

// --- internal ---

function definedFiles(
  cert: string | undefined,
  key: string | undefined,
): { readonly cert?: string; readonly key?: string } {
  return { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
}
