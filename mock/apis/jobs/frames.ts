import { formatComment, formatEvent } from '../../../contract/policies/event-stream.ts';
import type { JobUpdate } from './feed.ts';
import type { Job } from './job.ts';
import type { LinkBase } from './links.ts';
import { jobView, outputView, previewView, progressView, type ViewRules } from './view.ts';

/**
 * An update as text of the stream, in the pieces in which it is written: one piece, except in the odd
 * profile; none for a kind that is not sent (open point A-69).
 */
export function framesOf(rules: ViewRules, job: Job, news: JobUpdate, links: LinkBase): readonly string[] {
  const event = rules.assume('A-69')[news.kind];
  if (event === null) return [];
  const data = payload(rules, job, news, links);
  return rules.isOdd ? oddFrames(event, data) : [formatEvent({ event, data: JSON.stringify(data) })];
}

/** A keep-alive comment (open point A-70). */
export function keepAliveFrame({ isOdd }: ViewRules): string {
  const text = formatComment('still here');
  return isOdd ? text.replaceAll('\n', '\r\n') : text;
}

// --- internal ---

function payload(rules: ViewRules, job: Job, news: JobUpdate, links: LinkBase): object {
  switch (news.kind) {
    case 'status':
      return jobView(rules, job, news.state, { operation: 'streamJobEvents', links });
    case 'progress':
      return progressView(rules, news.progress);
    case 'preview':
      return previewView(rules, news.preview);
    case 'output':
      return outputView(rules, job, news.output);
  }
}

/**
 * The same event in an unusual but legal form: after a comment, with its JSON on several data lines that end in CR
 * LF, written in pieces that end within a line and between CR and LF.
 */
function oddFrames(event: string, data: object): readonly string[] {
  const frame = formatEvent({ event, data: JSON.stringify(data, null, 1) });
  const text = `${formatComment('this comment is not an event')}${frame}`.replaceAll('\n', '\r\n');
  const cuts = [...new Set([0, 7, Math.floor(text.length / 2), text.length - 1, text.length])];
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
}
