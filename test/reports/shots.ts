import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { clientCode } from '../../src/reports/client-code.js';
import { pageOf } from '../../src/reports/page.js';
import { startBrowser } from './browser.js';
import { samples } from './samples.js';

const widths = [420, 1280];
const schemes = ['light', 'dark'] as const;

/** Writes the sample reports into a folder, with a picture of each at two widths, light and dark, and on paper. */
export async function takeShots(folder: string, wanted: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const client = await clientCode();
  const browser = await startBrowser();
  try {
    for (const [name, report] of Object.entries(samples())) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const path = resolve(folder, `${name}.html`);
      await writeFile(path, await pageOf(report, client, Date.UTC(2025, 5, 15, 12)));
      await shoot(browser, folder, name, pathToFileURL(path).href);
    }
  } finally {
    await browser.close();
  }
}

async function shoot(browser: Browser, folder: string, name: string, address: string): Promise<void> {
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      page.on('console', (message) => console.error(`${name}: ${message.text()}`));
      page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
      await page.goto(address);
      await page.locator('main[data-ready]').waitFor();
      const map = page.locator('.map').first();
      if ((await map.count()) > 0) await map.focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
        await page.keyboard.press(key);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      // Thousands of rows on paper are more than a picture holds.
      if (width === 1280 && colorScheme === 'dark' && name !== 'many')
        await shootPaper(page, join(folder, `${name}-paper.png`));
      await page.close();
    }
  }
}

/** A page as on paper: browsers without a window draw no PDF that could be looked at. */
async function shootPaper(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 1000 });
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  await page.screenshot({ path, fullPage: true });
}
