import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../e2e/free-port.ts';
import { toolPath } from '../tools.ts';
import { pause } from '../until.ts';

/** An engine of this test's own: on a free port of the loopback, with its data in a folder that goes with it. */
export interface Engine {
  readonly port: number;
  readonly url: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Valkey, or Redis where that is missing; for tests with the tag `valkey`. */
export async function startValkey(settings: readonly string[] = []): Promise<Engine> {
  const program = toolPath('valkey');
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-valkey-'));
  const port = await freePort();
  const parts = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--daemonize',
    'no',
    ...settings,
  ];
  return engine(
    { port, url: `redis://127.0.0.1:${String(port)}`, folder, endsBy: 'SIGKILL' },
    () => spawn(program, parts, { stdio: 'ignore' }),
    () => pinged(port),
  );
}

export interface PostgresOptions {
  /** Waits for its disk, as in production; tests need not. */
  readonly safe?: boolean;
  readonly settings?: readonly string[];
  /** At which port of the loopback the primary is whose standby this shall be. */
  readonly follows?: number;
  /** How large a file may get: what would make one larger is refused as on a full disk. */
  readonly fileBytes?: number;
}

/** PostgreSQL, for tests with the tag `postgres`. It refuses to run as root, so there it runs as the user that its package made. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Engine> {
  const bin = toolPath('postgres');
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = ['-u', '-g'].map((which) =>
    isRoot ? Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' })) : undefined,
  );
  const as = uid === undefined || gid === undefined ? {} : { uid, gid };
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const data = join(folder, 'data');
  const surroundings = { ...as, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const [maker, ...making] =
    options.follows === undefined
      ? ['initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
      : ['pg_basebackup', '-U', 'postgres', '-h', '127.0.0.1', '-p', String(options.follows)].concat(
          ...['-R', '-X', 'fetch', '-c', 'fast', '--no-sync'],
        );
  // Its primary may be reached through this process, so nothing may wait meanwhile.
  await promisify(execFile)(join(bin, maker ?? ''), [...making, '-D', data], surroundings);
  const port = await freePort();
  const settings = [
    ...['port=' + String(port), 'listen_addresses=127.0.0.1', 'unix_socket_directories=' + folder],
    ...[options.safe === true ? 'fsync=on' : 'fsync=off', 'max_connections=60', 'shared_buffers=32MB'],
    ...(options.settings ?? []),
  ];
  const program = [join(bin, 'postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const limited =
    options.fileBytes === undefined
      ? program
      : [
          'sh',
          '-c',
          `trap '' XFSZ; ulimit -f ${String(options.fileBytes / 512)}; exec "$@"`,
          'sh',
          ...program,
        ];
  const url = `postgres://postgres@127.0.0.1:${String(port)}/postgres`;
  return engine(
    // Told to end, it takes its shared memory with it.
    { port, url, folder, endsBy: 'SIGINT' },
    () => spawn(limited[0] ?? '', limited.slice(1), { ...surroundings, stdio: 'ignore' }),
    async () => {
      const { Client } = (await import('pg')).default;
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.end();
    },
  );
}

// --- internal ---

/** What ends engines that still run when the process exits. One listener for all of them: Node warns of more than ten. */
const abandoned = new Set<() => void>();
process.once('exit', () => {
  for (const abandon of abandoned) abandon();
});

interface Place {
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  /** Ends it after its last use. */
  readonly endsBy: NodeJS.Signals;
}

async function engine(
  { port, url, folder, endsBy }: Place,
  start: () => ChildProcess,
  answers: () => Promise<void>,
): Promise<Engine> {
  let child = start();
  // A test that fails halfway leaves nothing behind.
  const abandon = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  abandoned.add(abandon);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  const ready = async (): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      try {
        await answers();
        // Another program may have taken the port in the meantime, and answered.
        if (child.exitCode !== null) throw new Error(`the engine ended with ${String(child.exitCode)}`);
        return;
      } catch (error) {
        if (tries > 300 || child.exitCode !== null)
          throw new Error(`the engine does not answer on port ${String(port)}`, { cause: error });
        await pause(50);
      }
    }
  };
  await ready();
  return {
    port,
    url,
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL');
      child = start();
      await ready();
    },
    async stop() {
      abandoned.delete(abandon);
      await end(endsBy);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Another program on that port does not answer `PONG`. */
function pinged(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, () => socket.destroy(new Error('no answer to PING within a second')));
    socket.once('data', (bytes) => {
      socket.destroy();
      if (bytes.toString().startsWith('+PONG')) resolve();
      else reject(new Error(`the answer to PING is ${bytes.toString().slice(0, 80)}`));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection closed before the answer to PING')));
  });
}
