/* Leads from CommonJS into the modules. Apart from bin.cts because `import()` is a syntax error to very old Nodes. */
type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
type Listener = (signal: EndSignal, isSecond?: boolean) => void;

// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
// Nobody is left to be told; what has begun still ends in order.
process.stderr.on('error', () => undefined);

const codes: Readonly<Record<EndSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The first signal asks a command to end. The second one ends the process, however busy it is: nobody handles it. */
function onSignal(listener: Listener): () => void {
  let isSecond = false;
  const handlers = (Object.keys(codes) as EndSignal[]).map((signal) => {
    const handle = (): void => {
      listener(signal, isSecond);
      if (isSecond) process.exit(codes[signal]);
      isSecond = true;
    };
    process.on(signal, handle);
    return () => void process.off(signal, handle);
  });
  return () => {
    for (const forget of handlers) forget();
  };
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
  // A wait on a timer that does not hold the process must not end it in silence.
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
