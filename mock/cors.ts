import { withHeaders, emptyAnswer, type Answer, type HeaderLine } from './answer.ts';
import type { FrontRequest } from './front.ts';

/** Which pages of other origins may call: those of this machine, one origin, all, or none (silent-points A-37). */
export type CorsOption = 'loopback' | 'off' | '*' | (string & {});

export interface Cors {
  /** The answer to a preflight; nothing for any other request. */
  readonly preflight: (request: FrontRequest, allow: readonly string[]) => Answer | undefined;
  /** The answer with what lets a page of another origin read it. */
  readonly open: (request: FrontRequest, answer: Answer) => Answer;
}

/** `requestHeaders` and `responseHeaders`: names beyond those that browsers pass anyway. */
export function cors(
  option: CorsOption,
  names: {
    readonly requestHeaders: readonly string[];
    readonly responseHeaders: readonly string[];
    readonly maxAgeSeconds: number;
  },
): Cors {
  const exposed = names.responseHeaders.join(', ');
  const accepted = (request: FrontRequest): string | undefined => {
    const origin = request.header('origin');
    if (origin === undefined || option === 'off') return undefined;
    if (option === '*') return '*';
    const known = option === 'loopback' ? LOOPBACK.test(origin) : origin === option;
    return known ? origin : undefined;
  };
  const originLines = (origin: string): HeaderLine[] => [
    ['Access-Control-Allow-Origin', origin],
    ...(origin === '*' ? [] : ([['Vary', 'Origin']] as const)),
  ];
  return {
    preflight(request, allow) {
      if (request.method !== 'OPTIONS') return undefined;
      const origin = accepted(request);
      const lines: HeaderLine[] = allow.length === 0 ? [] : [['Allow', allow.join(', ')]];
      if (origin === undefined) return emptyAnswer(204, lines, { licence: 'A-25' });
      return emptyAnswer(
        204,
        [
          ...lines,
          ...originLines(origin),
          ['Access-Control-Allow-Methods', allow.length === 0 ? 'GET, POST' : allow.join(', ')],
          ['Access-Control-Allow-Headers', names.requestHeaders.join(', ')],
          ['Access-Control-Max-Age', String(names.maxAgeSeconds)],
        ],
        { licence: 'A-37' },
      );
    },
    open(request, answer) {
      const origin = accepted(request);
      if (origin === undefined) return answer;
      return withHeaders(answer, [...originLines(origin), ['Access-Control-Expose-Headers', exposed]]);
    },
  };
}

// --- internal ---

const LOOPBACK =
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,4}\.localhost)(:\d{1,5})?$/;
