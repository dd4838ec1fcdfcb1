import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { Refusal, type Call, type Thing } from '../wire.ts';
import type { Has } from './lives.ts';

/** A refusal whose problem has more members than others, or other ones. */
export class Problem extends Refusal {
  readonly more: Thing;
  constructor(status: number, code: string, message: string, more: Thing) {
    super(status, code, message);
    this.more = more;
  }
}

/** Refuses bodies that are not as the document describes them, with the places of what is wrong. */
export function bodyCheck(document: string, has: Has): (call: Call) => void {
  const validators = validatorsOf(document);
  return ({ operation, body }) => {
    const validate = validators.get(operation);
    if (validate === undefined || validate(body)) return;
    const isOff = has('place-off-by-one') && operation === 'addParts';
    const found = (validate.errors ?? []).map(
      (error) => [placeOf(error, isOff), String(error.message)] as const,
    );
    const errors = [...new Map(found)].map(([at, text]) => ({ at, text }));
    throw new Problem(422, 'invalid_body', 'The body is not as the document describes it.', { errors });
  };
}

// --- internal ---

function placeOf({ instancePath, keyword, params }: ErrorObject, isOff: boolean): string {
  const missing = keyword === 'required' ? `/${String((params as Thing)['missingProperty'])}` : '';
  const place = `${instancePath}${missing}`;
  if (!isOff) return place;
  return place.replace(/^\/parts\/(\d+)/, (_, at) => `/parts/${String(Number(at) + 1)}`);
}

interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

const compiled = new Map<string, ReadonlyMap<string, ValidateFunction>>();

function validatorsOf(document: string): ReadonlyMap<string, ValidateFunction> {
  const known = compiled.get(document);
  if (known !== undefined) return known;
  const root = parse(document) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...root, $id: 'root' });
  const made = new Map<string, ValidateFunction>();
  for (const { operationId, requestBody } of Object.values(root.paths).flatMap((item) =>
    Object.values(item),
  )) {
    const [media] = Object.entries(requestBody?.content ?? {}).filter(([type]) => type.endsWith('json'));
    if (operationId === undefined || media === undefined) continue;
    const text = JSON.stringify(media[1].schema).replaceAll('"#/', '"root#/');
    made.set(operationId, ajv.compile(JSON.parse(text) as object));
  }
  compiled.set(document, made);
  return made;
}
