import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../contract/index.ts';
import { compilerOf } from '../../contract/judge/judge.ts';
import type { GeneratedFile } from '../../generator/index.ts';
import { type Guard, guardsOf } from './guards.ts';
import type { Draft, Group } from './suite.ts';

/** What the guard for one schema says. */
export interface Judged {
  readonly group: Group;
  /** Why no guard was written; `undefined` where one was. */
  readonly refused: string | undefined;
  /** Values on which guard and suite differ. */
  readonly differing: readonly string[];
  /** Values on which the suite differs from what judges bodies in the mock. */
  readonly differingInMock: readonly string[];
}

/**
 * Writes guards for the schemas of the suite as components of a document, and asks them about the values.
 *
 * @param onFiles gets the files that were generated for each document
 */
export async function judge(
  draft: Draft,
  groups: readonly Group[],
  onFiles: (files: readonly GeneratedFile[]) => void = () => undefined,
): Promise<readonly Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-schema-suite-'));
  try {
    const alone = groups.filter(({ schema }) => /\$(?:dynamicA|a)nchor/.test(JSON.stringify(schema)));
    const together = groups.filter((group) => !alone.includes(group));
    const judged = new Map<Group, Judged>();
    // The name of an anchor is one of its file.
    for (const part of [together, ...alone.map((group) => [group])])
      for (const each of await judgeDocument(draft, part, join(folder, String(judged.size)), onFiles))
        judged.set(each.group, each);
    return groups.flatMap((group) => judged.get(group) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

async function judgeDocument(
  draft: Draft,
  groups: readonly Group[],
  folder: string,
  onFiles: (files: readonly GeneratedFile[]) => void,
): Promise<Judged[]> {
  const refused = new Map<number, string>();
  groups.forEach(({ schema }, index) => {
    const reason = elsewhere(schema) ?? (draft === 'draft-4' ? notIn30(schema) : undefined);
    if (reason !== undefined) refused.set(index, reason);
  });
  for (let round = 0; round < 20; round += 1) {
    const schemas = Object.fromEntries(
      groups.flatMap(({ schema }, index) =>
        refused.has(index) ? [] : [[`G${index}`, placed(schema, index)]],
      ),
    );
    const version = draft === 'draft-4' ? '3.0.3' : '3.1.0';
    const document = {
      ...{ openapi: version, info: { title: 'Suite', version: '1' }, paths: {} },
      components: { schemas },
    };
    const { guards, contract, files, diagnostics } = await guardsOf(document, folder);
    if (guards !== undefined && contract !== undefined) {
      onFiles(files);
      const bodies = bodyGuardsOf(contract);
      return groups.map((group, index) => ({
        group,
        refused: refused.get(index),
        differing: refused.has(index) ? [] : differing(group, guards(`G${index}`)),
        differingInMock: refused.has(index) ? [] : differing(group, bodies(`G${index}`)),
      }));
    }
    for (const { pointer = '', code, message, severity } of diagnostics) {
      const [, index] = /^\/components\/schemas\/G(\d+)(?:\/|$)/.exec(pointer) ?? [];
      if (severity !== 'error') continue;
      if (index === undefined) throw new Error(`${code} ${pointer} ${message}`);
      refused.set(Number(index), code);
    }
  }
  throw new Error('each round refuses further schemas');
}

/** The verdicts of the mock, for each component of a contract. */
function bodyGuardsOf(contract: Contract): (name: string) => Guard {
  const named = new Map(contract.schemas.map(({ name, schema }) => [name, schema]));
  const { judge } = compilerOf(contract, named, named);
  return (name) => (value) => judge(name, value).length === 0;
}

/** The schema as a component: what it refers to inside of itself is below its place in the document. */
function placed(schema: unknown, index: number): unknown {
  if (Array.isArray(schema)) return schema.map((item) => placed(item, index));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
      if (name === '$schema') return [];
      if (name === 'enum' || name === 'const') return [[name, value]];
      const isReference = (name === '$ref' || name === '$dynamicRef') && typeof value === 'string';
      return [
        [
          name,
          isReference ? value.replace(/^#(?=\/|$)/, `#/components/schemas/G${index}`) : placed(value, index),
        ],
      ];
    }),
  );
}

/** References by the address of a schema lead out of a document. */
function elsewhere(schema: unknown): string | undefined {
  return /"\$(?:dynamicR|r)ef":"[^#"]/.test(JSON.stringify(schema))
    ? 'refers to a schema by its address'
    : undefined;
}

/** The schema object of OpenAPI 3.0 is a part of draft 4. */
function notIn30(schema: unknown): string | undefined {
  const text = JSON.stringify(schema);
  const [, keyword] =
    /"(\$schema|id|definitions|patternProperties|additionalItems|dependencies)":/.exec(text) ?? [];
  if (keyword !== undefined) return `${keyword} is not in OpenAPI 3.0`;
  if (/"items":\s*\[/.test(text)) return 'a list of items is not in OpenAPI 3.0';
  return /"type":\s*(?:\[|"null")/.test(text) ? 'null, and several types, are not in OpenAPI 3.0' : undefined;
}

function differing({ tests }: Group, guard: Guard): string[] {
  return tests.flatMap(([isValid, value, description]) => (guard(value) === isValid ? [] : [description]));
}
