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
      const { unread } = piecesOf(content, document) ?? {};
      if (unread === undefined || seen.has(content.pointer)) continue;
      seen.add(content.pointer);
      const pointer = joinPointer(content.pointer, 'schema');
      report(
        problem('stream-untyped', `the stream ${unread}: it is read as bytes`, {
          ...{ pointer, location: locateNear(document.locate, pointer) },
          help: 'give events whose data is text other names than events whose data is JSON',
        }),
      );
    }
}
