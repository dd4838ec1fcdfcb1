import type { GeneratedFile } from '../generated-file.ts';
import { code, jsString } from '../printing.ts';
import type { AnswersView, FailureView } from '../views/answers.ts';
import type { ApiView } from '../views/api.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/**
 * `answers.ts`: the meaning of errors and headers, by the roles that policies give them; no file if there are
 * none.
 */
export function emitAnswers(api: ApiView, view: AnswersView, output: Output): GeneratedFile[] {
  const { keyed, spend, credits, segments } = view;
  if ([keyed, spend, credits, segments].every((part) => part === undefined)) return [];
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  if (keyed !== undefined || spend !== undefined || credits !== undefined)
    collected.type('../runtime/failed', 'StatusAndHeaders');
  if (segments !== undefined) collected.value('../runtime/segments', 'segmentsOf');
  if (spend !== undefined) collected.value('../runtime/failed', 'numberIn');
  const page = {
    imports: collected.lines(),
    keyed:
      keyed === undefined
        ? []
        : [
            {
              ...keyed,
              replay: keyed.replay === undefined ? [] : [keyed.replay],
              runningStatus: code(String(keyed.runningStatus)),
              conflictTest: code(keyed.conflictTest),
              consumed:
                keyed.consumed === undefined
                  ? []
                  : [
                      {
                        ...keyed.consumed,
                        status: code(String(keyed.consumed.status)),
                        conflict: keyed.conflict,
                      },
                    ],
              collectable:
                keyed.collectable === undefined
                  ? []
                  : [{ ...keyed.collectable, status: code(String(keyed.collectable.status)) }],
            },
          ],
    segments:
      segments === undefined
        ? []
        : [
            {
              name: segments.name,
              form: segments.members.join('/'),
              union: code(segments.members.map((member) => jsString(member)).join(' | ')),
              list: code(segments.members.map((member) => jsString(member)).join(', ')),
            },
          ],
    spend: spend === undefined ? [] : [spend],
    credits: credits === undefined ? [] : [credits],
  };
  return [{ path: `${api.folder}/answers.ts`, text: printed(output, api, 'answers', page) }];
}

/** `failures.ts`: the errors of each operation by status, with their guards; no file if there are none. */
export function emitFailures(
  api: ApiView,
  failures: readonly FailureView[],
  output: Output,
): GeneratedFile[] {
  if (failures.length === 0) return [];
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  collected.type('../runtime/errors', 'ApiError');
  collected.value('../runtime/failed', 'failedWith');
  collected.type('../runtime/failed', 'BodyGuards');
  for (const { statuses } of failures) {
    for (const { body, guard, headers } of statuses) {
      collected.type('./types', body);
      collected.value('./validators', guard);
      if (headers !== undefined) collected.type('./types', headers.replace(/\[.*/, ''));
    }
  }
  const page = {
    imports: collected.lines(),
    failures: failures.map((failure) => ({
      ...failure,
      label: code(failure.name),
      statuses: failure.statuses.map(({ status, body, guard, headers }) => ({
        status: code(status),
        // For a range, only the error itself contains its status.
        kind: code(/^\d+$/.test(status) ? status : 'number'),
        body: code(body),
        guard: code(guard),
        headers: code(headers === undefined ? '' : `, ${headers}`),
      })),
    })),
  };
  return [{ path: `${api.folder}/failures.ts`, text: printed(output, api, 'failures', page) }];
}
