import type { AnswerChoice } from '../call/engine.ts';
import type { FrontRequest } from '../call/front.ts';

/** How an answer of a document is chosen if a request does not ask for one. */
export type AnswerDefaults = Pick<AnswerChoice, 'dynamic' | 'seed'>;

/**
 * The answer that a request asks for: `Prefer: code=404, example=name, dynamic=true, seed=x` (RFC 7240), or
 * without such a header the query parameters `__code`, `__example`, `__dynamic` and `__seed`. Returns a text
 * if the request is invalid.
 */
export function readAnswerChoice(
  request: FrontRequest,
  defaults: AnswerDefaults = {},
): AnswerChoice | string {
  const asked = preferences(request);
  const { code, example, dynamic, seed } = asked;
  if (code !== undefined && !/^[1-5]\d\d$/.test(code))
    return `code has to be a status of three digits, not ${JSON.stringify(code.slice(0, LONGEST_SHOWN))}`;
  if (dynamic !== undefined && dynamic !== 'true' && dynamic !== 'false')
    return `dynamic has to be true or false, not ${JSON.stringify(dynamic.slice(0, LONGEST_SHOWN))}`;
  const isDynamic = dynamic === undefined ? defaults.dynamic : dynamic === 'true';
  const usedSeed = seed ?? defaults.seed;
  return {
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(example === undefined ? {} : { example }),
    ...(isDynamic === undefined ? {} : { dynamic: isDynamic }),
    ...(usedSeed === undefined ? {} : { seed: usedSeed }),
  };
}

// --- internal ---

const LONGEST_SHOWN = 40;
const NAMES = ['code', 'example', 'dynamic', 'seed'] as const;

type Preferences = Partial<Record<(typeof NAMES)[number], string>>;

function preferences(request: FrontRequest): Preferences {
  const found: Preferences = {};
  for (const part of (request.header('prefer') ?? '').split(/[,;]/)) {
    const [, name, quoted, plain] = /^\s*([a-z]+)\s*=\s*(?:"([^"]*)"|(\S+))\s*$/i.exec(part) ?? [];
    const known = NAMES.find((each) => each === name?.toLowerCase());
    if (known !== undefined) found[known] ??= quoted ?? plain ?? '';
  }
  if (Object.keys(found).length > 0) return found;
  for (const name of NAMES) {
    const value = request.query.find((pair) => pair.name === `__${name}`)?.value;
    if (value !== undefined) found[name] = value;
  }
  return found;
}
