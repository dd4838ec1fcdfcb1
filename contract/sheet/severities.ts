import type { RuleLevel } from '../model.ts';

/** How severe a breach is, with the reason. */
interface Severity {
  readonly level: Extract<RuleLevel, 'must' | 'should'>;
  readonly why: string;
}

/**
 * The severity of each kind of breach that follows from a document or from a policy of any sheet: what the document or the
 * sheet says is a must. It is a should only if a server can have a reason that neither of them can state.
 */
export const severities = {
  'server-error': {
    level: 'must',
    why: 'No request breaks a server that is well, whether the document allows the request or not.',
  },
  'gateway-error': {
    level: 'should',
    why: '502, 503 and 504 may come from what is before the API while it starts or is busy, and pass.',
  },
  unsupported: {
    level: 'should',
    why: '501 and 505 to an invalid request refuse it: the server says that it has no such method or version of HTTP.',
  },
  'other-success': {
    level: 'must',
    why: 'The body and the meaning of a success that is not declared are known to nobody.',
  },
  redirect: {
    level: 'should',
    why: 'What is before the API may redirect, such as to HTTPS or to another spelling, and most clients follow.',
  },
  'valid-refused': {
    level: 'must',
    why: 'The document allows the request and declares no refusal of requests that are wrong in themselves.',
  },
  'state-refused': {
    level: 'should',
    why: 'The refusal depends on what the server has, such as 404, 405, 409 or 410, and documents often leave it out.',
  },
  unrefused: {
    level: 'must',
    why: 'The document declares a refusal of invalid requests, so that the server validates them.',
  },
  'unrefused-silently': {
    level: 'should',
    why: 'The document declares no refusal of invalid requests: a server may ignore what it does not understand.',
  },
  'no-such-cursor': {
    level: 'must',
    why: 'A caller with a spoilt cursor that gets the first page again reads the list without end.',
  },
  'no-such-place': {
    level: 'should',
    why: 'No contract says what is before the first page, unless the document excludes the number.',
  },
} as const satisfies Readonly<Record<string, Severity>>;

export type Breach = keyof typeof severities;
