import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium of this machine: `DOCS_TEST_BROWSER`, or where systems have it; undefined where there is none. */
export const browserPath = process.env.DOCS_TEST_BROWSER ?? usual.find((path) => existsSync(path));

/** Starts it without a window. @throws if there is none */
export async function startBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('There is no Chromium; set DOCS_TEST_BROWSER to its path.');
  // Containers and CI often allow no sandbox of their own.
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'], timeout: 150_000 });
}
