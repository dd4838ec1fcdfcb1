import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contract/index.ts';

/** The version in package.json. */
export function ownVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
