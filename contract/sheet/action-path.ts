/** A segment that only says that actions follow may come before the name of an action (source of a regular expression). */
export const BEFORE_ACTION = String.raw`(?:\/(?:actions?|commands?|transitions?))?`;

/** Whether a path is that of an action on the thing at another path, such as `/orders/{id}/cancel` or `/orders/{id}:cancel`. */
export function isActionPath(path: string, thing: string): boolean {
  return path.startsWith(thing) && ACTION.test(path.slice(thing.length));
}

// --- internal ---

const ACTION = new RegExp(`^${BEFORE_ACTION}[/:][^/{}]+$`);
