import type { Has, ZoneState } from './store.ts';

const ways: Readonly<Record<string, Readonly<Partial<Record<ZoneState, ZoneState>>>>> = {
  publish: { draft: 'published' },
  lock: { published: 'locked' },
  unlock: { locked: 'published' },
  retire: { draft: 'retired', published: 'retired' },
};

/** The state to which an action leads from another one, if it is possible there. */
export function canBe(from: ZoneState, action: string, has: Has): ZoneState | undefined {
  if (from === 'locked' && action === 'retire' && has('retire-while-locked')) return 'retired';
  return ways[action]?.[from];
}
