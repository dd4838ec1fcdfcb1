import type { Answer } from './answer.ts';
import type { Call } from './call.ts';

/** The surprises of the profile `legal-but-odd` that any answer can have. */
export function oddity(answer: Answer, call: Call): Answer {
  void call;
  return { ...answer, headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value]) };
}
