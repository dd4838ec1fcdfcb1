/** Judges servers for its parent, one after the other: a server that hangs or dies takes this process with it only. */
import { pathToFileURL } from 'node:url';
import type { startSecondServer } from '../fixtures/second-server/index.ts';
import { judge } from './judged.ts';
import type { Setting } from './judged.ts';

process.on('message', ({ bundle, setting }: { readonly bundle: string; readonly setting: Setting }) => {
  void (async () => {
    const loaded = (await import(pathToFileURL(bundle).href)) as {
      readonly startSecondServer: typeof startSecondServer;
    };
    process.send?.(await judge(loaded.startSecondServer, setting));
  })().catch((error: unknown) => process.send?.({ failed: String(error) }));
});
