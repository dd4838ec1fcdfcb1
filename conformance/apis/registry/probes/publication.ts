import type { Exchange } from '../../../exchanges/exchange.ts';
import { isObject } from '../../../exchanges/exchange.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { BrokenFixture, resource } from '../../../scenarios/scenario.ts';
import type { Session } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';

/** Version numbers that no scenario of this run has used. */
export interface VersionNumbers {
  readonly next: () => string;
  /** Starts far after a used number, because earlier runs may have counted from the same start. */
  readonly skip: () => void;
}

/** Counts patch versions upwards from the one that the fixtures give. */
export const versionNumbers = resource<VersionNumbers>({
  id: 'registry.version-numbers',
  api: 'registry',
  requests: {},
  obtain: ({ fixtures, clock }) => {
    const start = fixtures.publish?.nextVersion ?? `0.0.${Math.floor(clock.now() / 1000)}`;
    const [, major = '0', minor = '0', patch = '0'] = /^(\d+)\.(\d+)\.(\d+)/.exec(start) ?? [];
    let count = Number(patch) - 1;
    let step = 100;
    return Promise.resolve({
      next: () => `${major}.${minor}.${(count += 1)}`,
      skip: () => {
        count = Math.max(count + step, Math.floor(clock.now() / 1000));
        step *= 10;
      },
    });
  },
});

/** The body of a publication. */
export interface Publication {
  readonly node: unknown;
  readonly node_version: Readonly<Record<string, unknown>>;
  readonly personal_access_token: string;
}

export function publication(fixtures: Fixtures, version: string): Publication {
  const { node = {}, node_version: declared, pat = '' } = fixtures.publish ?? {};
  return {
    node,
    node_version: { ...(isObject(declared) ? declared : {}), version },
    personal_access_token: pat,
  };
}

/** The path of the fixtures' node. */
export function place(fixtures: Fixtures): Readonly<Record<string, string>> {
  return {
    publisher: encodeURIComponent(fixtures.publish?.publisherId ?? ''),
    node: encodeURIComponent(fixtures.publish?.nodeId ?? ''),
  };
}

/** An access token that was never issued. */
export const WRONG_TOKEN = 'tallystick-no-such-token';

export const VERSIONS = '/publishers/{publisher}/nodes/{node}/versions';

const MOST_NUMBERS = 6;

/** How often `publishFresh` may send. */
export const freshTimes = MOST_NUMBERS;

/** A publication by the caller who may. */
export const once = { method: 'POST', target: VERSIONS, as: 'publisher', times: 1 } as const;

/** Publishes with the first free number. Earlier runs may have used some. */
export async function publishFresh<Name extends string>(
  session: Session<Name>,
  name: Name,
  change: (body: Publication) => unknown = (body) => body,
): Promise<{ readonly answer: Exchange; readonly body: Publication }> {
  const { fixtures } = session;
  const numbers = await session.obtain(versionNumbers);
  let last: Exchange | undefined;
  for (let attempt = 0; attempt < MOST_NUMBERS; attempt += 1) {
    const body = publication(fixtures, numbers.next());
    last = await session.send(name, { fill: place(fixtures), body: change(body) });
    if (last.status >= 200 && last.status < 300) return { answer: last, body };
    // Only an answer that may mean that the number is in use justifies another one; its status is open
    //
    if (last.status === 401 || last.status === 404 || last.status >= 500) break;
    numbers.skip();
  }
  throw new BrokenFixture(
    'publish',
    last === undefined ? 'nothing was sent' : sketchAnswer(last),
    last === undefined ? [] : [last.id],
  );
}
