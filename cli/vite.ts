import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PreviewServer, Plugin, ViteDevServer } from 'vite';
import { problemsOf, readDocuments, type MockDocuments } from './mock/documents.ts';
import { printDiagnostics } from './diagnostics.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { requestOrigin } from '../mock/base-url.ts';
import { makeTerminal } from './terminal.ts';
import { watchDocuments } from './mock/watch-documents.ts';
import { startMock, type ApiShape, type RunningMock, type StartOptions } from '../mock/index.ts';

/**
 * The options of `tallystick mock`, and how the page reaches the mock. Vite decides about addresses and
 * ports.
 */
export interface TallystickOptions extends Omit<
  StartOptions,
  'apis' | 'contracts' | 'host' | 'ownContracts' | 'port' | 'publicUrl'
> {
  /**
   * Built-in APIs by name, your own OpenAPI documents by path, relative to Vite's root. Default: all built-in
   * APIs.
   */
  readonly apis?: readonly string[];
  /** The behaviour sheet of your document; default: the one beside it. Needs exactly one document. */
  readonly sheet?: string;
  /** OpenAPI Overlays 1.0 that correct your document. Needs exactly one document. */
  readonly overlays?: readonly string[];
  /** Refuse slips in documents that are repaired with a warning otherwise. */
  readonly strict?: boolean;
  /** Hosts from which documents may load `$ref`s; default: none. */
  readonly allowRemote?: readonly string[];
  /** The path below which the page calls the APIs, such as `/mock`. Default: their own paths. */
  readonly below?: string;
  /**
   * Header lines for calls without a credential, by name. Default: the mock's own credential of each API;
   * `false` adds none.
   */
  readonly credential?: Readonly<Record<string, string>> | false;
}

/**
 * A Vite plugin that serves the APIs of a mock under the address of the page, in `vite` and `vite preview`:
 * uploads, event streams and cut connections work as with the mock itself, and the page does not contain the
 * key. It prints the address of the inspector, reloads changed documents, and ends with Vite. Builds and
 * Vitest are not affected.
 *
 * @throws {Error} for unusable options and documents, before Vite listens
 */
export function tallystick(options: TallystickOptions = {}): Plugin {
  const below = options.below ?? '';
  if (!/^(\/[\w.~-]+)*$/.test(below))
    throw new Error(
      `tallystick: below must be a path without a slash at its end, such as /mock, got ${JSON.stringify(below)}.`,
    );
  let endWithBundle = (): Promise<void> => Promise.resolve();
  const attach = async (server: ViteDevServer | PreviewServer): Promise<void> => {
    const { root, logger, plugins } = server.config;
    if (plugins.some(({ name }) => name === 'vitest')) return;
    const place = `${root} ${below}`;
    // A restart of Vite configures the new server, with a new plugin, before it closes the old one.
    const earlier = await mocks.get(place);
    await earlier?.stop();
    const started = start(options, root, earlier?.running.controlUrl);
    const known = started.catch(() => undefined);
    mocks.set(place, known);
    const { running, stop } = await started;
    const end = async (): Promise<void> => {
      if (mocks.get(place) === known) mocks.delete(place);
      await stop();
    };
    const { apis } = running.state();
    requirePrefixes(apis, below);
    server.middlewares.use(serveApis(running, apis, { below, credential: options.credential }));
    const print = server.printUrls.bind(server);
    server.printUrls = () => {
      print();
      logger.info(`  ➜  Mock:    ${[...prefixesOf(apis)].map((prefix) => below + prefix).join(', ')}`);
      if (running.controlUrl !== undefined) logger.info(`  ➜  Inspector: ${running.controlUrl}`);
    };
    // In middleware mode, a server has no socket and ends only with its bundle.
    if (server.httpServer === null) endWithBundle = end;
    server.httpServer?.once('close', () => {
      end().catch((error: unknown) => {
        logger.error(`tallystick: ${error instanceof Error ? error.message : String(error)}`);
      });
    });
  };
  return {
    name: 'tallystick',
    apply: 'serve',
    configureServer: attach,
    configurePreviewServer: attach,
    closeBundle: () => endWithBundle(),
  };
}

// --- internal ---

const INSPECTOR_PORT = '4711';

/** The mocks that run in this process, by their addresses. */
const mocks = new Map<string, Promise<Started | undefined>>();

interface Started {
  readonly running: RunningMock;
  readonly stop: () => Promise<void>;
}

