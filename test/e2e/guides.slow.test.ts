// @module-tag long
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ended, plainEnvironment, root, run } from '../cli/command.ts';
import { linkedProject } from './linked-project.ts';
import { freePort } from './free-port.ts';

interface Block {
  readonly language: string;
  readonly about: string;
  readonly text: string;
}

const background: ChildProcess[] = [];
afterEach(() => {
  for (const { pid, exitCode } of background.splice(0)) {
    // The shell and what it started.
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
  }
});

/** Fenced blocks such as ```sh, ```sh background and ```sh exit=1. */
function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)[ ]?([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', about = '', text = '']) => ({
      language,
      about,
      text,
    }),
  );
}

/** Guides name the default ports; tests take free ones, so that nobody's mock is in the way. */
async function onFreePorts(text: string): Promise<(text: string) => string> {
  const ports = new Map<string, string>();
  for (const [port] of text.matchAll(/\b47[12]\d\b/g)) {
    if (!ports.has(port)) ports.set(port, String(await freePort()));
  }
  return (part) =>
    part
      .replace(/^npx --no tallystick mock$/m, 'npx --no tallystick mock --port 4710 --control-port 4711')
      .replace(/\b47[12]\d\b/g, (port) => ports.get(port) ?? port);
}

test.each(['generate', 'mock', 'conform'])('the commands of the guide %s do what it says', async (guide) => {
  const markdown = await readFile(join(root, `docs/guides/${guide}.md`), 'utf8');
  const project = await linkedProject();
  await writeFile(join(project, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
  const ported = await onFreePorts(`${markdown} 4711`);
  for (const block of blocksOf(markdown).filter(({ language }) => language === 'sh')) {
    const text = ported(block.text);
    if (block.about === 'background') {
      await startInBackground(text, project);
      continue;
    }
    const { code, stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: project });
    const expected = Number(/exit=(\d)/.exec(block.about)?.[1] ?? 0);
    expect(code, `${text}\n${stdout}\n${stderr}`).toBe(expected);
    expect(stdout, text).not.toBe('');
  }
});

async function startInBackground(command: string, cwd: string): Promise<void> {
  const child = spawn('bash', ['-c', `exec ${command}`], { cwd, env: plainEnvironment(), detached: true });
  background.push(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Try ')) resolve();
    });
    void ended(child).then(() => reject(new Error(`${command} ended: ${said}`)));
  });
}

test('the TypeScript of the guides and of the README compiles', async () => {
  const project = await linkedProject();
  await writeFile(join(project, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
  await run(process.execPath, [join(root, 'dist/cli/bin.cjs'), 'generate', 'router', '--out', 'src/api'], {
    cwd: project,
  });
  let number = 0;
  for (const file of [
    'README.md',
    'docs/guides/generate.md',
    'docs/guides/mock.md',
    'docs/guides/conform.md',
  ]) {
    const markdown = await readFile(join(root, file), 'utf8');
    for (const { text } of blocksOf(markdown).filter(({ language }) => language === 'ts')) {
      await writeFile(
        join(project, `src/block-${(number += 1)}.ts`),
        `${text}\ndeclare function readKey(): Promise<string>;\nexport {};\n`,
      );
    }
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], {
    cwd: project,
  });
  expect(stdout).toBe('');
  expect(number).toBeGreaterThan(3);
});
