import { spawn } from 'node:child_process';
import type { RunningMock } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import { isKey, keyLine, type Key } from './banner.ts';
import { table } from '../terminal.ts';

/** Reacts to a key. `quit` is called for the key that ends the mock. */
export async function pressKey(
  pressed: string,
  running: Pick<RunningMock, 'controlUrl' | 'journal' | 'clock' | 'reset' | 'state'>,
  { terminal, quit }: Pick<Context, 'terminal'> & { readonly quit: () => void },
): Promise<void> {
  const { say, sign } = terminal;
  if (!isKey(pressed)) return;
  const actions: Record<Key, () => void | Promise<void>> = {
    o: () => {
      if (running.controlUrl === undefined) say('There is no inspector: the control port is disabled.');
      else openInBrowser(running.controlUrl);
    },
    s: async () => {
      const { listScenarios } = await import('../../mock/index.ts');
      const served = running.state().apis.map(({ scenarios }) => scenarios);
      const rows = (await listScenarios(served)).map(({ model, key, prefer, does }) => [
        model ?? key ?? `Prefer: ${prefer}`,
        does,
      ]);
      for (const line of table(rows)) say(`  ${line}`);
    },
    c: () => {
      running.journal.clear();
      say(`${sign.good} the journal is empty`);
    },
    t: async () => {
      const { clock } = running;
      if (!('advance' in clock)) return;
      await (clock as typeof clock & { advance(milliseconds: number): Promise<void> }).advance(3_600_000);
      say(`${sign.good} it is ${new Date(clock.now()).toISOString()}`);
    },
    r: () => {
      running.reset();
      say(`${sign.good} all state is forgotten`);
    },
    h: () => {
      say(`  ${keyLine(sign.dot)}`);
      say('  for outcomes on demand, the clock and keys, see the inspector or docs/guides/mock.md');
    },
    q: quit,
  };
  await actions[pressed]();
}

// --- internal ---

/** Without a browser nothing happens; the banner has the address. */
function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  spawn(program ?? 'xdg-open', args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
