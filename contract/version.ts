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
    return refuse(`${file} is written in Swagger ${String(value['swagger'])}`, help, 'swagger');
  }
  if (!Object.hasOwn(value, 'openapi')) {
    const meant = suggest('openapi', Object.keys(value));
    const help = 'begin with a line such as `openapi: 3.1.0`';
    if (meant !== undefined)
      return refuse(`${file} does not say its OpenAPI version`, `is ${meant} meant to be openapi?`, meant);
    return refuse(`${file} is no OpenAPI document: it has no member "openapi"`, help);
  }
  const version = value['openapi'];
  if (typeof version !== 'string') {
    return refuse(
      `the OpenAPI version is no text: ${JSON.stringify(version)}`,
      `write '3.1.0' or '3.0.3', in quotes`,
      'openapi',
    );
  }
  const [, minor] = /^3\.([01])\.\d+(?:-.+)?$/.exec(version) ?? [];
  if (minor !== undefined) return minor === '0' ? '3.0' : '3.1';
  const help = /^3\.[01]$/.test(version)
    ? `write ${version}.0`
    : /^3\./.test(version)
      ? 'write it in 3.1, without what is newer'
      : 'write 3.1.0 or 3.0.3';
  return refuse(`OpenAPI ${version.slice(0, 40)} is not supported: 3.0 and 3.1 are`, help, 'openapi');
}
