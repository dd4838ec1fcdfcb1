/* Leads from CommonJS into the modules. Apart from bin.cts because `import()` is a syntax error to very old Nodes. */
type Listener = (signal: 'SIGINT' | 'SIGTERM') => void;

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

/** The first signal asks a command to end. The second one ends the process, however busy it is: nobody handles it. */
function onSignal(listener: Listener): () => void {
  const forget = (): void => void process.off('SIGINT', handle).off('SIGTERM', handle);
  const handle = (signal: NodeJS.Signals): void => {
    forget();
    listener(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
  };
  process.on('SIGINT', handle).on('SIGTERM', handle);
  return forget;
}

/** Keys without their line, as long as somebody listens; ^C goes on being a signal. */
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
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    environment: process.env,
    onSignal,
    ...(process.stdin.isTTY ? { onKey } : {}),
  });
});
