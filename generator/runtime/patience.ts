/**
 * Node's own `fetch` gives a server five minutes to begin an answer and has no standard option to change
 * that, but a call may take longer. Its connection pool accepts a limit per request, and a caller may pass a
 * pool: this is the global pool, including any proxy or mock that replaces it, without limits of its own. The
 * time limits of the client still apply. Other platforms have no such pool, and nothing is added.
 */
export function patiently(init: RequestInit): RequestInit {
  const pool = (globalThis as { readonly [name: symbol]: unknown })[Symbol.for('undici.globalDispatcher.1')];
  if (typeof pool !== 'object' || pool === null || !('dispatch' in pool)) return init;
  const { dispatch } = pool as { dispatch: (options: object, handler: object) => boolean };
  const patient = (options: object, handler: object): boolean =>
    dispatch.call(pool, { ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  const dispatcher = Object.create(pool, { dispatch: { value: patient } }) as object;
  return { ...init, dispatcher } as RequestInit;
}
