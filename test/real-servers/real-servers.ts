/**
 * `npm run real-servers`: installs public servers, starts each from nothing with something of its owner in it, and runs
 * `conform` on it: reads alone first, then with `--allow writes`. It writes docs/real-servers.md. It exits with 1 if a run changed
 * what it had not made, or if a fail or a warning is not classified in test/real-servers/findings.yaml or is classified
 * as ours. It needs PostgreSQL and the registries of npm and Debian. With a name, it runs that server alone.
 */
import { writeFileSync } from 'node:fs';
import { commandLine } from '../command-line.ts';
import { judgeServer, type Judged } from './judge.ts';
import { pageFile, renderPage } from './page.ts';
import { servers } from './servers.ts';

const { positionals } = commandLine(
  import.meta.url,
  { allowPositionals: true },
  servers.map(({ name }) => name),
);
const judged: Judged[] = [];
for (const server of servers.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  for await (const one of judgeServer(server)) {
    judged.push(one);
    const { summary, requests } = one.report;
    const mark = one.troubles.length === 0 ? '✔' : '✖';
    process.stdout.write(
      `${mark} ${server.name} ${server.version}, ${one.run}: ${String(requests.sent)} requests, ${String(summary.pass)} pass, ${String(summary.fail)} fail, ${String(summary.warn)} warn, ${String(one.left.length)} rows left\n`,
    );
    for (const trouble of one.troubles) process.stdout.write(`    ${trouble}\n`);
    if (one.troubles.length > 0) process.exitCode = 1;
  }
}
// A page with a part of the servers would contradict itself.
if (positionals.length === 0) {
  writeFileSync(pageFile, renderPage(judged));
  process.stdout.write(`written: ${pageFile}\n`);
}
