import { routeTo } from '../conformance/http/connection.ts';
import type { Report, SocketOptions } from '../conformance/index.ts';
import { LONGEST_JUDGED } from '../conformance/traffic/index.ts';
import type { Contract } from '../contract/index.ts';
import { listen, urlOf } from '../mock/listen.ts';
import { checkPorts, controlPortOf } from '../mock/ports.ts';
import { guarded } from './guard.ts';
import { JudgeDesk } from './judging/judge-desk.ts';
import { makeListener } from './listener.ts';
import { LoopMark } from './loops.ts';
import type { JudgedExchange } from './observer.ts';
import { OpenExchanges } from './open-exchanges.ts';
import { passThrough } from './pass-through.ts';

/** The options of `startProxy`. */
export interface ProxyOptions {
  /**
   * The server, such as `https://api.example.com`. A path in it precedes every target that does not begin with it already, as
   * links of the server do.
   */
  readonly target: URL;
  /** The contracts, with their sheets, by which the traffic is judged. */
  readonly contracts: readonly Contract[];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * More names by which clients call the proxy, or whose pages may call it. Without them, those of this machine may: loopback
   * names, `host`, and the host of the target; and an address as the host of a request, if `host` means all addresses.
   */
  readonly allowedHosts?: readonly string[];
  /** The port of the page and its control API; `false` for none. Default: the next port, or any free one. */
  readonly controlPort?: number | false;
  /** How to connect to the server: certificates to present and to trust, and an HTTP proxy. */
  readonly sockets?: SocketOptions | undefined;
  readonly toolVersion?: string;
  /** Called for each completed and judged exchange. */
  readonly onExchange?: (judged: JudgedExchange) => void;
}

/** A running proxy. */
export interface RunningProxy {
  /** The address for clients, such as `http://127.0.0.1:4710`. */
  readonly url: string;
  /** The address of the inspector. */
  readonly controlUrl: string | undefined;
  /**
   * Cuts open connections, frees the ports, and resolves with the verdicts on all exchanges. It waits at most 10 seconds of
   * processor time for what is not judged yet, and 10 more for the report.
   *
   * @param hurry when it is aborted, only what is judged by then is in the report, which comes within 3 of these seconds
   */
  stop(hurry?: AbortSignal): Promise<Report>;
}

/**
 * Forwards requests of clients to a server, and judges the traffic.
 *
 * @throws {RangeError} for invalid ports
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, contracts, port = 0, host = '127.0.0.1', allowedHosts = [] } = options;
  const { sockets = {}, toolVersion, onExchange } = options;
  checkPorts(options);
  const room = { left: MOST_HELD };
  const desk = await JudgeDesk.open({ contracts, target, toolVersion, onExchange, room });
  const mark = new LoopMark();
  const ending = new AbortController();
  const exchanges = new OpenExchanges((exchange) => desk.add(exchange));
  const below = await belowOf(target, contracts);
  const pass = passThrough({
    ...{ route: routeTo(target, sockets), longestCopy: LONGEST_JUDGED, room, mark, below },
    onBegin: () => exchanges.begin(),
    ending: ending.signal,
  });
  const names = new Set(
    [target.hostname.replace(/^\[|\]$/g, ''), ...allowedHosts].map((name) => name.toLowerCase()),
  );
  const { server, end } = makeListener(guarded(pass, { host, names }, mark));
  try {
    await listen(server, port, host);
  } catch (error) {
    desk.close();
    throw error;
  }
  const stop = async (hurry?: AbortSignal): Promise<Report> => {
    const cut = exchanges.count;
    ending.abort();
    await end();
    await exchanges.over();
    return desk.finish(cut, hurry);
  };
  const url = urlOf(server, host);
  const controlPort = controlPortOf(options);
  try {
    const controlUrl = controlPort === false ? undefined : await desk.serve({ host, url, port: controlPort });
    return { url, controlUrl, stop };
  } catch (error) {
    await end();
    desk.close();
    throw error;
  }
}

// --- internal ---

/**
 * The limit for bytes of all bodies and exchanges that are held at one time. Bodies beyond it are passed on without being
 * judged.
 */
const MOST_HELD = 12 * 2 ** 20;

/** How to find the part of a target below the path of the server. The contracts decide, where the server has a path. */
async function belowOf(target: URL, contracts: readonly Contract[]): Promise<(path: string) => string> {
  if (target.pathname === '/') return (path) => path;
  const { assemblyOf } = await import('./judging/judge.ts');
  const { belowTarget } = await import('./observer.ts');
  const { assembly, mock } = await assemblyOf(contracts);
  mock.close();
  return (path) => belowTarget(assembly, target, path);
}
