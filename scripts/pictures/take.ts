import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { startMock, virtualClock } from '../../mock/index.ts';
import { launch } from '../../test/e2e/browser.ts';
import { newContext, openPage } from '../../test/inspector/open-page.ts';
import { pictures, type Picture } from './pictures.ts';

export const THEMES = ['light', 'dark'] as const;

/** The folder in which pages of the documentation find a picture. */
export function fileOf(name: string, theme: (typeof THEMES)[number]): string {
  return `${name}-${theme}.webp`;
}

/**
 * Takes all pictures in a browser, with a seed and a stopped clock: equal pages result in equal pictures.
 *
 * @param only names of pictures; default: all
 * @throws {Error} if a page does not reach the expected state, or does something that pages must not do
 */
export async function takePictures(folder: string, only?: readonly string[]): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  const written: string[] = [];
  try {
    for (const theme of THEMES) {
      const context = await newContext(browser, theme);
      for (const picture of pictures) {
        if (only?.includes(picture.name) === false) continue;
        const file = fileOf(picture.name, theme);
        writeFileSync(join(folder, file), await taken(picture, context));
        written.push(file);
      }
    }
  } finally {
    await browser.close();
  }
  return written;
}

// --- internal ---

/** Of a WebP, from 0 to 100. */
const QUALITY = 82;
const WAIT_MS = 60_000;
const USUAL_ADDRESS = 'localhost:4710';

async function taken({ prepare, at, show }: Picture, context: BrowserContext): Promise<Buffer> {
  const clock = virtualClock({ auto: false });
  const mock = await startMock({ clock, seed: 'pictures', controlPort: 0 });
  try {
    await prepare(mock, (duration) => clock.advance(duration));
    const { page, faults } = await openPage(context, `${mock.controlUrl ?? ''}/#/${at(mock)}`);
    page.setDefaultTimeout(WAIT_MS);
    await show(page);
    if (faults.length > 0) throw new Error(`The page has faults: ${faults.join('; ')}`);
    // The port differs from run to run.
    await page.locator('.address').evaluate((shown, address) => {
      shown.textContent = address;
    }, USUAL_ADDRESS);
    const session = await context.newCDPSession(page);
    const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await page.close();
    return Buffer.from(shot.data, 'base64');
  } finally {
    await mock.stop();
  }
}
