import type { Contract } from '../../contract/model.ts';
import { readBody } from '../../engine/body.ts';
import { essenceOf } from '../../engine/media-types.ts';
import type { JudgedRequest } from './engine.ts';
import type { FrontRequest } from './front.ts';
import { servedOperations } from './served-operations.ts';

/**
 * Parses the body of a request if the document declares it as a form, or as JSON values that follow one another;
 * `undefined` for any other body.
 */
export type FormReader = (
  operationId: string,
  request: FrontRequest,
) => Promise<NonNullable<JudgedRequest['form']>> | undefined;

/**
 * Such bodies are parsed as in a generated server: forms by the types and styles of their members.
 */
export function formReader(contract: Contract): FormReader {
  const served = servedOperations(contract, () => undefined);
  return (operationId, request) => {
    const type = request.header('content-type');
    const { body } = request.raw;
    if (body.length === 0 || type === undefined) return undefined;
    const operation = served(operationId);
    if (operation?.body === undefined) return undefined;
    const formats = operation.body.contents
      .filter(({ mediaType }) => essenceOf(mediaType) === essenceOf(type))
      .map(({ bodyFormat }) => bodyFormat);
    const hasItems = formats.includes('lines') || formats.includes('sequence');
    if (!hasItems && (formats.includes('text') || !FORM.test(type))) return undefined;
    return readBody(operation, body, new Headers({ 'content-type': type }), BOUNDS).then((read) => {
      if (!read.ok) return { fault: read.message };
      if (hasItems) return { items: read.value as readonly unknown[] };
      if (read.otherwise === undefined) return { value: read.value };
      return read.otherwise().then((otherwise) => ({ value: read.value, otherwise }));
    });
  };
}

// --- internal ---

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/[\w.+-]+)\s*(?:;|$)/i;
const BOUNDS = { formFields: 1_000, jsonDepth: 100 };
