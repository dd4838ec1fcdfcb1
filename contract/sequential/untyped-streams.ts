import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Contract, Diagnostic } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import { locateNear } from '../text/locate.ts';
import { piecesOf } from './pieces.ts';

/** Reports the streams whose pieces have no type, although the document describes them. */
export function tellUntypedStreams(
  { document, operations }: Contract,
  report: (diagnostic: Diagnostic) => void,
): void {
  const seen = new Set<string>();
  for (const { requestBody, responses } of operations)
    for (const content of [requestBody, ...responses].flatMap((body) => body?.content ?? [])) {
      const { unread, framing } = piecesOf(content, document) ?? {};
      const isSentAtOnce = framing === 'parts' && requestBody?.content.includes(content) === true;
      if (unread === undefined || isSentAtOnce || seen.has(content.pointer)) continue;
      seen.add(content.pointer);
      const pointer = joinPointer(content.pointer, 'schema');
      const { read, help } = framing === 'parts' ? PARTS : EVENTS;
      report(
        problem('stream-untyped', `the stream ${unread}: ${read}`, {
          ...{ pointer, location: locateNear(document.locate, pointer), help },
        }),
      );
    }
}

// --- internal ---

const EVENTS = {
  read: 'it is read as bytes',
  help: 'give events whose data is text other names than events whose data is JSON',
};
const PARTS = {
  read: 'each is read by its own media type, and has no type',
  help: 'describe parts that are all JSON, all texts or all bytes',
};
