import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import type { Clock } from '../../conformance/http/transport.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { startAssembly } from '../../mock/mock.ts';
import { Observer } from '../../proxy/observer.ts';
import { OpenExchanges } from '../../proxy/open-exchanges.ts';
import type { ForwardedExchange } from '../../proxy/pass-through.ts';
import { prismProxy } from './prism-proxy.ts';
import { address, type Setting } from './settings.ts';

/** A line with an observer on it, who is the one of `tallystick proxy` and sends nothing. */
export interface ObservedLine {
  readonly line: Transport;
  /** What passing traffic alone showed. */
  readonly report: () => Promise<Report>;
  /** What Prism's proxy finds wrong with the same answers, each once. */
  readonly byPrism: () => Promise<ReadonlySet<string>>;
}

/** The line between the suite and a server in this process. */
export async function observedLine(setting: Setting, inner: Transport, clock: Clock): Promise<ObservedLine> {
  const { mock, assembly } = startAssembly({ ...setting.mock, apis: setting.apis });
  const contracts = await Promise.all(setting.apis.map((api) => loadOwnContract(api)));
  const observer = new Observer(await assembly, { contracts, target: new URL(address) });
  const open = new OpenExchanges((exchange) => void observer.see(exchange));
  const prism = await prismProxy(contracts);
  let prismQueue = Promise.resolve();
  const begin = (): ((passed: ForwardedExchange) => void) => {
    const over = open.begin();
    return (passed) => {
      over(passed);
      prismQueue = prismQueue.then(() => prism.see(passed));
    };
  };
  const line: Transport = async (request) => {
    const over = begin();
    const passing = new Passing(request, clock);
    try {
      const answer = await inner(request);
      return { ...answer, body: passing.through(answer, over) };
    } catch (error) {
      over(passing.end({ delivery: 'dropped', ...fate(request, 'closed') }));
      throw error;
    }
  };
  return {
    line,
    report: () => {
      mock.close();
      return observer.report();
    },
    byPrism: async () => {
      await prismQueue;
      return prism.found;
    },
  };
}

// --- internal ---

type Answer = Awaited<ReturnType<Transport>>;
type End = Pick<ForwardedExchange, 'delivery' | 'failure' | 'fault'>;

/** One exchange as the proxy writes it down. */
class Passing {
  readonly #request: WireRequest;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #received: Uint8Array[] = [];
  #answer: Pick<Answer, 'status' | 'headers' | 'informational'> = { status: 0, headers: [] };

  constructor(request: WireRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  async *through(
    answer: Answer,
    over: (passed: ForwardedExchange) => void,
  ): AsyncGenerator<Uint8Array, void> {
    this.#answer = answer;
    let end: End = { delivery: 'short', failure: 'the client went away', fault: 'dropped' };
    try {
      for await (const part of answer.body) {
        // By HTTP these have no body: a proxy cannot read what a mock in this process adds.
        if (answer.status !== 204 && answer.status !== 304) this.#received.push(part);
        yield part;
      }
      end = { delivery: 'delivered' };
    } catch (error) {
      end = { delivery: 'short', ...fate(this.#request, 'cut') };
      throw error;
    } finally {
      over(this.end(end));
    }
  }

  end(end: End): ForwardedExchange {
    const { method, target, headers, body = new Uint8Array() } = this.#request;
    const { status, headers: answered, informational = [] } = this.#answer;
    return {
      ...{ startedAt: this.#startedAt, endedAt: this.#clock.now(), method, target },
      ...{ requestHeaders: headers.flat(), requestBody: { body } },
      ...{ status, responseHeaders: answered.flat(), informational },
      ...{ responseBody: { body: Buffer.concat(this.#received) }, ...end },
    };
  }
}

/** Whose fault it is that no whole answer came. */
function fate({ signal }: WireRequest, fault: 'closed' | 'cut'): Required<Pick<End, 'failure' | 'fault'>> {
  return signal?.aborted === true
    ? { failure: 'the client went away', fault: 'dropped' }
    : { failure: 'the server closed the connection', fault };
}
