import { routeTo } from '../conformance/http/connection.ts';
import type { Report, SocketOptions } from '../conformance/index.ts';
import { LONGEST_JUDGED } from '../conformance/traffic/index.ts';
import { ownContractNames, type Contract } from '../contract/index.ts';
import { startControl, type RunningControl } from '../mock/control/server.ts';
import { listen, urlOf } from '../mock/listen.ts';
import { startAssembly } from '../mock/mock.ts';
import { Namespaces } from '../mock/namespaces.ts';
import { checkPorts, controlPortOf } from '../mock/ports.ts';
import { guarded } from './guard.ts';
import { makeListener } from './listener.ts';
import { LoopMark } from './loops.ts';
import { Observer, type JudgedExchange } from './observer.ts';
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
  /** Closes open connections, frees the ports, and resolves with the verdicts on all exchanges. */
  stop(): Promise<Report>;
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
  const isCarried = ({ name }: Contract): boolean => ownContractNames.some((own) => own === name);
  const { mock, assembly } = startAssembly({
    apis: ownContractNames.filter((own) => contracts.some(({ name }) => name === own)),
    contracts: contracts.filter((contract) => !isCarried(contract)),
  });
  const known = await assembly;
  const observer = new Observer(known, { contracts, target, toolVersion, onExchange });
  const mark = new LoopMark();
  const ending = new AbortController();
  const exchanges = new OpenExchanges((exchange) => observer.see(exchange));
  const pass = passThrough({
    mark,
    ...{ route: routeTo(target, sockets), longestCopy: LONGEST_JUDGED, room: { left: MOST_COPIED } },
    below: observer.below,
    onBegin: () => exchanges.begin(),
    ending: ending.signal,
  });
  const names = new Set(
    [target.hostname.replace(/^\[|\]$/g, ''), ...allowedHosts].map((name) => name.toLowerCase()),
  );
  const { server, end } = makeListener(guarded(pass, { host, names }, mark));
  const open: Pick<RunningControl, 'stop'>[] = [];
  const stop = async (): Promise<Report> => {
    const cut = exchanges.count;
    ending.abort();
    mock.close();
    await Promise.all(open.map((each) => each.stop()));
    await exchanges.over();
    return observer.report({ cut });
  };
  try {
    await listen(server, port, host);
    open.push({ stop: end });
    const url = urlOf(server, host);
    const controlPort = controlPortOf(options);
    if (controlPort === false) return { url, controlUrl: undefined, stop };
    // The inspector shows the journal of the observer, without the state of a mock.
    const shown = { ...mock, journal: observer.journal, handle: () => Promise.reject(new Error(NOT_SENT)) };
    const namespaces = new Namespaces({}, { mock: shown, assembly: known, only: SHOWN });
    const control = await startControl(namespaces, { host, url, port: controlPort });
    open.push(control);
    return { url, controlUrl: control.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// --- internal ---

/**
 * The limit for bytes of bodies that are copied at one time. Bodies beyond it are passed on without being
 * judged.
 */
const MOST_COPIED = 128 * 2 ** 20;

/** The part of a mock's control API that a proxy has: there is no state to control. */
const SHOWN = ['state', 'journal', 'reference', 'operations', 'openapi'];

const NOT_SENT = 'A proxy sends no requests of its own: repeat the call with your client.';