async function start(
  options: TallystickOptions,
  root: string,
  earlierInspector = `http://localhost:${INSPECTOR_PORT}`,
): Promise<Started> {
  const { apis, sheet, overlays = [], strict, allowRemote, below: _, credential: __, ...rest } = options;
  const ours = carriedContracts();
  const documents: MockDocuments = {
    foreign: (apis ?? [])
      .filter((name) => !ours.some((carried) => carried === name))
      .map((document) => ({ document, overlays, ...(sheet === undefined ? {} : { sheet }) })),
    ...{ allowRemote, copies: [] },
    strict: strict === true ? true : undefined,
  };
  if ((sheet !== undefined || overlays.length > 0) && documents.foreign.length !== 1)
    throw new Error('tallystick: sheet and overlays need exactly one OpenAPI document in apis.');
  const context = { cwd: root, terminal: makeTerminal(process, process.env) };
  const since = Date.now();
  const read = await readDocuments(documents, context);
  if (!read.ok)
    throw new Error(
      [`tallystick: ${read.broken.join(', ')} cannot be used.`, ...problemsOf(read.diagnostics)].join('\n'),
    );
  printDiagnostics(read.diagnostics, context);
  const running = await startOnAnyPort(Number(new URL(earlierInspector).port), {
    ...rest,
    ...(apis === undefined
      ? {}
      : { apis: ours.filter((name) => apis.includes(name)), contracts: read.foreign }),
  });
  const endWatch = await watchDocuments(documents, { files: read.files, since }, running, context);
  let stopped: Promise<void> | undefined;
  return {
    running,
    stop: () => (stopped ??= Promise.all([endWatch(), running.stop()]).then(() => undefined)),
  };
}

/** With the inspector at this port, or at a free one if that is in use. */
async function startOnAnyPort(controlPort: number, wanted: StartOptions): Promise<RunningMock> {
  if (wanted.controlPort !== undefined) return startMock(wanted);
  try {
    return await startMock({ ...wanted, controlPort });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startMock(wanted);
  }
}

function prefixesOf(apis: readonly ApiShape[]): ReadonlySet<string> {
  return new Set(apis.flatMap(({ prefixes }) => prefixes));
}

/** @throws {Error} for an API that would take every path of the page */
function requirePrefixes(apis: readonly ApiShape[], below: string): void {
  const greedy = apis.find(({ prefixes }) => prefixes.includes(''));
  if (greedy === undefined || below !== '') return;
  throw new Error(
    `tallystick: a path of ${greedy.name} begins with a parameter, so it would match every path of the page. ` +
      "Set below: '/mock', and let the page call /mock/….",
  );
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

function serveApis(
  { listener }: RunningMock,
  apis: readonly ApiShape[],
  { below, credential }: { readonly below: string; readonly credential: TallystickOptions['credential'] },
): Middleware {
  // The longest path first: the credential is that of the API with the most specific path.
  const entries = apis
    .flatMap(({ prefixes, credential: own }) => prefixes.map((prefix) => ({ prefix, lines: own.headers })))
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  const beside = apis.flatMap(({ besidePrefixes = [] }) => besidePrefixes);
  const pages = apis.flatMap(({ operations }) =>
    operations.filter(({ answersHtml, method }) => answersHtml === true && method === 'get'),
  );
  /**
   * Whether a browser may open an address of the APIs: pictures, archives, and operations with a declared
   * HTML answer.
   */
  const isPage = (target: string): boolean => {
    const [path = ''] = target.split('?');
    return beside.some((prefix) => isBelow(path, prefix)) || pages.some((page) => hasForm(path, page.path));
  };
  return (request, response, next) => {
    const url = request.url ?? '/';
    const target = isBelow(url, below) ? url.slice(below.length) : undefined;
    const entry = entries.find(({ prefix }) => target !== undefined && isBelow(target, prefix));
    if (target === undefined || entry === undefined || (isNavigation(request) && !isPage(target))) {
      next();
      return;
    }
    request.url = target;
    plainHeaders(request);
    if (credential !== false)
      addCredential(request, credential === undefined ? entry.lines : Object.entries(credential));
    listener(request, response, requestOrigin(request, below));
  };
}

/**
 * Whether a browser navigates to a page, for example by its address bar or a link. Paths of pages may begin like
 * those of an API.
 */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /^text\/html\b/i.test((headers.accept ?? '').trim()) : mode === 'navigate';
}

/** Whether a path ends like the path of an operation, where each parameter is one segment. */
function hasForm(path: string, template: string): boolean {
  const [segments, expected] = [path.split('/'), template.split('/').slice(1)];
  const last = segments.slice(-expected.length);
  return (
    segments.length > expected.length && expected.every((part, at) => part.includes('{') || part === last[at])
  );
}

/** Whether a target is a path or lies below it. */
function isBelow(target: string, path: string): boolean {
  return target.startsWith(path) && /^(?:[/?]|$)/.test(target.slice(path.length));
}

/** HTTP/2, which Vite speaks with `server.https`, sends the first line of a request as headers. */
function plainHeaders({ rawHeaders }: IncomingMessage): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name === ':authority') rawHeaders.splice(at, 2, 'host', value);
    else if (name.startsWith(':')) rawHeaders.splice(at, 2);
  }
}

function addCredential(
  { rawHeaders }: IncomingMessage,
  lines: readonly (readonly [name: string, value: string])[],
): void {
  const sent = new Set(rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()));
  if (sent.has('authorization') || lines.some(([name]) => sent.has(name.toLowerCase()))) return;
  rawHeaders.push(...lines.flat());
}
