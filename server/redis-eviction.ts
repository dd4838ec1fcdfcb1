/**
 * Refuses an engine that may throw records away before their time: a lost record is a call that runs, and is charged,
 * twice. All records have an end, so a policy for volatile keys takes them too.
 *
 * @param memory asks the node of a key for its settings of memory (`INFO memory`)
 * @returns resolves if claims may be made; asks the engine again every minute, because its settings can change
 * @throws {Error} (rejects) when the engine evicts. An engine that does not say what it does is not refused
 */
export function refusingEviction(memory: (key: string) => Promise<string>): (key: string) => Promise<void> {
  let checked: Promise<void> | undefined;
  let againAt = 0;
  const check = async (key: string): Promise<void> => {
    const told = await memory(key).catch(() => undefined);
    const policy = /^maxmemory_policy:(\S+)/m.exec(told ?? '')?.[1];
    // An engine that cannot be reached is asked again at once.
    if (told === undefined) againAt = 0;
    if (policy === undefined || policy === 'noeviction') return;
    againAt = performance.now() + REFUSED_MS;
    throw new Error(
      `the engine throws records away when its memory is full (maxmemory-policy ${policy}), and their calls would be charged twice: set it to noeviction, or accept that with the option acceptEviction`,
    );
  };
  return (key) => {
    if (checked === undefined || performance.now() >= againAt) {
      againAt = performance.now() + PERMITTED_MS;
      checked = check(key);
      checked.catch(() => undefined);
    }
    return checked;
  };
}

// --- internal ---

const PERMITTED_MS = 60_000;
const REFUSED_MS = 1_000;
