import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { ownVersion } from './own-version.ts';

export function doctorCommand({ terminal, environment, exit }: Context): Command {
  return makeCommand('doctor', terminal)
    .description('check this machine for problems')
    .action(() => {
      const { result, sign } = terminal;
      result(`${sign.info} tallystick ${ownVersion()}, contracts: ${carriedContracts().join(', ')}`);
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      if (major === 20) {
        result(
          `${sign.warning} Node ${process.versions.node} works, but Node 20 has had no updates since April 2026: install 22.12 or later`,
        );
      } else if (major === 21 || (major === 22 && minor < 12)) {
        result(`${sign.bad} Node ${process.versions.node} is not supported: install 22.12 or later`);
        exit(2);
      } else {
        result(`${sign.good} Node ${process.versions.node}`);
      }
      const missing = ['@stoplight/prism-http', 'openapi-typescript', 'typescript'].filter(
        (name) => !isInstalled(name),
      );
      for (const name of missing) {
        result(`${sign.bad} ${name} is not installed: run npm install without --omit`);
        exit(2);
      }
      if (missing.length === 0) result(`${sign.good} Prism and TypeScript are installed`);
      const proxy = environment['https_proxy'] ?? environment['HTTPS_PROXY'];
      if (proxy !== undefined && proxy !== '')
        result(
          `${sign.info} $HTTPS_PROXY is set: conform and proxy connect through it; add --no-proxy to connect directly`,
        );
    });
}

// --- internal ---

const { resolve } = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  return (resolve.paths(name) ?? []).some((folder) => existsSync(`${folder}/${name}/package.json`));
}
