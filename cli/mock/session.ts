import { constants } from 'node:os';
import type { RunningMock } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import { mockBanner } from './banner.ts';
import type { MockCommandOptions } from './flags.ts';
import { pressKey } from './keys.ts';

/** Prints the addresses of a mock that is ready. */
export function announce(
  running: RunningMock,
  milliseconds: number,
  options: MockCommandOptions,
  context: Context,
): void {
  const { terminal } = context;
  if (options.json === true)
    terminal.result(JSON.stringify({ schemaVersion: 1, event: 'ready', ...addressesOf(running) }));
  else if (options.printUrl === true) terminal.result(running.url);
  else {
    const facts = {
      milliseconds,
      data: options.data,
      deviations: options.deviate ?? [],
      keys: listensToKeys(options, context),
    };
    for (const line of mockBanner(running, facts, terminal)) terminal.say(line);
  }
}

/** The addresses of a mock, for programs. */
export function addressesOf({ url, controlUrl, certificate }: RunningMock): object {
  return { url, controlUrl, certificate, pid: process.pid };
}

/** The variables of a command that runs beside the mock. */
export function environmentOf(running: RunningMock): Record<string, string> {
  const control = running.controlUrl === undefined ? {} : { TALLYSTICK_MOCK_CONTROL_URL: running.controlUrl };
  return { TALLYSTICK_MOCK_URL: running.url, ...control };
}

/** Ends on a signal, or on the key for that. */
export function untilEnd(running: RunningMock, options: MockCommandOptions, context: Context): Promise<void> {
  const { onSignal, exit, terminal } = context;
  return new Promise((resolvePromise) => {
    const end = (code?: number): void => {
      forgetSignals();
      forgetKeys?.();
      if (code !== undefined) exit(code);
      resolvePromise();
    };
    const forgetSignals = onSignal((signal) => {
      end(signal === 'SIGTERM' ? undefined : 128 + constants.signals[signal]);
    });
    const forgetKeys = listensToKeys(options, context)
      ? context.onKey?.((key) => {
          pressKey(key, running, { terminal, quit: end }).catch((error: unknown) => {
            terminal.say(error instanceof Error ? error.message : String(error));
          });
        })
      : undefined;
  });
}

// --- internal ---

function listensToKeys({ json, printUrl, exec }: MockCommandOptions, { onKey, terminal }: Context): boolean {
  return (
    onKey !== undefined && terminal.interactive && json !== true && printUrl !== true && exec === undefined
  );
}
