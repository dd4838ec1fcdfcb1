import { isJson } from './carriage.ts';
import type { Contract, Schema } from './model.ts';
import type { ErrorCodesPolicy } from './policies/error-codes.ts';
import { propertyAt } from './schema-parts.ts';

/**
 * The members of errors that give the reason, from the declared error bodies; `undefined` if these have no member for
 * a message. The most frequent error body counts. A sheet adds the codes.
 */
export function declaredErrorShape({ operations, document }: Contract): ErrorCodesPolicy | undefined {
  const counts = new Map<string, { shape: ErrorCodesPolicy; times: number }>();
  for (const { status, content } of operations.flatMap(({ responses }) => responses)) {
    if (!/^[45]|^default$/i.test(status)) continue;
    for (const { mediaType, schema } of content) {
      if (!isJson(mediaType)) continue;
      const shape = shapeOf(schema, document.root);
      if (shape === undefined) continue;
      const name = JSON.stringify(shape);
      counts.set(name, { shape, times: (counts.get(name)?.times ?? 0) + 1 });
    }
  }
  const [most] = [...counts.values()].sort((one, other) => other.times - one.times);
  return most?.shape;
}

// --- internal ---

const MESSAGES = [
  'detail',
  'message',
  'error.message',
  'error_description',
  'errorMessage',
  'msg',
  'error.detail',
];
const CODES = ['code', 'error.code', 'errorCode', 'error_code', 'error', 'type', 'error.type'];
const STATUSES = ['status', 'statusCode', 'error.status', 'code'];
const TITLES = ['title'];

function shapeOf(
  schema: Schema | undefined,
  root: Contract['document']['root'],
): ErrorCodesPolicy | undefined {
  const found = (paths: readonly string[], types: readonly string[]): string | undefined =>
    paths.find((path) => propertyAt(schema, path, root).some((each) => isOf(each, types)));
  const title = found(TITLES, ['string']);
  const message = found(MESSAGES, ['string']) ?? found(['error'], ['string']) ?? title;
  if (message === undefined) return undefined;
  const codes = CODES.filter((path) => path !== message);
  const status = found(STATUSES, ['integer', 'number']);
  return {
    kind: 'error-codes',
    // A document without a code still has a place for one: bodies may have more members than it names.
    code: found(codes, ['string']) ?? 'code',
    message,
    ...(status === undefined ? {} : { status }),
    ...(title === undefined || title === message ? {} : { title }),
    codes: [],
    roles: {},
  };
}

/** By its type alone: a code with listed values cannot be any text. */
function isOf(schema: Schema, types: readonly string[]): boolean {
  if (typeof schema === 'boolean') return false;
  const { type, enum: listed } = schema;
  return listed === undefined && [type].flat().some((each) => types.includes(String(each)));
}
