import { configureGlobal } from 'fast-check';

/**
 * Laws are tried with the same values in every run, so that a red run is red again. `npm run soak -- laws` tries them with
 * others.
 */
configureGlobal({ seed: Number(process.env['TALLYSTICK_SEED'] ?? 20_26) });

/** A leak of listeners fails the run: otherwise the warning would be lost among what the tests print. */
function refuseLeaks(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning;
}
// Without isolation this file runs once for each test file of a process.
if (!process.listeners('warning').some(({ name }) => name === refuseLeaks.name))
  process.on('warning', refuseLeaks);

// Programs that tests start print signs in a terminal that can show them. A test of the others says so itself.
if (process.env['TERM'] === 'dumb') delete process.env['TERM'];
