import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../cli/command.ts';

/** The pages whose commands a reader types in a project of their own. */
export const pages = [
  'README.md',
  'docs/guides/behaviour.md',
  'docs/guides/write-a-module.md',
  'docs/guides/generate.md',
  'docs/guides/mock.md',
  'docs/guides/conform.md',
  'docs/guides/a-server-that-exists.md',
  'docs/guides/proxy.md',
  'docs/guides/servers.md',
  'docs/guides/observe.md',
  'docs/guides/test-handlers.md',
  'docs/guides/proxies-and-certificates.md',
  'docs/guides/upgrade.md',
  'docs/stores.md',
];

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The file that the page asks the reader to make of it: the comment on its first line, or `file=` after the language. */
  readonly file?: string;
  readonly promised: Promised;
  readonly text: string;
}

/**
 * What a page promises of a block. It stands after the language of the fence, where no reader of the rendered page sees
 * it: ```` ```sh status=503 shows="service_unavailable" ````.
 */
export interface Promised {
  /** The exit code; 0 where nothing is said. */
  readonly exit: number;
  /** The HTTP status of each `curl`, in order. */
  readonly status: readonly number[];
  /** Texts that the output holds. */
  readonly shows: readonly string[];
  /** Texts that the output does not hold. */
  readonly lacks: readonly string[];
  /** Files that the block makes or changes. */
  readonly writes: readonly string[];
  /** A server, which runs until the page ends. It is ready when it has printed what it `shows`. */
  readonly background: boolean;
  /** Why no test runs the block. */
  readonly byHand?: string;
}

export const blocksOf = (page: string): Block[] => parseBlocks(page, readFileSync(join(root, page), 'utf8'));

/** @throws {Error} for a promise that cannot be read, with page and line */
export function parseBlocks(page: string, markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)[ ]?([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', info = '', text = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    const { file = /^(?:\/\/|#) (\S+\.\w+)$/m.exec(text.split('\n', 1)[0] ?? '')?.[1], ...promised } = read(
      info,
      `${page}:${line}`,
    );
    return { page, line, language, promised, text, ...(file === undefined ? {} : { file }) };
  });
}

// --- internal ---

function read(info: string, at: string): Promised & { readonly file?: string } {
  const found = {
    exit: 0,
    status: [] as number[],
    shows: [] as string[],
    lacks: [] as string[],
    writes: [] as string[],
  };
  const more: { background: boolean; byHand?: string; file?: string } = { background: false };
  for (const [word, name = '', ...values] of info.matchAll(
    /([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?|\S+/g,
  )) {
    const value = values.find((each) => each !== undefined) ?? '';
    if (name === 'exit') found.exit = Number(value);
    else if (name === 'status') found.status.push(...value.split(',').map(Number));
    else if (name === 'shows' || name === 'lacks') found[name].push(value);
    else if (name === 'writes') found.writes.push(...value.split(' '));
    else if (name === 'background') more.background = true;
    else if (name === 'by-hand') more.byHand = value;
    else if (name === 'file') more.file = value;
    else throw new Error(`${at}: "${word}" after the language of a block means nothing`);
  }
  return { ...found, ...more };
}
