import { Failure } from './failure.ts';
import { typed } from './typed-command.ts';

/** What a person should read when a server cannot listen; `undefined` for every other error. */
export async function addressFailure(error: unknown): Promise<Failure | undefined> {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code, port = 0, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE': {
      const other = await otherMock(port);
      const free = `take a free port: ${typed('mock --port 0')}`;
      return other === undefined
        ? new Failure(2, `Port ${port} is in use`, [free], options)
        : new Failure(
            2,
            `Port ${port} is in use by another tallystick mock`,
            [`use it: TALLYSTICK_MOCK_URL=${other}`, free],
            options,
          );
    }
    case 'EACCES': {
      const help = [`take one above 1023: ${typed('mock --port 4710')}`];
      return new Failure(2, `Port ${port} needs more rights`, help, options);
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN': {
      const help = [`listen on this machine alone: ${typed('mock --host 127.0.0.1')}`];
      return new Failure(2, `${address ?? 'The host'} is no address of this machine`, help, options);
    }
    default:
      return undefined;
  }
}

// --- internal ---

/** How long whatever listens on a port may take to show that it is a mock, in milliseconds. */
const PATIENCE_MS = 500;

/** The address of a mock of this machine that has the port for its API or for its control API. */
async function otherMock(port: number): Promise<string | undefined> {
  for (const controlPort of [port + 1, port]) {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(`http://127.0.0.1:${controlPort}/control/v1/state`, { signal });
      const state = (await response.json()) as { readonly url?: unknown } | null;
      if (typeof state?.url === 'string' && /^http:\/\/[\w.:[\]-]+$/.test(state.url)) return state.url;
    } catch {
      // Whatever listens there, it is no mock of ours.
    }
  }
  return undefined;
}
