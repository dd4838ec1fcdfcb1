import { check } from '../../../check.ts';
import { isSuccess } from '../../../exchange.ts';
import { BrokenFixture, scenario } from '../../../scenario.ts';
import { sketchAnswer } from '../../../sketch.ts';
import { bodyOf, sketchRefusal, submit, withSibling } from './job.ts';

export const allowedExtraData = scenario({
  id: 'jobs.submit.allowed-extra-data',
  api: 'jobs',
  title: 'submissions with extra data that the server knows, and with none',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.allowedExtraData'],
  judges: ['jobs.submit.extra-data-allowed'],
  severalCases: ['jobs.submit.extra-data-allowed'],
  requests: { submit: { ...submit, times: 2 }, control: submit },
  run: async function* ({ send, fixtures }) {
    const ok = bodyOf(fixtures, 'ok');
    for (const extra of [fixtures.job?.['allowedExtraData'], {}]) {
      const answer = await send('submit', { body: withSibling(fixtures, ok, 'extra_data', extra) });
      if (!isSuccess(answer)) {
        // Whether the extra data is refused, or the job.
        const control = await send('control', { body: ok });
        if (!isSuccess(control)) throw new BrokenFixture('job.ok', sketchAnswer(control), [control.id]);
      }
      // Document 3, Submit request, row extra_data: its enumerated keys are accepted.
      yield check(
        'jobs.submit.extra-data-allowed',
        answer,
        isSuccess(answer),
        'a job',
        sketchRefusal(answer),
      );
      if (!isSuccess(answer)) return;
    }
  },
});
