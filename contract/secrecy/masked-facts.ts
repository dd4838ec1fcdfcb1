import type { SecrecyFacts } from './facts.ts';
import { secretsIn, type Message } from './messages.ts';
import { isMasked } from './placeholders.ts';

/**
 * What masked messages say of secrets: a name whose value is masked in one of them is the name of a secret. A value that they
 * show in a place for secrets may be shown. For readers of a report who do not have its document.
 */
export function secrecyOfMasked(messages: readonly Message[]): SecrecyFacts {
  const names = new Set<string>();
  const members = new Set<string>();
  const publicValues = new Set<string>();
  for (const message of messages) {
    const { target = '', headers, body } = message;
    for (const [name, value] of [...headers, ...found(target, PAIR), ...found(body, PAIR)])
      if (isMasked(value)) names.add(name.toLowerCase());
    for (const [name, value] of found(body, MEMBER)) if (isMasked(value)) members.add(name.toLowerCase());
    for (const value of secretsIn(message, {})) publicValues.add(value);
  }
  return { names, members, publicValues };
}

// --- internal ---

/** A member of JSON with a text, or a list that begins with one. */
const MEMBER = /"([^"\\]{1,100})\\?"\s{0,20}:\s{0,20}(?:\[\s{0,20})?\\?"([^"\\]{1,20})\\?"/g;

const PAIR = /(?<![\w.-])([\w.-]{1,100})=([^&\s]{1,20})/g;

function found(text: string, form: RegExp): readonly (readonly [name: string, value: string])[] {
  return Array.from(text.matchAll(form), ({ 1: name = '', 2: value = '' }) => [name, value] as const);
}
