import { CommandFailure } from '../failure.ts';
import { shellLine, shellWord } from '../../contract/index.ts';

/**
 * The message for a server that cannot listen; `undefined` for every other error.
 *
 * @param wanted the address that a command should listen on, and the words of that command; if another port fails, it
 * is the control port
 */
export async function addressFailure(
  error: unknown,
  wanted: { readonly port: number; readonly host: string; readonly command: readonly string[] },
): Promise<CommandFailure | undefined> {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code, port = 0 } = error as NodeJS.ErrnoException & { port?: number };
  const isControl = port !== wanted.port;
  const options = { cause: error };
  const typed = (...flags: readonly string[]): string => shellLine(...wanted.command, ...flags);
  const freeControl = ['--port', String(wanted.port), '--control-port', '0'];
  switch (code) {
    case 'EADDRINUSE': {
      const other = await otherMock(port);
      const user = other === undefined ? '' : ' by another tallystick mock';
      const purpose = isControl ? ', and the control API was to listen there' : '';
      const free = isControl
        ? `let the control API take a free port: ${typed(...freeControl)}`
        : `take a free port: ${typed('--port', '0')}`;
      const use =
        other === undefined ? [] : [`use that mock: export TALLYSTICK_MOCK_URL=${shellWord(other)}`];
      return new CommandFailure(2, `Port ${port} is in use${user}${purpose}`, [...use, free], options);
    }
    case 'EACCES': {
      const flags = isControl ? freeControl : ['--port', '4710'];
      const help = [`take a port above 1023: ${typed(...flags)}`];
      return new CommandFailure(2, `This user may not listen on port ${port}`, help, options);
    }
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN': {
      const help = [`listen for programs of this machine: ${typed('--host', '127.0.0.1')}`];
      return new CommandFailure(2, `${wanted.host} is not an address of this machine`, help, options);
    }
    default:
      return undefined;
  }
}

// --- internal ---

/** How long the program on a port may take to answer as a mock, in milliseconds. */
const PATIENCE_MS = 500;

/** The address of a mock on this machine that uses the port for its API or its control API. */
async function otherMock(port: number): Promise<string | undefined> {
  for (const controlPort of [port + 1, port]) {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(`http://127.0.0.1:${controlPort}/control/v1/state`, { signal });
      const state = (await response.json()) as { readonly url?: unknown } | null;
      if (typeof state?.url !== 'string' || !/^http:\/\/[\w.:[\]-]+$/.test(state.url)) continue;
      if (controlPort === port || state.url.endsWith(`:${port}`)) return state.url;
    } catch {
      // The program on that port is not the control API of a mock.
    }
  }
  return undefined;
}
