import { problem } from './diagnostic-codes.ts';
import type { Diagnostic, Document } from './model.ts';
import type { SourceFile } from './parse.ts';
import { suggest } from './suggest.ts';

/** Which OpenAPI a file is written in; a version that is not read is reported, with what to do about it. */
export function dialectOf(
  { file, value, locate }: SourceFile,
  report: (diagnostic: Diagnostic) => void,
): Document['dialect'] | undefined {
  const refuse = (message: string, help: string, member?: string): undefined => {
    const pointer = member === undefined ? undefined : `/${member}`;
    report(problem('openapi-version', message, { location: locate(pointer ?? ''), pointer, help }));
  };
  if (Object.hasOwn(value, 'swagger')) {
    const help = 'convert it to OpenAPI 3.0 first, for example with swagger2openapi or the Swagger Editor';
    return refuse(`${file} is a Swagger ${String(value['swagger'])} document`, help, 'swagger');
  }
  if (!Object.hasOwn(value, 'openapi')) {
    const meant = suggest('openapi', Object.keys(value));
    const help = 'add a line such as `openapi: 3.1.0`';
    if (meant !== undefined)
      return refuse(`${file} has no property "openapi"`, `rename ${meant} to openapi`, meant);
    return refuse(`${file} is not an OpenAPI document: it has no property "openapi"`, help);
  }
  const version = value['openapi'];
  if (typeof version !== 'string') {
    return refuse(
      `openapi must be a string, not ${JSON.stringify(version).slice(0, 40)}`,
      `write '3.1.0' or '3.0.3', in quotes`,
      'openapi',
    );
  }
  const [, minor] = /^3\.([01])\.\d+(?:-.+)?$/.exec(version) ?? [];
  if (minor !== undefined) return minor === '0' ? '3.0' : '3.1';
  const help = /^3\.[01]$/.test(version)
    ? `write ${version}.0`
    : /^3\./.test(version)
      ? 'use OpenAPI 3.1, without the newer features'
      : 'use OpenAPI 3.1.0 or 3.0.3';
  const isIncomplete = /^3\.[01]$/.test(version);
  const message = isIncomplete
    ? `the OpenAPI version ${version} is incomplete`
    : `OpenAPI ${version.slice(0, 40)} is not supported, only 3.0 and 3.1 are`;
  return refuse(message, help, 'openapi');
}
