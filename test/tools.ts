import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A program that some tests need, and a machine may lack. Its name is the tag of these tests in Vitest. */
export interface Tool {
  readonly name: ToolName;
  /** As people call it. */
  readonly title: string;
  /** The package that has it: Debian's, or one of npm where Debian has none. */
  readonly package: { readonly debian: string } | { readonly npm: string };
  /** The group by which `TALLYSTICK_REQUIRE` asks for it. */
  readonly group: 'browser' | 'engines' | 'cache' | 'curl' | 'runtimes';
  /** The path of the program, or of the folder of its programs; `undefined` where it is missing. */
  readonly path: string | undefined;
}

export type ToolName = 'browser' | 'bun' | 'curl' | 'deno' | 'haproxy' | 'postgres' | 'valkey' | 'varnish';

/**
 * Looks for every tool, on the PATH alone; `CHROMIUM_PATH` names a browser elsewhere. Debian keeps the programs of
 * PostgreSQL off the PATH, so they are looked for in their own folder where the PATH has Debian's wrapper.
 */
export function detectTools(environment: Readonly<NodeJS.ProcessEnv>): readonly Tool[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = (...programs: readonly string[]): string | undefined =>
    programs
      .flatMap((program) => folders.map((folder) => join(folder, program)))
      .find((path) => isProgram(path));
  const named = environment['CHROMIUM_PATH'];
  return [
    {
      name: 'browser',
      title: 'Chromium',
      package: { debian: 'chromium' },
      group: 'browser',
      path:
        named !== undefined && isProgram(named)
          ? named
          : onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'),
    },
    {
      name: 'valkey',
      title: 'Valkey or Redis',
      package: { debian: 'redis-server' },
      group: 'engines',
      path: onPath('valkey-server', 'redis-server'),
    },
    {
      name: 'postgres',
      title: 'PostgreSQL',
      package: { debian: 'postgresql' },
      group: 'engines',
      path: postgresPrograms(onPath),
    },
    {
      name: 'haproxy',
      title: 'haproxy',
      package: { debian: 'haproxy' },
      group: 'engines',
      path: onPath('haproxy'),
    },
    {
      name: 'varnish',
      title: 'varnish',
      package: { debian: 'varnish' },
      group: 'cache',
      path: onPath('varnishd'),
    },
    { name: 'curl', title: 'curl', package: { debian: 'curl' }, group: 'curl', path: onPath('curl') },
    { name: 'bun', title: 'Bun', package: { npm: 'bun' }, group: 'runtimes', path: onPath('bun') },
    { name: 'deno', title: 'Deno', package: { npm: 'deno' }, group: 'runtimes', path: onPath('deno') },
  ];
}

/**
 * Why a run must not begin: `TALLYSTICK_REQUIRE`, a list of tools and groups of tools, asks for one that is missing or
 * that does not exist. `undefined` when all of them are there.
 */
export function requirementFailure(
  tools: readonly Tool[],
  environment: Readonly<NodeJS.ProcessEnv>,
): string | undefined {
  const names = (environment['TALLYSTICK_REQUIRE'] ?? '').split(',').map((name) => name.trim());
  const known = [...new Set(tools.flatMap(({ name, group }): string[] => [group, name]))];
  for (const name of names.filter((name) => name !== '')) {
    if (!known.includes(name))
      return `TALLYSTICK_REQUIRE asks for ${name}, which is no tool. Tools: ${known.join(', ')}`;
    const missing = tools.find(
      (tool) => tool.path === undefined && (tool.name === name || tool.group === name),
    );
    if (missing !== undefined)
      return `${missing.title} is missing, and TALLYSTICK_REQUIRE asks for ${name}. To install it: ${installCommand([missing])}`;
  }
  return undefined;
}

/** The command that installs tools on Debian and its relatives. */
export function installCommand(tools: readonly Tool[]): string {
  const packages = tools.map((tool) => tool.package);
  const debian = packages.flatMap((each) => ('debian' in each ? each.debian : []));
  const npm = packages.flatMap((each) => ('npm' in each ? each.npm : []));
  return [
    ...(debian.length === 0 ? [] : [`apt-get install ${debian.join(' ')}`]),
    ...(npm.length === 0 ? [] : [`npm install --global ${npm.join(' ')}`]),
  ].join(' && ');
}

/**
 * The path of a tool, for tests with its tag: they run only where it is.
 *
 * @throws {Error} where it is missing
 */
export function toolPath(wanted: ToolName): string {
  const tool = detectTools(process.env).find(({ name }) => name === wanted);
  if (tool?.path === undefined)
    throw new Error(
      `${tool?.title ?? wanted} is missing: ${installCommand(tool === undefined ? [] : [tool])}`,
    );
  return tool.path;
}

// --- internal ---

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type OnPath = (...programs: readonly string[]) => string | undefined;

/** The folder of `initdb` and `postgres`. As root they run as the user that the package made, so there it has to exist. */
function postgresPrograms(onPath: OnPath): string | undefined {
  const folder = postgresFolder(onPath);
  return folder === undefined || (process.getuid?.() === 0 && !hasUser('postgres')) ? undefined : folder;
}

function postgresFolder(onPath: OnPath): string | undefined {
  const initdb = onPath('initdb');
  // Where only a link is on the path, its neighbours are elsewhere.
  if (initdb !== undefined) return dirname(realpathSync(initdb));
  const root = '/usr/lib/postgresql';
  if (onPath('pg_ctlcluster') === undefined || !existsSync(root)) return undefined;
  return readdirSync(root)
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(root, version, 'bin'))
    .find((bin) => isProgram(join(bin, 'initdb')));
}

function hasUser(name: string): boolean {
  try {
    execFileSync('id', ['-u', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
