import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { freePort } from '../e2e/free-port.ts';
import { launch } from '../e2e/browser.ts';
import { newContext, openPage, type OpenPage } from './open-page.ts';

/** A mock with a stopped clock, and pages of its inspector: one mock per file, reset for each test. */
export interface Inspected {
  readonly mock: RunningMock;
  readonly clock: ReturnType<typeof virtualClock>;
  /** A page at an address such as `journal/5`. What it does wrong fails the test. */
  open(hash?: string, size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** What a test itself brings about is no fault of the page. */
  allowFaults(these: RegExp): void;
  /** Another mock in the place of this one. */
  startAnew(): Promise<void>;
}

/** Sets one up around the tests of a file. */
export function inspected(): Inspected {
  let chromium: Browser;
  let context: BrowserContext;
  let running: Pick<Inspected, 'mock' | 'clock'> | undefined;
  let opened: OpenPage | undefined;
  let allowed: RegExp | undefined;

  const here = (): Pick<Inspected, 'mock' | 'clock'> => {
    if (running === undefined) throw new Error('the mock does not run');
    return running;
  };
  const start = async (controlPort: number): Promise<void> => {
    const clock = virtualClock({ auto: false });
    running = { clock, mock: await startMock({ clock, controlPort }) };
  };

  beforeAll(async () => {
    chromium = await launch();
    context = await newContext(chromium, 'light');
    // A port that no other process gets by chance while the mock is stopped.
    await start(await freePort());
  });
  beforeEach(() => {
    allowed = undefined;
    here().mock.reset();
  });
  afterEach(async () => {
    const faults = (opened?.faults ?? []).filter((fault) => allowed?.test(fault) !== true);
    await opened?.page.unrouteAll({ behavior: 'ignoreErrors' });
    await opened?.page.close();
    opened = undefined;
    expect(faults).toStrictEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await running?.mock.stop();
  });

  return {
    get mock() {
      return here().mock;
    },
    get clock() {
      return here().clock;
    },
    async open(hash, size = { width: 1_280, height: 800 }) {
      const url = hash === undefined ? 'about:blank' : `${here().mock.controlUrl ?? ''}/#/${hash}`;
      opened = await openPage(context, url);
      await opened.page.setViewportSize(size);
      return opened.page;
    },
    allowFaults(these) {
      allowed = these;
    },
    async startAnew() {
      const { mock } = here();
      await mock.stop();
      await start(Number(new URL(mock.controlUrl ?? '').port));
    },
  };
}
