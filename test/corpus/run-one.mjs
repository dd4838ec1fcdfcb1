// Generates one document as the command does and says at its end what the process took. Runs what ships.
import { main } from '../../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  environment: { NO_COLOR: '1' },
  onSignal: () => () => undefined,
});
process.send?.({ megabytes: Math.round(process.resourceUsage().maxRSS / 1024) });
process.disconnect?.();
