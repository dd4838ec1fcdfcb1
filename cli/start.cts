/* Leads from CommonJS into the modules. Apart from bin.cts because `import()` is a syntax error to very old Nodes. */
type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
type Listener = (signal: EndSignal, isSecond?: boolean) => unknown;

/** Later versions of Node can keep compiled code for the next start. Nothing is kept where that fails. */
const { enableCompileCache } = require('node:module') as { enableCompileCache?: (folder: string) => unknown };
const [, installedIn] = /^(.*[\\/]node_modules)[\\/]tallystick[\\/]/.exec(__filename) ?? [];
// Not in the usual folder for temporary files, where other users of the machine could write it first.
if (installedIn !== undefined) enableCompileCache?.(`${installedIn}/.cache/tallystick`);

// A reader that closes the pipe, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
// No reader is left; work in progress still ends in order.
process.stderr.on('error', () => undefined);

const codes: Readonly<Record<EndSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The first signal asks a command to end. The second one ends the process at once, unless the command is about to end. */
function onSignal(listener: Listener): () => void {
  let heard = 0;
  const handlers = (Object.keys(codes) as EndSignal[]).map((signal) => {
    const handle = (): void => {
      heard += 1;
      if (heard > 2) process.exit(codes[signal]);
      if (listener(signal, heard === 2) !== 'ending' && heard === 2) process.exit(codes[signal]);
    };
    process.on(signal, handle);
    return () => void process.off(signal, handle);
  });
  return () => {
    for (const forget of handlers) forget();
  };
}

/** Reads single keys while there is a listener; ^C remains a signal. */
function onKey(listener: (key: string) => void): () => void {
  const { stdin } = process;
  const heard = (text: string): void => {
    if (text === '\u0003') process.kill(process.pid, 'SIGINT');
    else listener(text);
  };
  stdin.setRawMode(true);
  stdin.setEncoding('utf8').on('data', heard).resume();
  return () => {
    stdin.off('data', heard).pause();
    stdin.setRawMode(false);
  };
}

void import('./main.js').then(async ({ main }) => {
  // A wait on an unreferenced timer must not end the process silently.
  const alive = setInterval(() => undefined, 2 ** 30);
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    environment: process.env,
    onSignal,
    ...(process.stdin.isTTY ? { onKey } : {}),
  });
  clearInterval(alive);
});
