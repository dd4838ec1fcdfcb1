import { CommandFailure } from '../failure.ts';

/** @throws {CommandFailure} for a text that is not the address of a server */
export function baseUrlOf(text: string): URL {
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  throw new CommandFailure(2, `"${text}" is not a base URL`, [
    'expected one such as https://api.example.com',
  ]);
}
