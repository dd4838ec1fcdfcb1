/**
 * Node's own `fetch` gives a server five minutes to begin an answer and offers no standard way to say otherwise, while
 * a call may be held longer than that. Its connection pool takes the limit per request, though, and a caller may name a
 * pool: this one is the global pool, a proxy or a mock in its place included, without limits of its own. The time
 * limits of the client still hold. Elsewhere there is no such pool, and nothing is added.
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
