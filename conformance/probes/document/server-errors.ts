import type { Exchange } from '../../exchanges/exchange.ts';
import { isGatewayStatus } from '../../exchanges/foreign.ts';
import { undecided } from '../../scenarios/check.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { Breach } from '../../../contract/sheet/severities.ts';

/** What an undeclared status breaks. */
export function breachOf({ status, isInvalid }: Pick<Exchange, 'status' | 'isInvalid'>): Breach {
  if (status < 300) return 'other-success';
  if (status < 400) return 'redirect';
  if (status < 500) return isInvalid !== true && refusesItself(status) ? 'valid-refused' : 'state-refused';
  if (isGatewayStatus(status)) return 'gateway-error';
  return isInvalid === true && (status === 501 || status === 505) ? 'unsupported' : 'server-error';
}

/** Whether a status refuses a request for what it is, on any server. */
export function refusesItself(status: number): boolean {
  return REFUSES_ITSELF.has(status);
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

// --- internal ---

const REFUSES_ITSELF = new Set([400, 406, 411, 413, 414, 415, 417, 422, 431]);
