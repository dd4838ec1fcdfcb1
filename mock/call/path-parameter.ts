import type { Call } from './call.ts';
import { decodeTolerantly } from './front.ts';

/** A raw path parameter, by its name in the path of the operation. */
export function rawPathParameter({ operation, request }: Call, name: string): string {
  const position = operation?.path.split('/').indexOf(`{${name}}`) ?? -1;
  return request.segments[position - 1] ?? '';
}

/** The same, decoded; undecodable text stays unchanged. */
export function pathParameter(call: Call, name: string): string {
  return decodeTolerantly(rawPathParameter(call, name));
}
