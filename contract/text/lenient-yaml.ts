import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { CST, Node } from 'yaml';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import type { LineTable } from './locate.ts';
import { syntaxProblems, walkTokens } from './yaml-mistakes.ts';
import type { YamlNode, YamlNodes } from './yaml-nodes.ts';

export type ReadYaml =
  | { readonly ok: true; readonly nodes: () => YamlNodes }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a text that js-yaml refuses. `yaml` accepts what people write although YAML forbids it, such as a closing
 * bracket at the indentation of its key, and continues after a mistake. It takes three times as long, so it is loaded
 * only when it is needed.
 */
export function readLeniently(text: string, lines: LineTable, depth: number): ReadYaml {
  const { Composer, Parser, isAlias, isMap, isScalar, isSeq } = createRequire(import.meta.url)(
    'yaml',
  ) as typeof Yaml;
  const refuse = (...diagnostics: readonly Diagnostic[]): ReadYaml => ({ ok: false, diagnostics });
  const tokens = [...new Parser().parse(text)];
  const deep = offsetOfDepth(tokens, depth);
  if (deep !== undefined) {
    const help = 'move the inner parts to components and use $ref';
    const message = `the document is nested more than ${depth} levels deep`;
    return refuse(problem('too-deep', message, { location: lines.at(deep), help }));
  }
  // The library's own check for duplicate keys takes quadratic time.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) return { ok: true, nodes: () => () => undefined };
  const mistakes = syntaxProblems(document, tokens, text, lines);
  if (mistakes.length > 0) return refuse(...mistakes);
  if (second !== undefined) {
    const help = 'keep one document per file';
    const location = lines.at(second.range[0]);
    return refuse(
      problem('several-documents', 'the file contains more than one YAML document', { location, help }),
    );
  }

  function* walk(node: unknown): Generator<YamlNode | undefined> {
    if (isAlias(node)) yield { ...UNWRITTEN, kind: 'alias', offset: node.range?.[0], anchor: node.source };
    else if (isScalar(node)) {
      const isPlain = node.type === 'PLAIN';
      const written = isPlain ? (node.source ?? '') : String(node.value);
      yield { ...(written === '' && isPlain ? UNWRITTEN : start(node, 'scalar')), text: written, isPlain };
    } else if (isSeq(node)) {
      yield start(node, 'sequence');
      for (const item of node.items) yield* walk(item);
      yield undefined;
    } else if (isMap(node)) {
      yield start(node, 'mapping');
      for (const pair of node.items) {
        yield* walk(pair.key);
        yield* walk(pair.value);
      }
      yield undefined;
    } else yield UNWRITTEN;
  }
  return {
    ok: true,
    nodes: () => {
      const walked = walk(document.contents);
      return () => walked.next().value as YamlNode | undefined;
    },
  };
}

// --- internal ---

const UNWRITTEN: YamlNode = { kind: 'scalar', offset: undefined, text: '', isPlain: true };

function start(node: Node & { readonly anchor?: string }, kind: YamlNode['kind']): YamlNode {
  const tag = node.tag?.replace('tag:yaml.org,2002:', '!!');
  return { kind, offset: node.range?.[0], anchor: node.anchor, tag, text: '', isPlain: false };
}

/** The first place that is nested deeper than allowed. */
function offsetOfDepth(tokens: readonly CST.Token[], allowed: number): number | undefined {
  for (const { token, depth } of walkTokens(tokens)) {
    if (depth >= allowed && 'items' in token) return token.offset;
  }
  return undefined;
}
