import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import { operationsIn } from './item-operations.ts';
import { locateNear } from '../text/locate.ts';
import { memberNamesOf } from '../schemas/member-names.ts';
import type { Diagnostic, Document } from '../model.ts';
import type { ReadDocument } from './validate.ts';
import { securedObjects, walkObjects } from './object-kinds.ts';
import { isRecord } from '../record.ts';
import { judgePatterns } from '../judge/pattern-cost.ts';
import { followed, joinPointer } from '../pointer.ts';
import { contradictionsOf } from '../schemas/schema-contradictions.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { lacksType } from '../schemas/untyped-schemas.ts';

/** Checks what a JSON Schema of OpenAPI cannot express: names that must agree, and patterns. */
export async function checkDocument(
  document: ReadDocument,
  report: (diagnostic: Diagnostic) => void,
): Promise<void> {
  const tell: Tell = (code, pointer, message, help, part) => {
    report(problem(code, message, { pointer, location: locateNear(document.locate, pointer, part), help }));
  };
  checkPaths(document.root, tell);
  checkSecurity(document.root, tell);
  const patterns = checkSchemas(document, tell);
  await checkCosts(patterns, tell);
}

// --- internal ---

type Tell = (code: DiagnosticCode, pointer: string, message: string, help?: string, part?: 'name') => void;

function checkPaths(root: Document['root'], tell: Tell): void {
  const paths = entriesOf(root['paths']).filter(([path]) => !path.startsWith('x-'));
  const shapes = new Map<string, string>();
  const ids = new Map<string, string>();
  let operations = 0;
  for (const [path, item] of paths) {
    const pointer = joinPointer('/paths', path);
    const shape = path.replace(/\{[^{}]*\}/g, '{}');
    const twin = shapes.get(shape);
    if (twin !== undefined) {
      tell(
        'path-twice',
        pointer,
        `${path} and ${twin} match the same requests`,
        'move their operations to one of the two paths',
      );
    }
    shapes.set(shape, path);
    const shared = parametersOf(root, item, pointer, tell);
    for (const { method, operation, tokens } of operationsIn(item)) {
      operations += 1;
      const at = joinPointer(pointer, ...tokens);
      const own = parametersOf(root, operation, at, tell);
      checkPathParameters(path, at, [...shared, ...own], tell);
      const id = operation['operationId'];
      if (typeof id !== 'string') continue;
      const first = ids.get(id);
      const name = `${method.toUpperCase()} ${path}`;
      if (first === undefined) ids.set(id, name);
      else
        tell(
          'operation-id-twice',
          joinPointer(at, 'operationId'),
          `duplicate operationId ${id}`,
          `${first} has it too: rename one of the two`,
        );
    }
  }
  if (operations === 0)
    tell('no-operations', '/paths', 'the document has no operations', 'add an operation under paths');
}

interface NamedParameter {
  readonly name: string;
  readonly in: string;
  readonly pointer: string;
}

function parametersOf(root: unknown, owner: unknown, at: string, tell: Tell): NamedParameter[] {
  const list = isRecord(owner) ? owner['parameters'] : undefined;
  if (!Array.isArray(list)) return [];
  const found = new Map<string, NamedParameter>();
  list.forEach((raw: unknown, index) => {
    const pointer = joinPointer(at, 'parameters', index);
    const parameter = followed(root, raw);
    if (!isRecord(parameter)) return;
    const { name, in: position } = parameter;
    if (typeof name !== 'string' || typeof position !== 'string') return;
    const key = `${position} ${name}`;
    if (found.has(key))
      tell('parameter-twice', pointer, `duplicate ${position} parameter ${name}`, 'remove one of the two');
    found.set(key, { name, in: position, pointer });
  });
  return [...found.values()];
}

function checkPathParameters(
  path: string,
  at: string,
  parameters: readonly NamedParameter[],
  tell: Tell,
): void {
  const wanted = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const given = parameters.filter((parameter) => parameter.in === 'path');
  const names = new Set(given.map(({ name }) => name));
  for (const name of new Set(wanted)) {
    if (wanted.indexOf(name) !== wanted.lastIndexOf(name)) {
      tell('path-parameter-twice', at, `${path} contains {${name}} twice`, 'rename one of them');
    }
    if (names.has(name)) continue;
    const meant = suggest(
      name,
      [...names].filter((other) => !wanted.includes(other)),
    );
    const help =
      meant === undefined ? 'add it to parameters with in: path' : `did you mean the parameter ${meant}?`;
    tell('path-parameter-missing', at, `the path parameter ${name} of ${path} is not declared`, help);
  }
  for (const { name, pointer } of given) {
    if (wanted.includes(name)) continue;
    tell(
      'path-parameter-unknown',
      pointer,
      `the path parameter ${name} does not occur in ${path}`,
      `add {${name}} to the path, or remove the parameter`,
    );
  }
}

