import { Option } from 'commander';
import { credentialIn, isSamePlace } from '../../conformance/target/credential.ts';
import type { Credential, PlanOptions } from '../../conformance/index.ts';
import { keyPlaceOf, mainSchemeOf, placeOfScheme } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

export interface CredentialOptions {
  readonly apiKey?: string;
  readonly bearer?: string;
  /** If it is given, the variable for a bearer token is ignored. */
  readonly tokenCommand?: string;
}

/** `--bearer`, which excludes `--api-key`: a run has one credential. */
export function bearerOption(): Option {
  const option = new Option('--bearer <token>', 'bearer token (safer: $TALLYSTICK_BEARER)');
  return option.conflicts('apiKey');
}

/** The credential of the command line, else that of the environment, and the variable that a file should name for it. */
export function givenCredential(
  contracts: readonly Contract[],
  options: CredentialOptions,
  { environment }: Pick<Context, 'environment'>,
): { readonly credential: Credential; readonly variable: string; readonly isKey: boolean } | undefined {
  const key = options.apiKey ?? given(environment['TALLYSTICK_API_KEY']);
  const keyPlace = contracts.map(keyPlaceOf).find((place) => place !== undefined);
  if (key !== undefined) {
    // An API without a place for keys accepts them as bearer tokens.
    const credential =
      keyPlace === undefined
        ? { header: 'Authorization', value: `Bearer ${key}` }
        : credentialIn(keyPlace, key);
    return { credential, variable: '$TALLYSTICK_API_KEY', isKey: true };
  }
  if (options.tokenCommand !== undefined) return undefined;
  const token = options.bearer ?? given(environment['TALLYSTICK_BEARER']);
  if (token === undefined) return undefined;
  const credential = { header: 'Authorization', value: `Bearer ${token}` };
  return { credential, variable: '$TALLYSTICK_BEARER', isKey: false };
}

/** @throws {CommandFailure} when a run would have no credential, and no option says that the server needs none */
export function requireCredential(
  run: Pick<PlanOptions, 'baseUrl' | 'contracts' | 'credential' | 'token' | 'fixtures' | 'headers'>,
  options: { readonly fixtures?: string; readonly anonymous?: true },
): void {
  const declared = run.fixtures?.cred;
  const hasOne = run.credential ?? run.token ?? declared?.valid ?? declared?.apiKey ?? declared?.jwt;
  const isAsked = run.contracts.some(({ operations }) =>
    operations.some(({ security }) => security.length > 0),
  );
  const isHeader = run.headers?.some(([name]) => isCredential(name, run.contracts)) === true;
  if (hasOne !== undefined || isHeader || options.anonymous === true || !isAsked) return;
  const place = options.fixtures ?? 'a fixtures file';
  throw new CommandFailure(2, `No credential for ${run.baseUrl ?? run.fixtures?.baseUrl ?? 'the server'}`, [
    `looked for: --api-key, --bearer, $TALLYSTICK_API_KEY, $TALLYSTICK_BEARER, cred.valid in ${place}`,
    'if the server needs none, add --anonymous',
  ]);
}

// --- internal ---

/** Whether a document expects its usual credential in a header of this name. */
function isCredential(name: string, contracts: readonly Contract[]): boolean {
  return contracts.some((contract) => {
    const scheme = mainSchemeOf(contract);
    return isSamePlace({ in: 'header', name }, scheme && placeOfScheme(scheme));
  });
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
