import { EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { type ReadYaml, readLeniently } from './lenient-yaml.ts';
import type { LineTable } from './locate.ts';
import type { ParsedText } from './parsed-text.ts';
import { nodesOfEvents } from './yaml-nodes.ts';
import { yamlPlaces } from './yaml-places.ts';
import { YamlValues } from './yaml-values.ts';

export interface YamlLimits {
  readonly depth: number;
  /** The limit for characters that can begin a value. Each costs about a kilobyte when mistakes are looked for. */
  readonly marks: number;
  /** The limit for values that aliases add to the written ones. */
  readonly aliasedValues: number;
}

/** Reads YAML 1.2 into plain JSON values. Merge keys are supported, because many documents use them. */
export function parseYaml(text: string, lines: LineTable, limits: YamlLimits): ParsedText {
  if (text.length > limits.marks && countMarks(text) > limits.marks) {
    const diagnostic = problem('file-too-large', `the file has more than ${limits.marks} YAML values`, {
      location: lines.at(0),
      help: 'save it as JSON, which needs less memory, or split it into several files',
    });
    return { ok: false, diagnostics: [diagnostic] };
  }
  const read = readStrictly(text, limits.depth) ?? readLeniently(text, lines, limits.depth);
  if (!read.ok) return read;
  const reader = new YamlValues(read.nodes(), lines, limits.aliasedValues);
  const value = reader.value();
  if (reader.diagnostics.length > 0) return { ok: false, diagnostics: reader.diagnostics };
  return { ok: true, value, offsetOf: yamlPlaces(read.nodes), lines };
}

// --- internal ---

/** The nodes of a text, unless it breaks a rule of YAML or has several documents. */
function readStrictly(text: string, maxDepth: number): ReadYaml | undefined {
  try {
    const events = parseEvents(text, { maxDepth });
    const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT);
    return documents.length > 1 ? undefined : { ok: true, nodes: () => nodesOfEvents(text, events) };
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

const MARKS = new Set(Array.from('\n,:[{?&*!|>#"\'-', (mark) => mark.charCodeAt(0)));

function countMarks(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (MARKS.has(text.charCodeAt(index))) count += 1;
  return count;
}
