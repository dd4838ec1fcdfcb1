import ts from 'typescript';
import type { Json } from '../../contract/model.ts';
import { apis, isObject, objectAt, readSheet } from './own-specs.ts';

/** Ordinary words that are codes as well: fixtures and scenarios are named so too. */
const ordinary = ['forbidden', 'cancelled'];

export interface OwnedLiteral {
  readonly literal: string;
  readonly foundBy: (text: string, kind: 'string' | 'name') => boolean;
}

/**
 * What only the sheets may say: header names that belong to this contract, buckets and error codes, the prefix of keys,
 * durations. Ordinary words count if they are a whole string, the others at every place.
 */
export function ownedLiterals(): readonly OwnedLiteral[] {
  const policies = apis.flatMap((api) => readSheet(api).policies);
  const strings = [...new Set(policies.flatMap((policy) => stringsIn(policy as unknown as Json)))];
  const codes = [
    ...policies.flatMap((policy) => [
      ...('buckets' in policy ? policy.buckets.map(({ name }) => name) : []),
      ...('forecast' in policy ? policy.forecast : []),
      ...(policy.kind === 'error-codes' ? policy.codes.map(({ name }) => name) : []),
    ]),
    // Codes that the contract does not show and the mock makes up.
    ...apis
      .flatMap((api) => readSheet(api).unspecified)
      .flatMap(({ mockUses }) => Object.keys(objectAt(mockUses, 'status'))),
  ].filter((code, index, all) => all.indexOf(code) === index && !ordinary.includes(code));
  const prefixes = policies.flatMap((policy) =>
    policy.kind === 'credentials' && policy.keyPrefix !== undefined ? [policy.keyPrefix] : [],
  );
  return [
    ...strings.filter((text) => /^(x-(service|committed)-|idempotent-)/i.test(text)).map(anywhere),
    ...codes
      .filter((code) => !ordinary.includes(code))
      .map((code) => (code.includes('_') ? anywhere(code) : wholeString(code))),
    ...prefixes.map((prefix) => ({
      literal: prefix,
      foundBy: (text: string, kind: 'string' | 'name') => kind === 'string' && text.startsWith(prefix),
    })),
    ...strings.filter((text) => /^P(T?\d+[DHMS])+$/.test(text)).map(wholeString),
  ];
}

/** Where a source says what only the sheets may say, as `file:line literal`. Comments may say it. */
export function findOwnedLiterals(
  file: string,
  source: string,
  owned: readonly OwnedLiteral[],
): readonly string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, false);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const kind = ts.isIdentifier(node) ? 'name' : 'string';
    if (
      ts.isIdentifier(node) ||
      ts.isStringLiteralLike(node) ||
      isTemplatePart(node) ||
      ts.isRegularExpressionLiteral(node)
    ) {
      for (const { literal, foundBy } of owned) {
        if (!foundBy(node.text, kind)) continue;
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
        found.push(`${file}:${String(line + 1)} ${literal}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

// --- internal ---

const isTemplatePart = (node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail =>
  ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);

const anywhere = (literal: string): OwnedLiteral => {
  const word = new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'i');
  return { literal, foundBy: (text) => word.test(text) };
};

const wholeString = (literal: string): OwnedLiteral => ({
  literal,
  foundBy: (text, kind) => kind === 'string' && text === literal,
});

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
