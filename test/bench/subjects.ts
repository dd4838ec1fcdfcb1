import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { startServer, type Server } from './measure.ts';

/** Our command, as it is built. */
export const bin = join(packageRoot(), 'dist/cli/bin.cjs');
export const document = join(packageRoot(), 'specs/router.openapi.yaml');
/** A document of another project, of 0.5 MB. */
export const foreign = join(packageRoot(), 'node_modules/@blockfrost/openapi/openapi.yaml');
export const openapiTypescript = join(packageRoot(), 'node_modules/openapi-typescript/bin/cli.js');

export const headers = { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' };
/** The request that a server has to answer before it counts as ready. */
export const probe = { path: '/v1/models', headers };
/** How long each load lasts. */
export const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);

/** A program in `peers/`. */
export function peer(name: string): string {
  return join(packageRoot(), `test/bench/peers/${name}.mjs`);
}

export function ourMock(args: readonly string[], first: typeof probe = probe): Promise<Server> {
  const serving = ['--port', '0', '--control-port', '0', '--print-url'];
  return startServer([bin, 'mock', ...args, ...serving], first);
}

/** Prism's command cannot take a free port: `peers/prism.mjs` chooses one and prints it. */
export function prismServer(source: string, verbosity: string, first: typeof probe = probe): Promise<Server> {
  return startServer([peer('prism'), prism, source, verbosity], first);
}

/** The same as a proxy, which judges what it passes, to a server. */
export function prismProxy(target: string): Promise<Server> {
  return startServer([peer('prism'), prism, document, 'silent', target], probe);
}

/** A proxy that pipes both bodies. */
export function nodePipe(target: string): Promise<Server> {
  return startServer([peer('node-pipe')], probe, { UPSTREAM: target });
}

// --- internal ---

const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
