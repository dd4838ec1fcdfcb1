/** One replica of `stores.ts`, a process of its own: says that it is there, waits for its load, and answers with its times. */
import { connected, load, type Load } from './store-load.ts';

const { store, close } = await connected(process.argv[2] ?? '');
process.once('message', (message) => {
  void load(store, message as Load).then(async (loaded) => {
    await close();
    process.send?.(loaded, () => {
      process.disconnect();
    });
  });
});
process.send?.('ready');
