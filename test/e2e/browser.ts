import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Tests in a browser are left out by this, and by nothing else. */
export const withoutBrowser = process.env['TALLYSTICK_NO_BROWSER'] === '1';

/** Flags for a machine without a screen, also as root in a container. */
export const browserFlags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** A Chromium without a window. */
export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: await browser(), args: browserFlags });
}

/** The path of a Chromium. */
export async function browser(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(':');
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const candidates = [
    process.env['CHROMIUM_PATH'] ?? '',
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  for (const candidate of candidates.filter((path) => path !== '')) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  throw new Error(
    'No Chromium found: install one, set CHROMIUM_PATH, or set TALLYSTICK_NO_BROWSER=1 to go without.',
  );
}
