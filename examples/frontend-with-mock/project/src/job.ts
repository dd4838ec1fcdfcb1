import { cancelJobOf, followJob, settle, submitJob } from './api/jobs/index.js';
import type { Answer, Job } from './api/jobs/index.js';
import { bearer as jobs } from './connection.js';
import { addLine, element } from './element.js';

const states = element('states', HTMLOListElement);
const bar = element('progress', HTMLProgressElement);
const result = element('result', HTMLParagraphElement);
const cancel = element('cancel', HTMLButtonElement);

const workflow = {
  '1': { class_type: 'SketchPicture', inputs: { prompt: 'a notched stick' } },
  '2': { class_type: 'SavePicture', inputs: { picture: ['1', 0] } },
};

export function watchJobs(): void {
  let submitted: Answer<Job> | undefined;
  const button = element('submit', HTMLButtonElement);
  button.addEventListener('click', () => {
    // The page shows one job: the next can be submitted when this one has ended.
    button.disabled = true;
    void submit((answer) => (submitted = answer)).finally(() => (button.disabled = false));
  });
  cancel.addEventListener('click', () => {
    if (submitted !== undefined) void settle(cancelJobOf(jobs, submitted));
  });
}

/** Submits a graph, and follows its job to the end by the links in the answer. */
async function submit(onSubmitted: (answer: Answer<Job>) => void): Promise<void> {
  states.replaceChildren();
  result.textContent = '';
  bar.value = 0;
  const submission = await settle(submitJob(jobs, { body: { workflow } }));
  if (!submission.ok) {
    result.textContent = `Not submitted: ${submission.error.name}`;
    return;
  }
  onSubmitted(submission);
  cancel.disabled = false;
  await follow(submission).finally(() => (cancel.disabled = true));
}

async function follow(answer: Answer<Job>): Promise<void> {
  addLine(states, answer.data.status);
  let last: string = answer.data.status;
  for await (const update of followJob(jobs, { id: answer.data.id }, { from: answer })) {
    if (update.kind === 'progress') bar.value = progressOf(update.data);
    if (update.kind !== 'status' && update.kind !== 'end') continue;
    const { status, outputs } = update.resource;
    if (status !== last) addLine(states, status);
    last = status;
    if (update.kind === 'end') result.textContent = `${status}, ${outputs.length} outputs`;
  }
}

/** The contract leaves open what progress contains: a number from 0 to 1 is shown, anything else is not. */
function progressOf(data: unknown): number {
  const { value } = data as { readonly value?: unknown };
  return typeof value === 'number' ? Math.min(1, Math.max(0, value)) : bar.value;
}
