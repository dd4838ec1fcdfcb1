import type { LeftThing, Report } from '../verdicts/report.ts';
import { plural } from './style.ts';

/** What a run left on the server, for people: a line for each operation and reason. Empty if it left nothing. */
export function leftLines({ left = [] }: Pick<Report, 'left'>): readonly string[] {
  const groups = new Map<string, LeftThing[]>();
  for (const thing of left) {
    // Two refusals of the same operation differ in the address alone.
    const { address = '', why } = thing;
    const key = `${thing.api} ${thing.operation} ${why.replaceAll(address.slice(1) || '\0', '')}`;
    groups.set(key, [...(groups.get(key) ?? []), thing]);
  }
  return [...groups.values()].map((things) => {
    const [{ operation, why } = { operation: '', why: '' }] = things;
    const places = things.map(({ address, exchange }) => address ?? `exchange ${exchange}`);
    return `${plural(things.length, 'thing')} that ${operation} made ${things.length === 1 ? 'is' : 'are'} still there: ${places.join(', ')} (${why})`;
  });
}

/** Whether a command can remove some of it. */
export function isRemovable({ left = [] }: Pick<Report, 'left'>): boolean {
  return left.some(({ removal }) => removal !== undefined);
}
