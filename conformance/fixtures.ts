import { LineCounter, isMap, isScalar, parseDocument } from 'yaml';
import type { Node } from 'yaml';
import { suggest } from '../contract/index.ts';
import type { Diagnostic, Json } from '../contract/index.ts';
import { fixturesShape } from './fixtures-shape.ts';
import type { FixtureShape } from './fixtures-shape.ts';

/** A call whose outcome is known. */
export interface ModelFixture {
  readonly id: string;
  readonly input: Json;
}

/** What a live server has to offer; every member is optional. The members are explained in fixtures-shape.ts. */
export interface Fixtures {
  readonly baseUrl?: string;
  readonly jobsBaseUrl?: string;
  readonly deadlineMs?: number;
  readonly cred?: {
    readonly valid?: { readonly header: string; readonly value: string };
    readonly apiKey?: string;
    readonly jwt?: string;
    readonly forbidden?: string;
    readonly secondAccount?: string;
  };
  readonly account?: { readonly noCredits?: string };
  readonly concurrency?: {
    readonly bound?: number;
    readonly cred?: string;
    readonly id?: string;
    readonly input?: Json;
  };
  readonly spend?: {
    readonly bound?: ModelFixture & {
      readonly cents?: number;
      readonly cred?: string;
      readonly calls: number;
    };
  };
  readonly cursor?: { readonly expired?: string };
  readonly model?: {
    readonly ok?: ModelFixture;
    readonly echo?: ModelFixture & {
      readonly expectedOutput?: Json;
      readonly rawInput?: string;
      readonly rawOutput?: string;
    };
    readonly slow?: ModelFixture & { readonly minMs?: number };
    readonly reject422?: ModelFixture & { readonly single?: Json; readonly expectedFailures?: number };
    readonly policy?: ModelFixture;
    readonly deadline?: ModelFixture;
    readonly providerTimeout?: ModelFixture;
    readonly '5xx'?: ModelFixture;
    readonly '503'?: ModelFixture;
    readonly '425'?: ModelFixture;
    readonly hugeOutput?: ModelFixture;
    readonly noSchema?: ModelFixture;
    readonly creditsHeader?: ModelFixture;
    readonly unreleased?: string;
    readonly unknown?: string;
    readonly unknownProvider?: string;
  };
  readonly provider?: { readonly probe?: string };
  readonly publish?: {
    readonly publisherId?: string;
    readonly nodeId?: string;
    readonly node?: Json;
    readonly node_version?: Json;
    readonly pat?: string;
    readonly nextVersion?: string;
    readonly foreign?: { readonly publisherId: string; readonly nodeId: string };
    readonly second?: { readonly publisherId: string; readonly nodeId: string };
  };
  readonly proxy?: {
    readonly partner?: string;
    readonly image?: { readonly base64?: string; readonly url?: string };
  };
  readonly capabilities?: { readonly keyAsBearer?: boolean };
  readonly surface?: 'cloud' | 'self-hosted' | 'serverless' | 'demo';
  readonly staticToken?: string;
  readonly sse?: {
    readonly eventNames?: { readonly status?: string; readonly progress?: string; readonly preview?: string };
  };
  readonly job?: { readonly [member: string]: Json };
}

export type FixturesResult =
  | { readonly ok: true; readonly fixtures: Fixtures }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a fixtures file, JSON or YAML. `$NAME` in a place for secrets is taken from `environment`.
 *
 * @param file how messages call the file
 */
export function readFixtures(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  file = 'fixtures',
): FixturesResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number | undefined): Pick<Diagnostic, 'location'> => {
    if (offset === undefined) return {};
    const { line, col } = lines.linePos(offset);
    return { location: { file, line, column: col } };
  };
  const syntax = document.errors[0];
  if (syntax !== undefined) {
    const message = syntax.message.split('\n')[0] ?? syntax.message;
    return {
      ok: false,
      diagnostics: [
        {
          code: 'fixtures-syntax',
          severity: 'error',
          message: `The fixtures file is neither JSON nor YAML: ${message.replace(/:?\s*$/, '')}`,
          help: 'tallystick fixtures --template prints a file to start from.',
          ...at(syntax.pos[0]),
        },
      ],
    };
  }
  const findings: Diagnostic[] = [];
  const report: Report = (code, message, help, node, pointer) =>
    findings.push({ code, severity: 'error', message, help, pointer, ...at(node?.range?.[0]) });
  const value =
    document.contents === null ? {} : read(fixturesShape, document.contents, '', environment, report);
  return findings.length > 0
    ? { ok: false, diagnostics: findings }
    : { ok: true, fixtures: value as Fixtures };
}

/** Whether the fixtures hold a need such as `model.slow`. */
export function hasFixture(fixtures: Fixtures, need: string): boolean {
  let value: unknown = fixtures;
  for (const segment of need.split('.')) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string, unknown>)[segment];
  }
  return value !== undefined && value !== null;
}

// --- internal ---

type Report = (
  code: string,
  message: string,
  help: string,
  node: Node | null | undefined,
  pointer: string,
) => void;

function read(
  shape: FixtureShape,
  node: Node,
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  report: Report,
): unknown {
  const pointer = path === '' ? '' : `/${path.replaceAll('.', '/')}`;
  const wrong = (wanted: string): undefined => {
    report('fixtures-type', `${path || 'the file'}: expected ${wanted}`, shape.about, node, pointer);
    return undefined;
  };
  if (shape.type === 'json') return node.toJSON();
  if (shape.type !== 'group')
    return readLeaf(shape, isScalar(node) ? node.value : undefined, environment, wrong);
  if (!isMap(node)) return wrong('an object');
  const value: Record<string, unknown> = {};
  for (const { key, value: item } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const inner = path === '' ? name : `${path}.${name}`;
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (member === undefined) {
      const near = suggest(name, Object.keys(shape.members));
      const help =
        near === undefined
          ? `Known here: ${Object.keys(shape.members).join(', ')}.`
          : `Did you mean "${near}"?`;
      report(
        'fixtures-unknown-member',
        `${inner} is no member of the fixtures file`,
        help,
        key as Node,
        pointer,
      );
    } else if (item !== null && !(isScalar(item) && item.value === null && member.type !== 'json')) {
      value[name] = read(member, item as Node, inner, environment, report);
    }
  }
  for (const name of shape.required) {
    if (value[name] === undefined && !node.has(name)) {
      report(
        'fixtures-missing-member',
        `${path} lacks "${name}"`,
        shape.members[name]?.about ?? '',
        node,
        pointer,
      );
    }
  }
  return value;
}

function readLeaf(
  shape: FixtureShape,
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  wrong: (wanted: string) => undefined,
): unknown {
  switch (shape.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : wrong('a number');
    case 'flag':
      return typeof value === 'boolean' ? value : wrong('true or false');
    case 'choice':
      return shape.required.includes(value as string) ? value : wrong(`one of ${shape.required.join(', ')}`);
    case 'secret': {
      if (typeof value !== 'string') return wrong('text, or $NAME of an environment variable');
      const name = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
      if (name === undefined) return value;
      const found = environment[name];
      return found === undefined || found === '' ? wrong(`$${name} to be set in the environment`) : found;
    }
    case 'text':
      return typeof value === 'string' ? value : wrong('text');
    case 'json':
    case 'group':
      return value;
  }
}
