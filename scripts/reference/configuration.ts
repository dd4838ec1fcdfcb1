import ts from 'typescript';
import { block, code, page, prose, table, writtenFrom } from './markdown.ts';
import { declarationsIn, docOf, docOfNode, program } from './sources.ts';

/** `tallystick.config.ts`: a table for each interface of `cli/config.ts`. */
export function configurationPage(): string {
  return page(
    writtenFrom(code(FILE)),
    '# Configuration',
    '`tallystick init` writes `tallystick.config.ts`. Commands find it in the working directory or in a folder above it. The command line wins over it.',
    block(
      'ts',
      `import { defineConfig } from 'tallystick';

export default defineConfig({
  contracts: ['router', { document: 'notes.openapi.yaml', sheet: 'notes.behaviour.yaml' }],
  generate: { out: 'src/api', server: true },
  mock: { port: 4710, latency: '50ms' },
  conform: { targets: { staging: { baseUrl: 'https://staging.example.com' } } },
});`,
    ),
    ...[...declarationsIn(FILE)].map(([name, declaration]) =>
      ts.isInterfaceDeclaration(declaration)
        ? page(`## ${name}`, prose(docOf(symbolOf(declaration))), membersTable(declaration)).trimEnd()
        : '',
    ),
  );
}

// --- internal ---

const FILE = 'cli/config.ts';

function symbolOf({ name }: ts.InterfaceDeclaration): ts.Symbol | undefined {
  return program().getTypeChecker().getSymbolAtLocation(name);
}

function membersTable({ members }: ts.InterfaceDeclaration): string {
  const rows = members.filter(ts.isPropertySignature).map((member) => {
    const type = (member.type?.getText() ?? 'unknown').replace(/\breadonly /g, '');
    const name = code(member.name.getText());
    return [
      member.questionToken === undefined ? `${name} (required)` : name,
      code(type),
      prose(docOfNode(member)),
    ];
  });
  return table(['member', 'type', 'meaning'], rows);
}