function checkSecurity(root: Document['root'], tell: Tell): void {
  const components = root['components'];
  const schemes = isRecord(components) ? components['securitySchemes'] : undefined;
  const known = isRecord(schemes) ? Object.keys(schemes) : [];
  const check = (requirements: unknown, at: string): void => {
    if (!Array.isArray(requirements)) return;
    requirements.forEach((requirement: unknown, index) => {
      for (const name of isRecord(requirement) ? Object.keys(requirement) : []) {
        if (known.includes(name)) continue;
        const meant = suggest(name, known);
        const help = meant === undefined ? 'add it to components.securitySchemes' : `did you mean ${meant}?`;
        tell('security-unknown', joinPointer(at, index, name), `unknown security scheme ${name}`, help);
      }
    });
  };
  for (const { value, pointer } of securedObjects(root))
    check(value['security'], joinPointer(pointer, 'security'));
}

/** The valid patterns, with the places of each. */
function checkSchemas({ root, dialect }: Pick<Document, 'root' | 'dialect'>, tell: Tell): Places {
  const patterns = new Map<string, string[]>();
  const check = (pattern: string, at: string): void => {
    if (!checkPattern(pattern, at, tell)) return;
    const places = patterns.get(pattern);
    if (places === undefined) patterns.set(pattern, [at]);
    else places.push(at);
  };
  const keywords = memberNamesOf('schema');
  const known = new Set(keywords);
  const untyped: string[] = [];
  const contradictions = new Map<string, { at: string; message: string; help: string; more: number }>();
  for (const { kind, value, pointer } of walkObjects({ kind: 'document', value: root, pointer: '' })) {
    if (kind !== 'schema') continue;
    if (typeof value['pattern'] === 'string') check(value['pattern'], joinPointer(pointer, 'pattern'));
    for (const [pattern] of entriesOf(value['patternProperties'])) {
      check(pattern, joinPointer(pointer, 'patternProperties', pattern));
    }
    if (lacksType(value, pointer, root)) untyped.push(pointer);
    for (const { member, message, help } of contradictionsOf(value)) {
      const first = contradictions.get(member);
      if (first !== undefined) first.more += 1;
      else contradictions.set(member, { at: joinPointer(pointer, member), message, help, more: 0 });
    }
    const isReference = Object.hasOwn(value, '$ref');
    for (const member of Object.keys(value)) {
      if (isReference && dialect === '3.0') {
        if (IGNORED_QUIETLY.has(member)) continue;
        const message = `OpenAPI 3.0 ignores ${member} next to $ref`;
        const help = 'wrap the $ref in an allOf, or use OpenAPI 3.1';
        tell('ref-siblings', joinPointer(pointer, member), message, help, 'name');
      } else if (dialect === '3.1' && !known.has(member) && !member.startsWith('x-')) {
        const meant = suggest(member, keywords);
        if (meant === undefined) continue;
        const message = `unknown schema keyword ${member}`;
        tell('keyword-unknown', joinPointer(pointer, member), message, `did you mean ${meant}?`, 'name');
      }
    }
  }
  tellUntyped(untyped, tell);
  for (const { at, message, help, more } of contradictions.values()) {
    const others = more === 0 ? '' : `, and ${String(more)} more like it`;
    tell('schema-contradicts', at, `${message}${others}`, help);
  }
  return patterns;
}

/** One finding for all of them: a document that leaves out types usually does so throughout. */
function tellUntyped([first, ...others]: readonly string[], tell: Tell): void {
  if (first === undefined) return;
  const more = others.length === 0 ? '' : `, and ${others.length} more like it`;
  tell(
    'schema-type-missing',
    first,
    `the schema describes members or items and has no type, so values of other types are valid too${more}`,
    'add type: object or type: array',
  );
}

/** The pointers of the places where a pattern occurs. */
type Places = ReadonlyMap<string, readonly string[]>;

async function checkCosts(patterns: Places, tell: Tell): Promise<void> {
  for (const [pattern, cost] of await judgePatterns(patterns.keys())) {
    if (cost !== 'exponential') continue;
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    for (const at of patterns.get(pattern) ?? [])
      tell(
        'pattern-costly',
        at,
        `the pattern ${shown} can take exponential time to check`,
        'rewrite it so that each value can match in one way only',
      );
  }
}

/** Members that may be ignored beside `$ref` without a warning: they do not change which values are valid. */
const IGNORED_QUIETLY = new Set([
  '$ref',
  'description',
  'title',
  'summary',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Whether a validator can compile the pattern. */
function checkPattern(pattern: string, at: string, tell: Tell): boolean {
  const broken = regExpError(pattern, 'u');
  if (broken === undefined) return true;
  // The engine's message repeats the pattern before the reason.
  const reason = broken.slice(broken.lastIndexOf(': ') + 2);
  const help = `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  if (regExpError(pattern, '') === undefined) {
    tell(
      'pattern-not-unicode',
      at,
      `the pattern ${pattern} is not a valid Unicode regular expression`,
      `${help}: remove unnecessary backslashes`,
    );
  } else {
    tell('pattern-invalid', at, `the pattern ${pattern} is not a valid regular expression`, help);
    return false;
  }
  return true;
}

function regExpError(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
