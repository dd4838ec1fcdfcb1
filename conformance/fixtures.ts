import { joinPointer, suggest } from '../contract/index.ts';
import type { Diagnostic, Json } from '../contract/index.ts';
import { lineTable } from '../contract/locate.ts';
import { parseYaml } from '../contract/parse-yaml.ts';
import { isObject } from './exchange.ts';
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
  const lines = lineTable(file, text);
  const parsed = parseYaml(text, lines, LIMITS);
  if (!parsed.ok) {
    const [first] = parsed.diagnostics;
    const what =
      first?.code === 'syntax'
        ? { code: 'fixtures-syntax', message: `The fixtures file is neither JSON nor YAML: ${first.message}` }
        : {};
    const help = 'tallystick fixtures --template prints a file to start from.';
    return { ok: false, diagnostics: first === undefined ? [] : [{ ...first, ...what, help }] };
  }
  const findings: Diagnostic[] = [];
  const report: Report = (code, message, help, path, part) => {
    const offset = parsed.offsetOf(path, part) ?? 0;
    const pointer = joinPointer('', ...path);
    findings.push({ code, severity: 'error', message, help, pointer, location: lines.at(offset) });
  };
  const value = parsed.value === null ? {} : read(fixturesShape, parsed.value, [], environment, report);
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

/** What a file may hold; it may come from anybody. */
const LIMITS = { depth: 100, marks: 1_500_000, aliasedValues: 100_000 };

type Report = (code: string, message: string, help: string, path: readonly string[], part?: 'name') => void;

function read(
  shape: FixtureShape,
  value: unknown,
  path: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  report: Report,
): unknown {
  const wrong = (wanted: string): undefined => {
    report('fixtures-type', `${path.join('.') || 'the file'}: expected ${wanted}`, shape.about, path);
    return undefined;
  };
  if (shape.type === 'json') return value;
  if (shape.type !== 'group') return readLeaf(shape, value, environment, wrong);
  if (!isObject(value)) return wrong('an object');
  const found: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const inner = [...path, name];
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    if (member === undefined) {
      const near = suggest(name, Object.keys(shape.members));
      const help =
        near === undefined
          ? `Known here: ${Object.keys(shape.members).join(', ')}.`
          : `Did you mean "${near}"?`;
      const message = `${inner.join('.')} is no member of the fixtures file`;
      report('fixtures-unknown-member', message, help, inner, 'name');
    } else if (item !== null || member.type === 'json') {
      found[name] = read(member, item, inner, environment, report);
    }
  }
  for (const name of shape.required) {
    if (found[name] === undefined && !Object.hasOwn(value, name)) {
      const message = `${path.join('.')} lacks "${name}"`;
      report('fixtures-missing-member', message, shape.members[name]?.about ?? '', path);
    }
  }
  return found;
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
