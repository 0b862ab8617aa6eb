import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acme, acme, pagesOf } from '../../scripts/looks/acme.mjs';
import { docsCommands } from '../e2e/guide/page.js';
import { problemOf } from '../e2e/guide/run-pages.js';
import { browserPath, startBrowser } from './browser.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The pages that commands write of the organization acme, in a Chromium and on paper. */
const names = [
  ...['overview', 'matrix', 'map', 'review', 'links', 'impact', 'sso', 'who', 'policy', 'rehearsal'],
  ...['plan', 'diff', 'job', 'audit', 'drift', 'backup-diff', 'access-diff', 'offboarding'],
];
const screens = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

describe.skipIf(browserPath === undefined)('of acme, the page', () => {
  let home: Acme;
  let pages: Record<string, string>;
  let browser: Browser;
  beforeAll(async () => {
    home = acme();
    pages = pagesOf(home);
    browser = await startBrowser();
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    home?.close();
  });

  /** Opens a page; whatever it asks for or complains of is a failure. */
  async function show(name: string, options: BrowserContextOptions = {}): Promise<[Page, string[]]> {
    const complaints: string[] = [];
    const address = pathToFileURL(pages[name] ?? '').href;
    const page = await browser.newPage(options);
    page.on('request', (request) => request.url() !== address && complaints.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    return [page, complaints];
  }

  it('is there for each of them', () => {
    expect(Object.keys(pages).sort()).toEqual([...names].sort());
  });

  describe.each(names)('%s', (name) => {
    it.each(Object.keys(screens) as (keyof typeof screens)[])(
      'answers on the first screen, %s',
      async (screen) => {
        const [page, complaints] = await show(name, { viewport: screens[screen] });
        const { height } = screens[screen];
        expect(await page.locator('h1').innerText()).toMatch(/\d|^No |^Nothing |^All |everyone/i);
        const title = await page.locator('h1').boundingBox();
        expect((title?.y ?? height) + (title?.height ?? 0)).toBeLessThan(height);
        const asks = page.locator('#needs, .calm').first();
        if ((await asks.count()) > 0) expect((await asks.boundingBox())?.y).toBeLessThan(height);
        const picture = page.locator('figure svg, .tiles, .map').first();
        if (screen === 'wide' && (await picture.count()) > 0)
          expect((await picture.boundingBox())?.y).toBeLessThan(height);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screens[screen].width);
        expect(complaints).toEqual([]);
        await page.close();
      },
    );

    it.each(['light', 'dark'] as const)('has nothing that axe finds, %s', async (colorScheme) => {
      const [page] = await show(name, { colorScheme, bypassCSP: true });
      await page.addScriptTag({ content: axe });
      const found: unknown = await page.evaluate(
        `axe.run().then(({ violations }) => violations
          .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 400)))`,
      );
      expect(found).toEqual([]);
      await page.close();
    });

    it('shows commands that there are', async () => {
      const [page] = await show(name);
      const shown = await page.locator('code.cmd').allInnerTexts();
      for (const line of new Set(shown))
        for (const words of docsCommands(line))
          expect([line, await problemOf(words)]).toEqual([line, 'none']);
      await page.close();
    });

    it('names no path of this machine', async () => {
      expect(await readFile(pages[name] ?? '', 'utf8')).not.toContain(home.path);
    });

    const pdftotext = spawnSync('pdftotext', ['-v']).status === 0;
    it.skipIf(!pdftotext)('is whole on paper: heads on each page, no word broken', async () => {
      const [page] = await show(name, { javaScriptEnabled: false });
      const path = join(home.path, `${name}.pdf`);
      await page.pdf({ path, format: 'A4' });
      const printed = spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).stdout;
      const sheets = printed.split('\f').filter((text) => text.trim() !== '');
      expect(sheets.length).toBeGreaterThan(0);
      expect(sheets.length).toBeLessThan(40);
      const words = await page.locator('tbody .b, tbody time').allInnerTexts();
      for (const word of new Set(words.flatMap((text) => text.split(/\s+/)).filter(Boolean)))
        expect(printed).toContain(word);
      for (const table of await page.locator('table.rows').all()) await hasHeads(table, sheets);
      await page.close();
    });
  });
});

/** Between two sheets with the heads of a table there is none without them. */
async function hasHeads(table: ReturnType<Page['locator']>, sheets: readonly string[]): Promise<void> {
  const heads = await table.locator('thead th').allInnerTexts();
  const rows = await table.locator('tbody tr[data-row]').count();
  const has = sheets.map((sheet) =>
    sheet.split('\n').some((line) => heads.every((head) => line.includes(head.trim()))),
  );
  const headed = has.slice(has.indexOf(true), has.lastIndexOf(true) + 1);
  if (rows > 100) expect(headed.length).toBeGreaterThan(1);
  expect(headed).not.toContain(false);
}
