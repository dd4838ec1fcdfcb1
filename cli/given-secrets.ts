import { secretsOfAddresses } from '../contract/secrecy/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Hides what the command line and the environment have in addresses in places for secrets, such as the password of a proxy and
 * the token of a document: no line of a command repeats it.
 */
export function hidingGiven(argv: readonly string[], environment: Environment): (line: string) => string {
  const variables = Object.entries(environment).filter(([name]) => VARIABLES.test(name));
  const texts = [...argv, ...variables.map(([, text = '']) => text)];
  const secrets = [...new Set(texts.flatMap(secretsOfAddresses))]
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (line) => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), line);
}

// --- internal ---

const VARIABLES = /^TALLYSTICK_|_proxy$/i;

/** Shorter texts are parts of words. */
const SHORTEST = 4;
