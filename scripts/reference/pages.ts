import { cliPage } from './cli.ts';
import { configurationPage } from './configuration.ts';
import { controlDocument, controlPage } from './control.ts';
import { exportsIndexPage, exportsPage, exportsPageName, undocumentedExports } from './exports.ts';
import { reportPage, reportSchema } from './report.ts';
import { sheetsPage } from './sheets.ts';
import { entryPoints } from './sources.ts';
import { templatesPage } from './templates.ts';

/** A page of the reference, or a document beside it. */
export interface ReferencePage {
  /** For `npm run docs -- NAME`. */
  readonly name: string;
  readonly path: string;
  readonly text: () => string;
  /** Faults that no page can correct, one per line. */
  readonly misfits?: () => readonly string[];
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Everything that is written from the sources; each is compared with the sources by a test. */
export const referencePages: readonly ReferencePage[] = [
  { name: 'cli', path: 'docs/reference/cli.md', text: cliPage },
  { name: 'configuration', path: 'docs/reference/configuration.md', text: configurationPage },
  { name: 'sheets', path: 'docs/reference/behaviour-sheets.md', text: sheetsPage },
  { name: 'control-document', path: 'mock/control/openapi.json', text: () => json(controlDocument()) },
  { name: 'control', path: 'docs/reference/control-api.md', text: controlPage },
  { name: 'report-schema', path: 'docs/reference/report.schema.json', text: () => json(reportSchema()) },
  { name: 'report', path: 'docs/reference/report.md', text: reportPage },
  { name: 'templates', path: 'docs/reference/templates.md', text: templatesPage },
  {
    name: 'exports',
    path: 'docs/reference/exports.md',
    text: exportsIndexPage,
    misfits: undocumentedExports,
  },
  ...entryPoints().map((entry) => ({
    name: `exports-${exportsPageName(entry)}`,
    path: `docs/reference/exports/${exportsPageName(entry)}.md`,
    text: () => exportsPage(entry),
  })),
];
