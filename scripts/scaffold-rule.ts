import { parse } from 'yaml';

/**
 * The marker for texts of a new rule that its author has to write. A test refuses files that still contain
 * it.
 */
export const TO_FILL_IN = 'TODO';

/** An invalid request, with a message for people. */
export class ScaffoldMistake extends Error {
  override readonly name = 'ScaffoldMistake';
}

export interface ScaffoldPlan {
  /** New texts of files, by their path from the root of the project. */
  readonly files: ReadonlyMap<string, string>;
  /** The remaining steps, one per line. */
  readonly next: readonly string[];
}

/**
 * The parts of a new rule: its record in the sheet, a scenario that judges it, and a deviation that breaks
 * it.
 *
 * @param read returns the text of a file of the project; `undefined` for one that does not exist
 * @throws {ScaffoldMistake} for an id of another form, an unknown family, and a rule or a file that exists
 */
export function scaffoldRule(
  id: string,
  apis: readonly string[],
  read: (path: string) => string | undefined,
): ScaffoldPlan {
  const [, family = '', area = '', name = ''] = ID.exec(id) ?? [];
  if (name === '')
    throw new ScaffoldMistake(
      `${id} is not the id of a rule: family.area.name, such as router.list.limit-zero`,
    );
  const { api, document } = sheetOf(family, id, apis, read);
  const sheet = `specs/${api}.behaviour.yaml`;
  const probes = `conformance/apis/${api}/probes`;
  const deviations = `mock/apis/${api}/deviations`;
  const made = { id, api, document, constant: camelCase(`${area}-${name}`) };
  const file = `${area}-${name}.ts`;
  for (const path of [`${probes}/${file}`, `${deviations}/${file}`])
    if (read(path) !== undefined) throw new ScaffoldMistake(`${path} exists already`);
  const texts = {
    sheet: present(sheet, read),
    probes: present(`${probes}/index.ts`, read),
    deviations: present(`${deviations}/index.ts`, read),
  };
  return {
    files: new Map([
      [sheet, withRule(texts.sheet, made, `${family}.${area}.`)],
      [`${probes}/${file}`, scenarioText(made)],
      [`${probes}/index.ts`, withEntry(texts.probes, `${api}Scenarios`, made.constant, file)],
      [`${deviations}/${file}`, deviationText(made)],
      [
        `${deviations}/index.ts`,
        withEntry(texts.deviations, `${api}Deviations`, `...${made.constant}Deviations`, file),
      ],
    ]),
    next: [
      `${sheet}: say the rule in your own words, and cite its place in the contract`,
      `${probes}/${file}: send requests, and judge the rule; move the scenario to its place in index.ts`,
      `${deviations}/${file}: break the rule, and nothing else; say what breaks with it in alsoFails`,
      `npm run kill-matrix -- ${id}`,
      'npm run docs',
    ],
  };
}

// --- internal ---

interface Made {
  readonly id: string;
  readonly api: string;
  /** The number of the contract document. */
  readonly document: number;
  readonly constant: string;
}

/** As in specs/behaviour.schema.json. */
const ID = /^([a-z][a-z0-9-]*)\.([a-z0-9]+(?:-[a-z0-9]+)*)\.([a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** The sheet with the rules of this family: that of the registry also has those of `proxy`. */
function sheetOf(
  family: string,
  id: string,
  apis: readonly string[],
  read: (path: string) => string | undefined,
): { readonly api: string; readonly document: number } {
  const families = new Set<string>();
  let found: { readonly api: string; readonly document: number } | undefined;
  for (const api of apis) {
    const { document, rules } = parse(present(`specs/${api}.behaviour.yaml`, read)) as {
      readonly document: number;
      readonly rules: readonly { readonly id: string }[];
    };
    for (const rule of rules) {
      if (rule.id === id) throw new ScaffoldMistake(`${id} exists already, in specs/${api}.behaviour.yaml`);
      const [own = ''] = rule.id.split('.');
      families.add(own);
      if (own === family) found = { api, document };
    }
  }
  if (found !== undefined) return found;
  throw new ScaffoldMistake(`No sheet has rules of ${family}: known are ${[...families].join(', ')}`);
}

function present(path: string, read: (path: string) => string | undefined): string {
  const text = read(path);
  if (text === undefined) throw new ScaffoldMistake(`${path} is missing`);
  return text;
}

/** After the last rule of the same area, else after the last rule. */
function withRule(sheet: string, { id, document }: Made, area: string): string {
  const lines = sheet.split('\n');
  const isRule = (line: string): boolean => line.startsWith('  - id: ');
  const end = lines.findIndex((line) => line.startsWith('unspecified:'));
  const rules = lines.flatMap((line, index) => (isRule(line) && index < end ? [index] : []));
  const last = rules.findLast((index) => lines[index]?.startsWith(`  - id: ${area}`)) ?? rules.at(-1) ?? 0;
  let after = last + 1;
  while (/^ {4}\S|^ {5,}/.test(lines[after] ?? '')) after += 1;
  const record = [
    '',
    `  - id: ${id}`,
    '    level: must',
    `    says: '${TO_FILL_IN}: the rule in our own words.'`,
    `    source: { document: ${String(document)}, section: ${TO_FILL_IN}, item: ${TO_FILL_IN} }`,
    '    needs: []',
    '    audience: server',
  ];
  return [...lines.slice(0, after), ...record, ...lines.slice(after)].join('\n');
}

/** Adds an import of an entry from a file in the same folder, and adds the entry at the end of a list. */
function withEntry(index: string, list: string, entry: string, file: string): string {
  const imported = entry.replace('...', '');
  if (new RegExp(`\\b${imported}\\b`).test(index)) throw new ScaffoldMistake(`${imported} exists already`);
  const imports = index.lastIndexOf("';\n", index.indexOf(`export const ${list}`)) + 3;
  const start = index.indexOf(`export const ${list}`);
  const close = index.indexOf('];', index.indexOf('= [', start));
  if (start < 0 || close < 0) throw new ScaffoldMistake(`there is no list ${list} to add ${entry} to`);
  const before = index.slice(imports, close).trimEnd();
  const comma = before.endsWith(',') || before.endsWith('[') ? '' : ',';
  const line = `import { ${imported} } from './${file}';\n`;
  return `${index.slice(0, imports)}${line}${before}${comma}\n  ${entry},\n${index.slice(close)}`;
}

function scenarioText({ id, api, document, constant }: Made): string {
  return `import { check } from '../../../scenarios/check.ts';
import { scenario } from '../../../scenarios/scenario.ts';

export const ${constant} = scenario({
  id: '${id}',
  api: '${api}',
  title: '${TO_FILL_IN}: what is tried',
  judges: ['${id}'],
  requests: {
    call: { method: 'GET', target: '/${TO_FILL_IN}', as: 'valid', times: 1 },
  },
  run: async function* ({ send }) {
    // Document ${String(document)}, ${TO_FILL_IN}: what the contract says there.
    const answer = await send('call');
    yield check('${id}', answer, false, '${TO_FILL_IN}: what a conforming server does');
  },
});
`;
}

function deviationText({ id, constant }: Made): string {
  return `import { breaks } from '../../../deviations/breaks.ts';
import type { Deviation } from '../../../deviations/deviation.ts';

export const ${constant}Deviations: readonly Deviation[] = breaks()({
  '${id}~${TO_FILL_IN}': (answer) => answer,
});
`;
}

function camelCase(name: string): string {
  const text = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return /^[a-z]/.test(text) ? text : `of${text}`;
}
