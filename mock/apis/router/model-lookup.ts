import { suggest } from '../../../contract/index.ts';
import type { Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { modelIdOf, type Model } from './catalogue.ts';
import { refuse, refuseOpenly, segmentOf, type Router } from './context.ts';

/** Finds the model that the path names; what is not to be seen does not exist (document 1, "Errors", model lookups). */
export function modelLookup(router: Router): Behaviour {
  return (call, next) => {
    if (!namesModel(call)) return next();
    const found = findModel(router, call);
    if (found.refusal !== undefined) return found.refusal;
    call.facts.modelId = modelIdOf(found.model);
    return next();
  };
}

type Found =
  | { readonly model: Model; readonly refusal?: undefined }
  | { readonly model?: undefined; readonly refusal: Answer };

export function findModel(router: Router, call: Call): Found {
  // The patterns are checked on the segments as sent: percent-encoding is no other way to write an id (document 1,
  // "Identifier schemas" 1, 2; open point A-03).
  const badSegment = router.facts.segments.find(
    ({ name, pattern, maxLength }) =>
      segmentOf(call, name).length > maxLength || !pattern.test(segmentOf(call, name)),
  );
  const id = modelIdOf({ provider: segmentOf(call, 'provider'), model: segmentOf(call, 'model') });
  if (badSegment !== undefined) {
    const detail = `The ${badSegment.name} of this path is not the name of one.`;
    return { refusal: refuseOpenly(router, call, router.assume('A-03'), { detail, because: 'A-03' }) };
  }
  const model = router.state.catalogue.visible(id);
  if (model !== undefined) return { model };
  const detail = `No model ${id}.${suggestionText(router, call, id)}`;
  return {
    refusal: refuse(router, call, {
      role: 'unknownModel',
      detail,
      because: 'router.run.404-model-not-found',
    }),
  };
}

/** What the refusal of an unknown model may suggest, and how much of it (open point A-20). */
export function suggestable(router: Router, _call: Call): { models: readonly Model[]; atMost: number } {
  return { models: router.state.catalogue.listed(), atMost: router.assume('A-20').atMost };
}

// --- internal ---

function namesModel(call: Call): boolean {
  return (
    call.operation?.parameters.some(({ in: place, name }) => place === 'path' && name === 'model') === true
  );
}

function suggestionText(router: Router, call: Call, id: string): string {
  const { introducedBy, separatedBy } = router.assume('A-20');
  const { models, atMost } = router.mechanisms.suggestable(router, call);
  const candidates = new Set(models.filter(({ state }) => state !== 'trimmed').map(modelIdOf));
  const found: string[] = [];
  while (found.length < atMost) {
    const nearest = suggest(id, candidates);
    if (nearest === undefined) break;
    candidates.delete(nearest);
    found.push(nearest);
  }
  return found.length === 0 ? '' : ` ${introducedBy} ${found.join(separatedBy)}?`;
}
