import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that leads to another one, as an address that moves from one engine to the next does. */
export interface Forwarder {
  readonly port: number;
  /** Where new connections lead; the present ones are cut. */
  lead(port: number): void;
  /** Lets nothing more through in either direction, and closes nothing. */
  hold(): void;
  /** Forwards commands to the engine, and cuts every connection before the answer. */
  swallowAnswers(): void;
  /** From now on, what the engine says arrives so much later, in milliseconds. */
  delayAnswers(ms: number): void;
  /** Cuts every connection as soon as it speaks, before the engine hears of it. */
  cut(): void;
  stop(): Promise<void>;
}

export async function forward(to: number): Promise<Forwarder> {
  let target = to;
  let delayMs = 0;
  let mode: 'through' | 'held' | 'swallowing' | 'cut' = 'through';
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        open.delete(from);
        onto.destroy();
      });
      from.on('data', (bytes) => {
        if (mode === 'held') return;
        if (mode === 'cut' || (mode === 'swallowing' && from === far)) near.destroy();
        else if (from === far && delayMs > 0) setTimeout(() => onto.write(bytes), delayMs);
        else onto.write(bytes);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      target = port;
      mode = 'through';
      cutAll();
    },
    hold() {
      mode = 'held';
    },
    swallowAnswers() {
      mode = 'swallowing';
    },
    delayAnswers(ms) {
      delayMs = ms;
    },
    cut() {
      mode = 'cut';
    },
    async stop() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
