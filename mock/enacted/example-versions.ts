import type { LooseReply } from '../../engine/handler.ts';
import type { ServedOperation } from '../../engine/served-api.ts';
import { tagOf } from './hash.ts';

/** The versions of examples: a new version after each change, although the example stays the same. */
export class ExampleVersions {
  readonly #changes = new Map<string, number>();

  /** The tag of the example at a path. */
  of(target: string): string {
    const path = pathOf(target);
    return tagOf(`${path} ${String(this.#changes.get(path) ?? 0)}`);
  }

  /** An answer with the tag of the current version; a change makes the next version. */
  shown({ guard, isTagged }: ServedOperation, target: string, reply: LooseReply): LooseReply {
    const isSuccess = reply.status >= 200 && reply.status < 300;
    if (!isSuccess || (guard === undefined && isTagged !== true)) return reply;
    const path = pathOf(target);
    if (guard !== undefined && (this.#changes.has(path) || this.#changes.size < MOST_PATHS))
      this.#changes.set(path, (this.#changes.get(path) ?? 0) + 1);
    return isTagged === true ? { ...reply, headers: { ...reply.headers, ETag: this.of(target) } } : reply;
  }
}

// --- internal ---

const MOST_PATHS = 50_000;

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
