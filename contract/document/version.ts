import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic, Document } from '../model.ts';
import { readAs31 } from './newer-version.ts';
import type { SourceFile } from '../text/parse.ts';
import type { Repaired } from '../repairs/repair-list.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** The OpenAPI version of a file. An unsupported version is reported, with a fix. */
export function dialectOf(
  source: SourceFile,
  report: (diagnostic: Diagnostic) => void,
  repaired?: Repaired,
): Document['dialect'] | undefined {
  const { file, value, locate } = source;
  const refuse = (message: string, help: string, member?: string): undefined => {
    const pointer = member === undefined ? undefined : `/${member}`;
    report(problem('openapi-version', message, { location: locate(pointer ?? ''), pointer, help }));
  };
  const isAlsoOpenApi = repaired !== undefined && /^3\.\d/.test(String(value['openapi']));
  if (isAlsoOpenApi && Object.hasOwn(value, 'swagger')) {
    const wrong = 'an OpenAPI 3 document has no swagger';
    repaired({ kind: 'swagger beside openapi', pointer: '/swagger', wrong, read: 'absent' });
    Reflect.deleteProperty(value, 'swagger');
  }
  if (repaired !== undefined && /^3\.[01]\.\d$/.test(String(value['swagger']))) {
    const read = String(value['swagger']);
    repaired({
      kind: 'swagger for openapi',
      pointer: '/swagger',
      wrong: `swagger is ${read}`,
      read: `openapi: ${read}`,
    });
    value['openapi'] = read;
    Reflect.deleteProperty(value, 'swagger');
  }
  if (Object.hasOwn(value, 'swagger')) {
    const help = 'convert it to OpenAPI 3.0 first, for example with swagger2openapi or the Swagger Editor';
    const version = value['swagger'];
    const named = typeof version === 'object' ? 'Swagger' : `Swagger ${String(version)}`;
    return refuse(`${file} is a ${named} document`, help, 'swagger');
  }
  if (!Object.hasOwn(value, 'openapi')) {
    const meant = suggest('openapi', Object.keys(value));
    const help = 'add a line such as `openapi: 3.1.0`';
    if (meant !== undefined)
      return refuse(`${file} has no property "openapi"`, `rename ${meant} to openapi`, meant);
    return refuse(`${file} is not an OpenAPI document: it has no property "openapi"`, help);
  }
  const written = value['openapi'];
  const plain = repaired === undefined ? undefined : plainVersion(written);
  if (plain !== undefined) {
    const wrong = `openapi is ${JSON.stringify(written)}`;
    repaired?.({ kind: 'the OpenAPI version', pointer: '/openapi', wrong, read: JSON.stringify(plain) });
    value['openapi'] = plain;
  }
  const version = value['openapi'];
  if (typeof version !== 'string') {
    return refuse(
      `openapi must be a string, not ${JSON.stringify(version).slice(0, 40)}`,
      `write '3.1.0' or '3.0.3', in quotes`,
      'openapi',
    );
  }
  const [, minor] = /^3\.([012])\.\d+(?:-.+)?$/.exec(version) ?? [];
  if (minor === '2') readAs31(source, report, repaired);
  if (minor !== undefined) return minor === '0' ? '3.0' : '3.1';
  const help = /^3\.[012]$/.test(version)
    ? `write ${version}.0`
    : /^3\./.test(version)
      ? 'use OpenAPI 3.1, without the newer features'
      : 'use OpenAPI 3.1.0 or 3.0.3';
  const isIncomplete = /^3\.[012]$/.test(version);
  const message = isIncomplete
    ? `the OpenAPI version ${version} is incomplete`
    : `OpenAPI ${version.slice(0, 40)} is not supported, only 3.0, 3.1 and 3.2 are`;
  return refuse(message, help, 'openapi');
}

// --- internal ---

/**
 * `3.1`, the number 3.1, and texts with spaces, a `v` or a caret mean 3.1.0. YAML turns an unquoted 3.0 into
 * the number 3.
 */
function plainVersion(written: unknown): string | undefined {
  if (typeof written !== 'number' && typeof written !== 'string') return undefined;
  const [, version, patch] = /^\s*[v^~]?(3(?:\.[012])?)(\.\d+)?\s*$/i.exec(String(written)) ?? [];
  if (version === undefined) return undefined;
  const plain = `${version === '3' ? '3.0' : version}${patch ?? (version === '3' ? '.3' : '.0')}`;
  return plain === written ? undefined : plain;
}
