import { isIP } from 'node:net';
import { selfSigned, type Certificate } from './certificate.ts';
import { startControl, type RunningControl } from './control/server.ts';
import type { ControlState } from './control/shape.ts';
import { controlState } from './control/control.ts';
import { startAssembly, type Mock, type SteerableMock, type Steered } from './mock.ts';
import { listen, stopServer, urlOf } from './listen.ts';
import { listenerOf, serve, type Listener } from './node-server.ts';
import type { MockOptions } from './options.ts';
import { Namespaces } from './namespaces.ts';
import { checkPorts, controlPortOf } from './ports.ts';

/** The options of `startMock`: those of a mock, and its addresses. */
export interface StartOptions extends MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Serve the API over TLS: with a certificate made for this start, or with the given one, in PEM form. */
  readonly https?: boolean | Certificate;
  /** The port of the control API; `false` for none. Default: the next port, or any free one. */
  readonly controlPort?: number | false;
  /** The token for the control port. Default: beyond this machine a random one, on this machine none. */
  readonly controlToken?: string;
}

/** A mock that listens on its ports. */
export interface RunningMock extends Omit<Mock, 'handle' | 'close' | 'url'> {
  /** Such as `http://127.0.0.1:4710`. */
  readonly url: string;
  readonly controlUrl: string | undefined;
  /** The certificate of the API with `https`, in PEM form, which clients have to trust. */
  readonly certificate?: string;
  /**
   * Answers a request of another Node server, so that a development server can serve the API under its own
   * address.
   *
   * @param baseUrl the address below which the request was sent, such as `http://localhost:5173/mock`; links
   * in answers begin with it. The target of the request must no longer contain its path.
   */
  readonly listener: Listener;
  /** A summary of the mock, as in `GET /control/v1/state`. */
  state(): ControlState;
  /** Cuts open connections and frees the ports. */
  stop(): Promise<void>;
}

/**
 * Starts a mock on a port. Resolves when it serves. Rejects when a port is in use or a contract cannot be
 * served; then no port is open, and no data folder is locked.
 *
 * @throws {RangeError} for invalid options, such as a port that `fetch` refuses to use
 */
export function startMock(
  options?: StartOptions & Steered,
): Promise<RunningMock & Pick<SteerableMock, 'clock'>>;
export function startMock(options: StartOptions): Promise<RunningMock>;
export async function startMock(options: StartOptions = {}): Promise<RunningMock> {
  const { port = 0, host = '127.0.0.1', controlToken } = options;
  checkPorts(options);
  const { mock, assembly } = startAssembly(options);
  const { handle: _alone, url: _nowhere, close, ...rest } = mock;
  const open: Pick<RunningControl, 'stop'>[] = [];
  let namespaces: Namespaces | undefined;
  const stop = async (): Promise<void> => {
    close();
    namespaces?.close();
    await Promise.all(open.map((each) => each.stop()));
  };
  try {
    const made = new Namespaces(options, { mock, assembly: await assembly });
    namespaces = made;
    const { handle } = made;
    const certificate = certificateOf(options, host);
    const server = serve(handle, await assembly, certificate);
    await listen(server, port, host);
    open.push({ stop: () => stopServer(server) });
    const url = urlOf(server, host);
    const target = { mock, assembly: await assembly, url, namespaces: made };
    const listener = listenerOf(handle, await assembly);
    const reload: Mock['reload'] = (...documents) => made.reload(...documents);
    const secured = certificate === undefined ? {} : { certificate: certificate.cert };
    const running = { ...rest, ...secured, reload, url, listener, state: () => controlState(target), stop };
    const controlPort = controlPortOf(options);
    if (controlPort === false) return { ...running, controlUrl: undefined };
    const control = await startControl(made, {
      host,
      url,
      ...secured,
      port: controlPort,
      ...(controlToken === undefined ? {} : { controlToken }),
    });
    open.push(control);
    return { ...running, controlUrl: control.url };
  } catch (error) {
    await stop();
    throw error;
  }
}

// --- internal ---

function certificateOf({ https = false }: StartOptions, host: string): Certificate | undefined {
  if (typeof https !== 'boolean') return https;
  if (!https) return undefined;
  const here = ['localhost', '*.localhost', '127.0.0.1', '::1'];
  const isNamed = !here.includes(host) && (isIP(host) !== 0 || /^[\w.-]+$/.test(host));
  return selfSigned(isNamed ? [...here, host] : here);
}
