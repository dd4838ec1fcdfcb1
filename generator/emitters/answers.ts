import type { GeneratedFile } from '../generated-file.ts';
import { code } from '../printing.ts';
import type { AnswersView } from '../views/answers.ts';
import type { ApiView } from '../views/api.ts';
import { imports } from './imports.ts';
import { type Output, printed } from './output.ts';

/** `answers.ts`: what errors and headers say, by operation and by the roles that policies give them; no file where that is nothing. */
export function emitAnswers(api: ApiView, view: AnswersView | undefined, output: Output): GeneratedFile[] {
  if (view === undefined) return [];
  const collected = imports((module) => `${module}.${output.importExtension}`, api.names.publicName);
  const { failures, keyed, spend, credits } = view;
  if (failures.length > 0) {
    collected.type('../runtime/errors', 'ApiError');
    collected.value('../runtime/failed', 'failedWith');
    collected.type('../runtime/failed', 'BodyGuards');
  }
  if (keyed !== undefined || spend !== undefined || credits !== undefined)
    collected.type('../runtime/failed', 'Told');
  if (spend !== undefined) collected.value('../runtime/failed', 'numberIn');
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
      statuses: failure.statuses.map(({ status, body, guard, headers }) => ({
        status: code(status),
        // Of a range only an error itself knows its status.
        kind: code(/^\d+$/.test(status) ? status : 'number'),
        body: code(body),
        guard: code(guard),
        headers: code(headers === undefined ? '' : `, ${headers}`),
      })),
    })),
    keyed:
      keyed === undefined
        ? []
        : [
            {
              ...keyed,
              runningStatus: code(String(keyed.runningStatus)),
              collectable:
                keyed.collectable === undefined
                  ? []
                  : [{ ...keyed.collectable, status: code(String(keyed.collectable.status)) }],
            },
          ],
    spend: spend === undefined ? [] : [spend],
    credits: credits === undefined ? [] : [credits],
  };
  return [{ path: `${api.folder}/answers.ts`, text: printed(output, api, 'answers', page) }];
}
