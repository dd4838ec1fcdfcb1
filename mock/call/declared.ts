import type { Behaviour } from './call.ts';
import { declaredAnswer, type ApiWithEngine } from './pipeline.ts';

/** Lets later behaviours answer with what the document declares for a status, whatever the state is. */
export function offersDeclared(api: Pick<ApiWithEngine, 'engine'>): Behaviour {
  return (call, next) => {
    const { operation } = call;
    if (operation !== undefined)
      call.facts.declared = (status) => declaredAnswer(api, call, operation, status);
    return next();
  };
}
