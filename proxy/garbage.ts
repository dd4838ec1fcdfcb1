import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * The bytes of bodies are outside of the heap of JavaScript, whose size alone decides when V8 frees them: without help, tens of
 * megabytes of bodies that have passed wait for that.
 */

/** Notes bytes that passed and are not needed any more. */
export function notePassed(bytes: number): void {
  passed += bytes;
  if (passed < MOST_PASSED) return;
  passed = 0;
  collect({ type: 'minor' });
}

/** Frees what is left of a large body and of what was read from it. Takes tens of milliseconds: not for a thread that forwards. */
export function freeLarge(bytes: number): void {
  if (bytes >= LARGE) collect();
}

// --- internal ---

/** Without options, it frees everything. Old versions of V8 take any type for `minor`. */
type Collect = (options?: { readonly type: 'minor' }) => void;

const MOST_PASSED = 4 * 2 ** 20;
const LARGE = 2 ** 20;

let passed = 0;
let collector: Collect | undefined;

function collect(options?: Parameters<Collect>[0]): void {
  collector ??= collectorOfV8();
  if (options === undefined) collector();
  else collector(options);
}

/** The function of V8 that programs see only if they are started with a flag. A runtime without it has only its own judgement. */
function collectorOfV8(): Collect {
  try {
    setFlagsFromString('--expose-gc');
    const found = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
    return found;
  } catch {
    return () => undefined;
  }
}
