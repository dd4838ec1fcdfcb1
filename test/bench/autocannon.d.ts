/** The part of autocannon that the benches use; the package has no types of its own. */
declare module 'autocannon' {
  namespace autocannon {
    interface Options {
      readonly url: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly connections: number;
      /** Seconds. */
      readonly duration: number;
      /** Sent in turn; each may be changed before it leaves. */
      readonly requests?: readonly { readonly setupRequest: (request: Request) => Request }[];
    }
    interface Request {
      readonly path?: string;
      readonly body?: string;
    }
    interface Result {
      readonly requests: { readonly total: number };
      readonly non2xx: number;
      readonly errors: number;
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export = autocannon;
}
