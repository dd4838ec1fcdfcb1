import { Option } from 'commander';
import type { Credential } from '../conformance/index.ts';
import { findPolicy } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { Context } from './context.ts';

export interface CredentialOptions {
  readonly apiKey?: string;
  readonly bearer?: string;
  /** Where it is given, the variable for a bearer token is not looked at. */
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
  const keyHeader = contracts
    .map((contract) => findPolicy(contract, 'credentials')?.keyHeader)
    .find((name) => name !== undefined);
  if (key !== undefined) {
    // An API without a header for keys takes them as bearers.
    const credential =
      keyHeader === undefined
        ? { header: 'Authorization', value: `Bearer ${key}` }
        : { header: keyHeader, value: key };
    return { credential, variable: '$TALLYSTICK_API_KEY', isKey: true };
  }
  if (options.tokenCommand !== undefined) return undefined;
  const token = options.bearer ?? given(environment['TALLYSTICK_BEARER']);
  if (token === undefined) return undefined;
  const credential = { header: 'Authorization', value: `Bearer ${token}` };
  return { credential, variable: '$TALLYSTICK_BEARER', isKey: false };
}

// --- internal ---

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
