/**
 * Takes pictures of the page that each command writes of the organization acme: on two screens, light and dark, and on paper.
 *
 *   node scripts/report-shots.mjs <folder> [<name of a page> …]
 *
 * Needs the built program and a Chromium; DOCS_TEST_BROWSER names another than that of the system.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { acme, pagesOf } from './looks/acme.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder? node scripts/report-shots.mjs <folder>');
mkdirSync(folder, { recursive: true });

/** The first screen is what is looked at: whatever needs a scroll does not count. */
const screens = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

const home = acme();
const executablePath = process.env.DOCS_TEST_BROWSER ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  for (const [name, file] of Object.entries(pagesOf(home, isWanted))) {
    for (const colorScheme of ['light', 'dark'])
      for (const [screen, viewport] of Object.entries(screens))
        await shoot(name, file, { colorScheme, viewport }, `${name}-${screen}-${colorScheme}`);
    await print(name, file);
  }
} finally {
  await browser.close();
  home.close();
}

async function open(name, file, look) {
  const page = await browser.newPage(look);
  page.on('console', (message) => console.error(`${name}: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  await page.goto(pathToFileURL(file).href);
  if ((await page.locator('main#report').count()) > 0) await page.locator('main[data-ready]').waitFor();
  return page;
}

async function shoot(name, file, look, picture) {
  const page = await open(name, file, look);
  await page.screenshot({ path: join(folder, `${picture}.png`) });
  await page.close();
}

async function print(name, file) {
  const page = await open(name, file, {});
  await page.pdf({ path: join(folder, `${name}.pdf`), format: 'A4' });
  await page.close();
}
