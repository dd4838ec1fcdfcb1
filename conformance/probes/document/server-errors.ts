import type { Exchange } from '../../exchanges/exchange.ts';
import { isGatewayStatus } from '../../exchanges/foreign.ts';
import { undecided } from '../../scenarios/check.ts';
import type { Check } from '../../scenarios/scenario.ts';

/** Whether an operation failed. What something before the API may answer can pass, and is not counted. */
export function isServerError(status: number): boolean {
  return status >= 500 && !isGatewayStatus(status);
}

/**
 * The judgements of invalid requests that got a server error. They wait for a control: if the valid request gets a
 * server error too, the operation fails for any request, and nothing is known about the fault in the request.
 */
export class AfterControl {
  readonly #waiting: { readonly seen: Exchange; readonly check: Check }[] = [];

  /** The judgements of a request, unless they have to wait. */
  *judge(seen: Exchange, checks: Iterable<Check>): Generator<Check> {
    for (const check of checks)
      if (seen.status >= 500 && check.outcome === 'fail') this.#waiting.push({ seen, check });
      else yield check;
  }

  /**
   * The judgements that waited. The control is sent last, because it may use up what the requests are about.
   *
   * @param control sends the valid request
   */
  async *settle(control: () => Promise<Exchange>): AsyncGenerator<Check> {
    if (this.#waiting.length === 0) return;
    const valid = await control();
    for (const { seen, check } of this.#waiting)
      yield valid.status >= 500
        ? undecided(
            check.rule,
            [seen, valid],
            `the valid request gets ${valid.status} as well, so that ${seen.status} says nothing about the invalid one`,
          )
        : check;
  }
}
