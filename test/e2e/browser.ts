import { chromium, type Browser } from 'playwright-core';
import { toolPath } from '../tools.ts';

/** Flags for a machine without a screen, also as root in a container. */
const browserFlags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** A Chromium without a window, for tests with the tag `browser`. */
export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: toolPath('browser'), args: browserFlags });
}
