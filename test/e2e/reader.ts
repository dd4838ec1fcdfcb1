import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { freshFolder, plainEnvironment, root, run } from '../cli/command.ts';
import type { Block } from '../docs/blocks.ts';
import { freePort } from './free-port.ts';
import { until } from '../until.ts';

/** A reader who does what a page says, block after block, in a project of their own. */
export interface Reader {
  /** Writes the file or types the command, and holds what comes of it against what the page promises. */
  readonly follow: (block: Block) => Promise<void>;
  /** Ends the servers that were started. */
  readonly leave: () => Promise<void>;
}

export interface ReaderOptions {
  /** Run the real `npx` and `tsc`, as printed. They take seconds each time; their stand-ins do the same sooner. */
  readonly real?: boolean;
}

/** The compiler for most pages; other tests check generated code with other compilers. */
export const nativeTsc = join(root, 'node_modules/typescript-7/bin/tsc');

/** @param text the whole page, for the ports that it names */
export async function readerIn(project: string, text: string, options: ReaderOptions = {}): Promise<Reader> {
  const tools = await freshFolder();
  // After each answer curl says its status on stderr, so that what is redirected stays as it is.
  await writeFile(
    join(tools, '.curlrc'),
    'silent\nshow-error\nwrite-out = "%{stderr}\\nHTTP %{http_code}\\n"\n',
  );
  if (options.real !== true) {
    await writeFile(join(tools, 'npx'), npx);
    await chmod(join(tools, 'npx'), 0o755);
  }
  // On a busy machine the five seconds that Vitest gives a test are an assertion about time.
  await writeFile(join(project, 'vitest.config.ts'), vitestConfig);
  const ports = await freePorts(text);
  const ported = (part: string): string =>
    part.replace(/\b\d{4,5}\b/g, (number) => String(ports.get(number) ?? number));
  const exported: Record<string, string> = {};
  const environment = (): Record<string, string> => ({
    ...exported,
    CURL_HOME: tools,
    PATH: `${tools}:${process.env['PATH'] ?? ''}`,
  });
  const servers: ChildProcess[] = [];

  const serve = async (block: Block): Promise<void> => {
    const command = ported(block.text);
    const own = command.includes('--port')
      ? {}
      : { TALLYSTICK_MOCK_PORT: ported('4710'), TALLYSTICK_MOCK_CONTROL_PORT: ported('4711') };
    // A group of its own: npx, the shell that it starts, and the server.
    const child = spawn('sh', ['-c', command], {
      cwd: project,
      env: plainEnvironment({ ...environment(), ...own }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    servers.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    // Some programs colour what they print where CI is set, within a word as well: Vite prints its port in bold.
    const missing = (): readonly string[] => {
      const read = stripVTControlCharacters(said);
      return block.promised.shows.map(ported).filter((shown) => !read.includes(shown));
    };
    const isSaid = (): boolean => missing().length === 0 || child.exitCode !== null;
    await until('the program says what the page shows', isSaid, 120_000).catch(() => undefined);
    expect(missing(), said).toEqual([]);
  };

  const type = async ({ text: typed, promised }: Block): Promise<void> => {
    const before = await Promise.all(promised.writes.map((file) => versionOf(join(project, file))));
    const { code, stdout, stderr } = await run('sh', ['-eu', '-c', ported(typed)], {
      cwd: project,
      environment: environment(),
    });
    const output = stripVTControlCharacters(`${stdout}${stderr}`);
    expect(code, output).toBe(promised.exit);
    const statuses = [...stderr.matchAll(/^HTTP (\d{3})$/gm)].map(([, status]) => Number(status));
    expect(statuses, output).toEqual(promised.status);
    for (const shown of promised.shows) expect(output).toContain(ported(shown));
    for (const absent of promised.lacks) expect(output).not.toContain(ported(absent));
    const after = await Promise.all(promised.writes.map((file) => versionOf(join(project, file))));
    const untouched = promised.writes.filter((_file, at) => after[at] === 'none' || after[at] === before[at]);
    expect(untouched, `not written\n${output}`).toEqual([]);
    for (const [, name = '', value = ''] of typed.matchAll(/^export (\w+)=(\S+)$/gm)) exported[name] = value;
  };

  return {
    async follow(block) {
      const { file, language, promised, text: content } = block;
      if (promised.byHand !== undefined) return;
      if (file !== undefined) {
        await mkdir(dirname(join(project, file)), { recursive: true });
        await writeFile(join(project, file), ported(content));
      } else if (language === 'sh') await (promised.background ? serve(block) : type(block));
    },
    async leave() {
      for (const server of servers.splice(0)) {
        if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) continue;
        const end = new Promise((resolve) => server.once('close', resolve));
        process.kill(-server.pid, 'SIGTERM');
        await end;
      }
    },
  };
}

// --- internal ---

/** What npx does with a program that is installed, without the second that npm takes to start. */
const npx = `#!/bin/sh
[ "$1 $2" = '--no --' ] || { echo "npx: expected --no --, not $*" >&2; exit 64; }
program=./node_modules/.bin/$3
shift 3
[ "$program" != ./node_modules/.bin/tsc ] || exec '${process.execPath}' '${nativeTsc}' "$@"
exec "$program" "$@"
`;

const vitestConfig = 'export default { test: { testTimeout: 120_000, hookTimeout: 120_000 } };\n';

/**
 * Pages name the usual ports; a test takes free ones, so that nobody's server is in the way. A port that follows on
 * another one on the page follows on it here as well: a mock takes the next one for its control API.
 */
async function freePorts(text: string): Promise<ReadonlyMap<string, number>> {
  const named = [...`${text} :4710 :4711`.matchAll(/(?::|port[ =(]|listen\()(\d{4,5})\b/g)].map(([, port]) =>
    Number(port),
  );
  const ports = new Map<string, number>();
  for (const port of [...new Set(named)].sort((a, b) => a - b)) {
    const before = ports.get(String(port - 1));
    ports.set(String(port), before === undefined ? await freePort() : before + 1);
  }
  return ports;
}

async function versionOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return 'none';
  }
}
