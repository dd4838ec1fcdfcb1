import type { Behaviour } from './call.ts';
import { declaredAnswer, type ApiWithEngine } from './pipeline.ts';

/** Lets later behaviours answer as the document declares for a status, in any state. */
export function offersDeclared(api: Pick<ApiWithEngine, 'engine' | 'operations'>): Behaviour {
  return (call, next) => {
    const { operation } = call;
    if (operation !== undefined)
      call.facts.declared = (status) => declaredAnswer(api, call, operation, status);
    return next();
  };
}

/**
 * Lets later behaviours send the headers that the document declares for a status, with a body of their own.
 */
export function offersHeaders(api: Pick<ApiWithEngine, 'engine' | 'operations'>): Behaviour {
  return (call, next) => {
    const { operation } = call;
    if (operation !== undefined)
      call.facts.declaredHeaders = (status) =>
        operation.responses.find((response) => response.status === String(status))?.headers.length === 0
          ? []
          : (declaredAnswer(api, call, operation, status)?.headers ?? []);
    return next();
  };
}
