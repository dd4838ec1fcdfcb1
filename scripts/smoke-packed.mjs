// Packs the package, installs it into an empty project, and takes the three trips with the Node that runs this script.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import * as modules from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(realpathSync(tmpdir()), 'tallystick-smoke-'));
const env = { ...process.env, NO_COLOR: '1', DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false' };

/** @param {string} program @param {string[]} args @param {string} [cwd] */
const run = (program, args, cwd = project) =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

try {
  writeFileSync(join(project, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], root);
  const [{ filename }] = JSON.parse(packed);
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', join(project, filename)]);
  const bin = join(project, 'node_modules/tallystick/dist/cli/bin.cjs');
  const tallystick = (/** @type {string[]} */ ...args) => run(process.execPath, [bin, ...args]);

  tallystick('generate', '--out', 'src/api');
  const keepsCode = existsSync(join(project, 'node_modules/.cache/tallystick'));
  if (keepsCode !== 'enableCompileCache' in modules)
    throw new Error('compiled code is not kept as it should be');
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  run(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  const judge = `"${process.execPath}" "${bin}" conform $TALLYSTICK_MOCK_URL --api-key service-mock-ok`;
  const told = tallystick('mock', '--quiet', '--exec', judge);
  const summary = told.split('\n').find((line) => /\d pass/.test(line)) ?? '';
  console.log(
    `✔ Node ${process.versions.node}: installed, generated, compiled, mocked, judged: ${summary.trim()}`,
  );
} catch (error) {
  const { stdout = '', message } = /** @type {Error & { stdout?: string }} */ (error);
  console.error(`✖ Node ${process.versions.node}: ${message}\n${stdout}`);
  process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
