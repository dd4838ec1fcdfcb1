import { configureGlobal } from 'fast-check';

/**
 * Laws are tried with the same values in every run, so that a red run is red again. `npm run soak -- laws` tries them with
 * others.
 */
configureGlobal({ seed: Number(process.env['TALLYSTICK_SEED'] ?? 20_26) });
