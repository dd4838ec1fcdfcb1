import type { Answer, HeaderLine } from './answer.ts';
import type { Behaviour, Call } from './call.ts';

/**
 * Answers requests whose path or method the document does not have.
 *
 * @param refuse makes the answer; `headers` names the methods that the path has, and is empty where there is no such path
 */
export function unmatched(
  refuse: (call: Call, message: string, headers: readonly HeaderLine[]) => Answer,
): Behaviour {
  return (call, next) => {
    const { match, request } = call;
    if (match.kind === 'operation') return next();
    if (match.kind === 'none') return refuse(call, 'There is nothing at this path.', []);
    // A HEAD is answered as a GET without its body.
    const methods = match.allow.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = [...new Set(methods)].join(', ');
    return refuse(call, `${request.method} is not served here. What is: ${allow}.`, [['Allow', allow]]);
  };
}
