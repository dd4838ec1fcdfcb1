import { join } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { needOfWrite } from '../../conformance/writes/withheld.ts';
import type { Judged } from './judge.ts';
import type { RealServer } from './server.ts';

export const pageFile = join(packageRoot(), 'docs', 'real-servers.md');

/** The page, from the runs on all servers. */
export function renderPage(judged: readonly Judged[]): string {
  const servers = [...new Set(judged.map(({ server }) => server))];
  return `# Real servers

What \`tallystick conform\` says about public servers that were not prepared for it. \`npm run real-servers\` writes this page. It
installs each server, starts it with an empty database, makes what an owner may have there, with the names of the document's
examples, and gives the suite the document of the server and a credential of an administrator. No fixtures are given.
The whole database, or all that the API of the server shows, is read before and after each run. The run may differ by nothing but what it made and could not take back.

Every fail and warning was checked by hand. \`true\`: the server breaks its own document. \`set-up\`: the way it is run here explains
it. None is a fault of the suite; otherwise the command fails.

| server | run | requests | pass | fail | warn | operations withheld | rows left | other rows changed |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${judged.map(rowOf).join('\n')}

${servers
  .map((server) =>
    sectionOf(
      server,
      judged.filter((one) => one.server === server),
    ),
  )
  .join('\n')}`;
}

// --- internal ---

function rowOf({ server, run, report, left, unexplained }: Judged): string {
  const { summary, requests } = report;
  const need = needOfWrite('');
  const withheld = new Set(
    report.rules.flatMap(({ missing = '' }) => (missing.startsWith(need) ? missing : [])),
  );
  return cells([
    ...[`${server.name} ${server.version}`, run, requests.sent],
    ...[summary.pass, summary.fail, summary.warn, withheld.size, left.length, unexplained.length],
  ]);
}

function sectionOf(server: RealServer, judged: readonly Judged[]): string {
  const causes = new Map<string, { readonly cells: readonly string[]; readonly rules: Set<string> }>();
  for (const { findings } of judged)
    for (const { rule, classified } of findings) {
      const { cause = 'not classified', because = rule.observed ?? '' } = classified ?? {};
      const entry = causes.get(because) ?? { cells: [cause, because], rules: new Set() };
      causes.set(because, entry);
      entry.rules.add(rule.id.replace(/^document\./, ''));
    }
  const rows = [...causes.values()].map(({ cells: told, rules }) =>
    cells([told[0] ?? '', rules.size, told[1] ?? '', [...rules].sort().map(code).join(', ')]),
  );
  const own = server.ownWrites.map(
    ({ table, members = [], because }) => `${code([table, ...members].join(' '))} (${because})`,
  );
  return `## ${server.name} ${server.version}

Its document: ${server.document}. ${own.length === 0 ? 'It writes nothing by itself.' : `What it writes by itself: ${own.join(', ')}.`}

${rows.length === 0 ? 'No rule fails or warns.' : ['| cause | rules | what it is | which |', '| --- | --- | --- | --- |', ...rows].join('\n')}
`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function cells(values: readonly (string | number)[]): string {
  return `| ${values.map((value) => String(value).replace(/[|<>]/g, String.raw`\$&`)).join(' | ')} |`;
}
