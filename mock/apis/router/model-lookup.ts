import { suggest } from '../../../contract/index.ts';
import { rawPathParameter } from '../../call/path-parameter.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { modelIdOf, type Model } from './catalogue.ts';
import { refuse, refuseOpenly, type Router } from './context.ts';

/**
 * Finds the model that the path names; a hidden model counts as missing (document 1, "Errors", model
 * lookups).
 */
export function modelLookup(router: Router): Behaviour {
  return (call, next) => {
    if (!namesModel(call)) return next();
    // The patterns are checked on the raw segments: an id must not be percent-encoded (document 1,
    // "Identifier schemas" 1, 2; open point A-03).
    const badSegment = router.facts.segments.find(({ name, pattern, maxLength }) => {
      const segment = rawPathParameter(call, name);
      return segment.length > maxLength || !pattern.test(segment);
    });
    if (badSegment !== undefined) {
      const detail = `The ${badSegment.name} of this path is not the name of one.`;
      return refuseOpenly(router, call, router.assume('A-03'), { detail, because: 'A-03' });
    }
    const [provider, model] = ['provider', 'model'].map((name) => rawPathParameter(call, name));
    const id = `${provider ?? ''}/${model ?? ''}`;
    if (router.state.catalogue.visible(id) !== undefined) {
      call.facts.modelId = id;
      return next();
    }
    const detail = `No model ${id}.${suggestionText(router, call, id)}`;
    return refuse(router, call, {
      role: 'unknownModel',
      detail,
      because: 'router.run.404-model-not-found',
    });
  };
}

/** The suggestions in the refusal of an unknown model, and their limit (open point A-20). */
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
