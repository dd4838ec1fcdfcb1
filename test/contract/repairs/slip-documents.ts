import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { loadContract, type LoadOptions, type LoadResult } from '../../../contract/load.ts';

/** A function that loads the text of a document. Its file is called `slip.yaml`. */
export function slipLoader(): (document: string, options?: Partial<LoadOptions>) => Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'slips-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return (document, options = {}) => {
    writeFileSync(join(folder, 'slip.yaml'), document);
    return loadContract({ document: 'slip.yaml', cwd: folder, ...options });
  };
}

export const ok = `responses: {'200': {description: ok}}`;

/** A document with the schema `A`. */
export function schema(text: string, version = '3.1.0'): string {
  return `openapi: ${version}\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {schemas: {A: ${text}}}`;
}

/** A document with one operation, and a schema `Pet` to refer to. */
export function operation(text: string, path = '/x'): string {
  return `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'${path}': {get: {${text}}}}\ncomponents: {schemas: {Pet: {type: object}}}`;
}
