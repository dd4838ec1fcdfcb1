import { createHash } from 'node:crypto';
import { emptyAnswer, jsonAnswer, type HeaderLine } from '../../answer.ts';
import type { Behaviour } from '../../call.ts';
import { modelIdOf, type Model } from '../../catalogue.ts';
import type { Switches } from '../../deviations/switches.ts';
import { schemaComponents } from '../../models.ts';
import type { Router } from './context.ts';

/** The input schema of one model as a document of its own, and conditional reads of it (document 1, "openapi.json"). */
export function schemaDocument(router: Router): Behaviour {
  const made = new WeakMap<Model, { text: string; value: unknown; etag: string }>();
  return (call) => {
    const model = router.state.catalogue.visible(call.facts.modelId ?? '');
    if (model === undefined) throw new Error('the schema document comes behind the lookup of its model');
    const document = made.get(model) ?? make(router, model, call.request.path);
    made.set(model, document);
    const headers: HeaderLine[] = [
      ['ETag', router.profile === 'legal-but-odd' ? `W/${document.etag}` : document.etag],
      ['Cache-Control', router.assume('A-30').cacheControl],
    ];
    const condition = call.request.header('if-none-match');
    if (isCurrent(condition, document.etag, call.switches)) {
      call.note('schema document', 'not modified', 'router.schema.inm-304');
      return Promise.resolve(emptyAnswer(304, headers));
    }
    return Promise.resolve(jsonAnswer(200, document.value, { text: document.text, headers }));
  };
}

// --- internal ---

function make(router: Router, model: Model, path: string): { text: string; value: unknown; etag: string } {
  const { schemaDocument: extension } = router.facts;
  const id = modelIdOf(model);
  const value = {
    openapi: router.assume('A-30').openapi,
    info: { title: id, version: '1' },
    [extension.modelId]: id,
    [extension.authored]: model.inputSchema !== undefined,
    paths: {
      [path.slice(0, path.lastIndexOf('/'))]: {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } },
          },
          responses: { 200: { description: 'The output of the model.' } },
        },
      },
    },
    components: { schemas: { Input: model.inputSchema ?? { type: 'object' }, ...schemaComponents } },
  };
  const text = JSON.stringify(value);
  return { text, value, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}

/** RFC 9110, 13.1.2: `*` or any listed tag, compared weakly. */
function isCurrent(condition: string | undefined, etag: string, { ifNoneMatch }: Switches): boolean {
  if (condition === undefined || ifNoneMatch === 'ignored') return false;
  if (ifNoneMatch === 'always-matches') return true;
  if (condition.trim() === '*') return ifNoneMatch !== 'no-star';
  if (ifNoneMatch === 'whole-string') return opaque(condition) === etag;
  const tags = condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (ifNoneMatch === 'strong' ? tag : opaque(tag)) === etag);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
