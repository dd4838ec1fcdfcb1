import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';

/** A value of a YAML text as it is written, or an alias. */
export interface YamlNode {
  readonly kind: 'scalar' | 'sequence' | 'mapping' | 'alias';
  /** Where it begins, after its anchor and tag; `undefined` for a value that is not written. */
  readonly offset: number | undefined;
  /** The name of its anchor, or of the one that the alias repeats. */
  readonly anchor?: string | undefined;
  /** As it is written, such as `!!str`. */
  readonly tag?: string | undefined;
  /** Where the tag begins. */
  readonly tagOffset?: number;
  /** The text of a scalar, without quotes and escapes. */
  readonly text: string;
  /** Whether a scalar has no quotes and is no block: it may be a number, boolean or null. */
  readonly isPlain: boolean;
}

/**
 * The values of a document, one after the other: `undefined` ends the innermost collection, and the document.
 * Names and values of a mapping alternate.
 */
export type YamlNodes = () => YamlNode | undefined;

/** Keys are text in JSON: `200:` and `'200':` are the same key. */
export function yamlKey(node: YamlNode): string | undefined {
  return node.kind === 'scalar' ? node.text : undefined;
}

/** Whether this key inserts the members of another mapping. */
export function isMergeKey(node: YamlNode): boolean {
  return node.isPlain && node.text === '<<';
}

/** The values of the first document that js-yaml read. */
export function nodesOfEvents(text: string, events: readonly Event[]): YamlNodes {
  let at = 0;
  return () => {
    at += 1;
    const event = events[at];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT)
      return undefined;
    const anchor = part(text, event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS)
      return { kind: 'alias', offset: event.anchorStart - 1, anchor, text: '', isPlain: false };
    const tag = part(text, event.tagStart, event.tagEnd);
    const isScalar = event.type === EVENT_ID.SCALAR;
    return {
      kind: isScalar ? 'scalar' : event.type === EVENT_ID.MAPPING ? 'mapping' : 'sequence',
      offset: isScalar ? offsetOf(text, event) : event.start,
      anchor,
      tag,
      tagOffset: event.tagStart,
      text: isScalar ? getScalarValue(text, event) : '',
      isPlain: isScalar && event.style === SCALAR_STYLE.PLAIN,
    };
  };
}

// --- internal ---

function part(text: string, start: number, end: number): string | undefined {
  return start < 0 ? undefined : text.slice(start, end);
}

function offsetOf(text: string, { valueStart, style }: ScalarEvent): number | undefined {
  if (valueStart < 0) return undefined;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const sign = BLOCK_SIGNS.get(style);
  return sign === undefined ? valueStart - 1 : text.lastIndexOf(sign, valueStart - 1);
}

const BLOCK_SIGNS = new Map<number, string>([
  [SCALAR_STYLE.LITERAL_BLOCK, '|'],
  [SCALAR_STYLE.FOLDED_BLOCK, '>'],
]);
