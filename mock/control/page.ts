import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';

/** A file of the inspector, as the control port serves it. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/**
 * Applies to everything on the control port: pages load nothing from other hosts, cannot be framed, and send no
 * referrer.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The inspector's file at a path; `undefined` if there is none. It is the same for every caller. */
export async function inspectorPage(path: string): Promise<PageFile | undefined> {
  if (path === '/') return (await file('index.html')) ?? NOT_BUILT;
  // Only names that exist in the folder: a path is never joined to it.
  const name = (await assets()).find((asset) => path === `/assets/${asset}`);
  return name === undefined ? undefined : file(join('assets', name));
}

export function sendPage(response: ServerResponse, { status, headers, body }: PageFile): void {
  response.writeHead(status, { ...PAGE_HEADERS, ...headers }).end(body);
}

// --- internal ---

const folder = (): string => join(packageRoot(), 'dist', 'inspector');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const NOT_BUILT: PageFile = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: 'The inspector is not built here: npm run build. The control API is under /control/v1/.\n',
};

function assets(): Promise<readonly string[]> {
  return readdir(join(folder(), 'assets')).catch(() => []);
}

async function file(name: string): Promise<PageFile | undefined> {
  const body = await readFile(join(folder(), name)).catch(() => undefined);
  if (body === undefined) return undefined;
  // The names of assets contain a hash of their content; the page itself does not.
  const cached = extname(name) === '.html' ? 'no-cache' : 'private, max-age=31536000, immutable';
  return {
    status: 200,
    headers: { 'Content-Type': types[extname(name)] ?? 'application/octet-stream', 'Cache-Control': cached },
    body,
  };
}
