import type { Answer, HeaderLine } from './answer.ts';
import type { Behaviour, Call } from './call.ts';

/**
 * Answers requests for paths or methods that the document does not have.
 *
 * @param refuse makes the answer; `headers` names the methods of the path, and is empty if there is no such
 * path
 */
export function unmatched(
  refuse: (call: Call, message: string, headers: readonly HeaderLine[]) => Answer,
): Behaviour {
  return (call, next) => {
    const { match, request } = call;
    if (match.kind === 'operation') return next();
    if (match.kind === 'none') return refuse(call, 'Nothing is served at this path.', []);
    const allow = methodsServed(match.allow).join(', ');
    return refuse(call, `${request.method} is not served here. Allowed methods: ${allow}.`, [
      ['Allow', allow],
    ]);
  };
}

/** The methods of a path; a HEAD is answered as a GET without its body. */
export function methodsServed(declared: readonly string[]): readonly string[] {
  return [...new Set(declared.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}
