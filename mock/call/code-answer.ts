import { Refusal, refusalReply, type RefusalOptions } from '../../engine/refusal.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import { jsonAnswer, type Answer, type HeaderLine } from './answer.ts';

/** An error in the shape that the sheet states for errors with codes, as a generated server makes it. */
export function codeAnswer(
  api: ServedApi,
  { code, message, ...options }: { readonly code: string; readonly message: string } & RefusalOptions,
  { headers, licence }: { readonly headers: readonly HeaderLine[]; readonly licence: string | undefined },
): Answer {
  const { status, body } = refusalReply(api, new Refusal(code, message, options));
  return jsonAnswer(status, body, { headers, ...(licence === undefined ? {} : { licence }) });
}
