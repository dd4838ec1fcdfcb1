import { createHash } from 'node:crypto';
import { matchesIfNoneMatch } from '../../../contract/policies/conditional-get.ts';
import { emptyAnswer, jsonAnswer, type HeaderLine } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { modelIdOf, type Model } from './catalogue.ts';
import { schemaComponents } from './models.ts';
import type { Router } from './context.ts';

/** The input schema of one model as a document of its own, and conditional reads of it (document 1, "GET …/openapi.json"). */
export function schemaDocument(router: Router): Behaviour {
  const made = new WeakMap<Model, { text: string; value: unknown; etag: string }>();
  return (call) => {
    const model = router.state.catalogue.visible(call.facts.modelId ?? '');
    if (model === undefined) throw new Error('the schema document follows the lookup of its model');
    const document = made.get(model) ?? make(router, model, call.request.path);
    made.set(model, document);
    const headers: HeaderLine[] = [
      ['ETag', document.etag],
      ['Cache-Control', router.assume('A-30').cacheControl],
    ];
    if (router.mechanisms.isCurrent(router, call, document.etag)) {
      call.note('schema document', 'not modified', 'router.schema.inm-304');
      return emptyAnswer(router.facts.conditionalGet.status, headers);
    }
    return jsonAnswer(200, document.value, { text: document.text, headers });
  };
}

/** Whether the caller's copy is current. */
export function isCurrent(_router: Router, { request }: Call, etag: string): boolean {
  return matchesIfNoneMatch(request.header('if-none-match'), etag);
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
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, value, etag: router.assume('A-30').etag === 'weak' ? `W/${tag}` : tag };
}
