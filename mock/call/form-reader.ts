import type { Contract } from '../../contract/model.ts';
import { servedApiOf } from '../../contract/served/served.ts';
import { readBody } from '../../engine/body.ts';
import type { JudgedRequest } from './engine.ts';
import type { FrontRequest } from './front.ts';

/** Parses the body of a request if the document declares it as a form; `undefined` for any other body. */
export type FormReader = (
  operationId: string,
  request: FrontRequest,
) => Promise<NonNullable<JudgedRequest['form']>> | undefined;

/**
 * Forms and multipart bodies are parsed as in a generated server: by the types and styles of their members.
 */
export function formReader(contract: Contract): FormReader {
  const operations = new Map(
    servedApiOf(contract, () => undefined).operations.map((operation) => [operation.id, operation]),
  );
  return (operationId, request) => {
    const type = request.header('content-type');
    const operation = operations.get(operationId);
    const { body } = request.raw;
    if (body.length === 0 || operation?.body === undefined || type === undefined || !FORM.test(type))
      return undefined;
    const isText = operation.body.contents.some(
      ({ mediaType, bodyFormat }) => bodyFormat === 'text' && essenceOf(mediaType) === essenceOf(type),
    );
    if (isText) return undefined;
    return readBody(operation, body, new Headers({ 'content-type': type }), BOUNDS).then((read) =>
      read.ok ? { value: read.value } : { fault: read.message },
    );
  };
}

// --- internal ---

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/[\w.+-]+)\s*(?:;|$)/i;
const BOUNDS = { formFields: 1_000, jsonDepth: 100 };

function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
