import { headerOf, withHeaders, emptyAnswer, type Answer, type HeaderLine } from './answer.ts';
import type { FrontRequest } from './front.ts';

/**
 * The other origins whose pages may call: those of this machine, one origin, all, or none (open point A-37).
 */
export type CorsOption = 'loopback' | 'off' | '*' | (string & {});

export interface Cors {
  /** Why a page may not call, for the journal; `undefined` for an accepted origin, and without an origin. */
  readonly refusal: (request: FrontRequest) => string | undefined;
  /**
   * The answer to a preflight; `undefined` for any other request. `allowed` finds the methods of the path.
   */
  readonly preflight: (request: FrontRequest, allowed: () => readonly string[]) => Answer | undefined;
  /** The answer with the headers that let a page of another origin read it. */
  readonly open: (request: FrontRequest, answer: Answer) => Answer;
}

/**
 * A page of an accepted origin may send every header that its preflight requests, and read every header of an
 * answer. This includes the headers of any document, tracing headers and those of SDKs.
 *
 * An origin that the option names may also send cookies, as pages do that ask for credentials in every request. Other
 * pages of this machine may only if a document declares a credential in a cookie.
 *
 * @param settings.cookies whether a document declares a credential in a cookie
 */
export function cors(
  option: CorsOption,
  { maxAgeSeconds, cookies = false }: { readonly maxAgeSeconds: number; readonly cookies?: boolean },
): Cors {
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
    // Browsers do not accept this together with a star.
    ...((cookies || origin === option) && origin !== '*'
      ? ([['Access-Control-Allow-Credentials', 'true']] as const)
      : []),
  ];
  return {
    refusal(request) {
      const origin = request.header('origin');
      if (origin === undefined || accepted(request) !== undefined) return undefined;
      const who = JSON.stringify(origin.slice(0, LONGEST_ORIGIN));
      return `pages of ${who} may not read the answer: the option cors is ${JSON.stringify(option)}`;
    },
    preflight(request, allowed) {
      if (request.method !== 'OPTIONS') return undefined;
      const allow = allowed();
      const origin = accepted(request);
      const lines: HeaderLine[] = allow.length === 0 ? [] : [['Allow', allow.join(', ')]];
      if (origin === undefined) return emptyAnswer(204, lines, { licence: 'A-25' });
      return emptyAnswer(
        204,
        [
          ...lines,
          ...originLines(origin),
          ['Access-Control-Allow-Methods', allow.length === 0 ? 'GET, POST' : allow.join(', ')],
          ...requestedHeaders(request),
          ['Access-Control-Max-Age', String(maxAgeSeconds)],
        ],
        { licence: 'A-37' },
      );
    },
    open(request, answer) {
      const origin = accepted(request);
      if (origin === undefined) return answer;
      const vary = headerOf(answer, 'vary');
      return withHeaders(answer, [
        ...originLines(origin).map(([name, value]): HeaderLine => [
          name,
          name === 'Vary' && vary !== undefined ? `${vary}, ${value}` : value,
        ]),
        ['Access-Control-Expose-Headers', exposedHeaders(answer)],
      ]);
    },
  };
}

// --- internal ---

const LONGEST_ORIGIN = 100;
/** A name of a header (RFC 9110, "Field Names"). */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MOST_NAMES = 100;

/** The headers that a preflight requests, if they are valid names. */
function requestedHeaders(request: FrontRequest): HeaderLine[] {
  const names = (request.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => FIELD_NAME.test(name));
  if (names.length === 0) return [];
  return [['Access-Control-Allow-Headers', [...new Set(names)].slice(0, MOST_NAMES).join(', ')]];
}

/** Without this, a page can read only the few headers that browsers consider safe. */
function exposedHeaders({ headers }: Answer): string {
  const names = headers.map(([name]) => name).filter((name) => FIELD_NAME.test(name));
  return [...new Set(names)].join(', ');
}

const LOOPBACK =
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,4}\.localhost)(:\d{1,5})?$/;
