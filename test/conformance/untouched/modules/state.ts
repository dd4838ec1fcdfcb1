import { isDeepStrictEqual } from 'node:util';
import type { Mock } from '../../../../mock/index.ts';

type Changes = ReturnType<Mock['snapshot']>;

/** Something that a mock keeps, with its place, such as `/publishers/acme/nodes/scaler/versions/1.0.0`. */
export interface Kept {
  readonly place: string;
  readonly value: unknown;
}

/** What a mock of the three contracts keeps, by place. */
export class State {
  readonly kept: ReadonlyMap<string, unknown>;

  constructor(changes: Changes) {
    this.kept = new Map(changes.flatMap(keptBy).map(({ place, value }) => [place, value]));
  }

  /** The places whose things are gone or differ in another state. What has expired is not gone. */
  touchedIn({ kept }: State): readonly string[] {
    const changed = [...this.kept].flatMap(([place, value]) => {
      const isExpired = !kept.has(place) && /^(?:key|job) /.test(place);
      return isExpired || isDeepStrictEqual(kept.get(place), value) ? [] : [place];
    });
    const acted = [...kept.keys()].filter(
      (place) => !this.kept.has(place) && this.kept.has(place.split(' ', 2).join(' ')),
    );
    return [...changed, ...acted];
  }

  /** The places of things that are in another state only. */
  newIn({ kept }: State): readonly string[] {
    return [...kept.keys()].filter((place) => !this.kept.has(place) && !/^(?:key|job \S+) /.test(place));
  }
}

// --- internal ---

/* Forms of a snapshot, as far as they are needed here. */
interface Event {
  readonly kind: 'submit' | 'cancel' | 'push';
  readonly id: string;
  readonly how?: string;
}

interface Node {
  readonly id: string;
  readonly publisherId: string;
  readonly status: string;
  readonly said: unknown;
  readonly versions?: readonly { readonly version: string }[];
}

interface Store {
  readonly namespace: string;
  readonly publishers: readonly { readonly id: string }[];
  readonly nodes: readonly Node[];
  readonly tasks: readonly { readonly id: string; readonly partner: string }[];
}

function keptBy(change: Changes[number]): readonly Kept[] {
  switch (change.part) {
    case 'jobs.event': {
      const { kind, id, how } = change['event'] as Event;
      const action = how === undefined ? kind : `${kind} ${how}`;
      return [{ place: kind === 'submit' ? `job ${id}` : `job ${id} ${action}`, value: true }];
    }
    case 'jobs.key':
    case 'router.key':
      return [{ place: `key ${String(change['id'])}`, value: change['record'] }];
    case 'registry.store':
      return keptByStore(change as unknown as Store);
    default:
      return [];
  }
}

function keptByStore({ publishers, nodes, tasks }: Store): readonly Kept[] {
  return [
    ...publishers.map((publisher) => ({ place: `/publishers/${publisher.id}`, value: publisher })),
    ...nodes.flatMap(({ versions = [], ...node }) => {
      const place = `/publishers/${node.publisherId}/nodes/${node.id}`;
      return [
        { place, value: node },
        ...versions.map((version) => ({ place: `${place}/versions/${version.version}`, value: version })),
      ];
    }),
    ...tasks.map(({ id, partner }) => ({
      place: `/proxy/${partner}/v1/ai/skin-enhancer/creative/${id}`,
      value: true,
    })),
  ];
}
