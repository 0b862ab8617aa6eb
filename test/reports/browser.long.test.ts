import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reportClient } from '../../scripts/report-client.mjs';
import type { Document } from '../../src/document/document.js';
import { pageOf } from '../../src/reports/page.js';
import { browserPath, startBrowser } from './browser.js';
import {
  accessHeat,
  hostileTexts,
  linkGraph,
  membersTable,
  organizationTree,
  planChanges,
  samples,
} from './samples.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens reports from disk in a Chromium, and holds that they ask for nothing and fail in nothing. */
const name =
  browserPath === undefined
    ? 'in a browser: skipped, there is no Chromium; set DOCS_TEST_BROWSER'
    : 'in a browser';
describe.skipIf(browserPath === undefined)(`a report ${name}`, () => {
  let browser: Browser;
  let folder: string;
  let complaints: string[];
  beforeAll(async () => {
    browser = await startBrowser();
    folder = await mkdtemp(join(tmpdir(), 'docs-reports-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });
  afterEach(() => expect(complaints).toEqual([]));

  async function show(
    content: Document | Document['parts'],
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const report: Document = Array.isArray(content)
      ? { title: 'Report', about: [], facts: [], parts: content }
      : (content as Document);
    const path = join(folder, 'report.html');
    const html = await pageOf(report, await reportClient(), Date.UTC(2025, 5, 15, 12));
    await writeFile(path, html);
    const page = await browser.newPage(options);
    complaints = [];
    const address = pathToFileURL(path).href;
    page.on(
      'request',
      (request) => request.url() !== address && complaints.push(`request: ${request.url()}`),
    );
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    await page.locator('main[data-ready]').waitFor();
    return page;
  }

  const firstCells = (page: Page) => page.locator('tbody th').allInnerTexts();

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.each(Object.keys(samples()))('%s: axe finds nothing serious', async (name) => {
      const page = await show(samples()[name] ?? [], { colorScheme, bypassCSP: true });
      if (name === 'access') await page.locator('.map').focus();
      await page.addScriptTag({ content: axe });
      const found: unknown = await page.evaluate(
        `axe.run().then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
      );
      expect(found).toEqual([]);
      await page.close();
    });
  });

  it('shows what looks like HTML as text, and runs none of it', async () => {
    const page = await show(samples().hostile ?? []);
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    expect(await page.locator('img, iframe, object, embed, link').count()).toBe(0);
    expect(await page.title()).toBe(hostileTexts[1]);
    const cells = await firstCells(page);
    expect(cells.slice(0, 4)).toEqual(hostileTexts.slice(0, 4));
    const long = page.getByText(hostileTexts[8]).first();
    expect((await long.boundingBox())?.width).toBeLessThan(500);
    await page.close();
  });

  it.each(Object.keys(samples()))('%s: nothing is wider than a narrow screen', async (name) => {
    const page = await show(samples()[name] ?? [], { viewport: { width: 420, height: 900 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
    await page.close();
  });

  it('refuses a script that somebody put into the page', async () => {
    const page = await show([membersTable(2)]);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.wasRun = true';
      document.body.append(script);
    }`);
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    expect(complaints.join()).toContain('Content Security Policy');
    complaints = [];
    await page.close();
  });

  it('sorts and filters by mouse', async () => {
    const page = await show([membersTable(60)]);
    const pages = page.getByRole('columnheader', { name: 'Pages read' });
    await pages.getByRole('button').click();
    expect(await pages.getAttribute('aria-sort')).toBe('ascending');
    await pages.getByRole('button').click();
    expect(await pages.getAttribute('aria-sort')).toBe('descending');
    expect((await firstCells(page)).slice(0, 3)).toEqual([
      'Edsger Dijkstra 9',
      'Alan Turing 9',
      'Katherine Johnson 3',
    ]);
    await page.getByLabel('Role').selectOption('admin');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('alan legal');
    expect(await page.getByRole('status').innerText()).toMatch(/^\d of 60 rows, by Pages read, descending$/);
    for (const row of await page.locator('tbody tr').allInnerTexts())
      expect(row).toMatch(/^Alan Turing[\s\S]*admin[\s\S]*Legal/);
    await pages.getByRole('button').click();
    expect(await pages.getAttribute('aria-sort')).toBeNull();
    await page.close();
  });

  it('sorts and filters by keyboard', async () => {
    const page = await show([membersTable(60)]);
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace');
    expect(await page.getByRole('status').innerText()).toBe('10 of 60 rows');
    // Past the choices of role and sign-in, and the table, which scrolls by keys.
    for (let stop = 0; stop < 4; stop += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect((await firstCells(page)).slice(0, 2)).toEqual(['Grace Hopper 9', 'Grace Hopper 8']);
    await page.close();
  });

  it('draws only the rows in sight of 10,000, and all of them for paper', async () => {
    const page = await show(samples().many ?? []);
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    await page.locator('.scroll').focus();
    await page.keyboard.press('End');
    await page.locator('tr[aria-rowindex="10001"]').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.getByRole('searchbox').fill('person9999@');
    await page.getByText('1 of 10,000 rows').waitFor();
    expect(await page.locator('tbody tr').innerText()).toContain('person9999@example.com');
    await page.getByRole('searchbox').fill('');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('tbody tr').count()).toBe(10_000);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.close();
  });

  it('tells the reason of a cell under the pointer, and under the cursor', async () => {
    const heat = accessHeat(60, 40);
    const page = await show([heat]);
    const at = (row: number, column: number) => row * 40 + column;
    const says = (row: number, column: number) =>
      `${heat.rows[row]?.label} (${heat.rows[row]?.detail}) · ${heat.columns[column]?.label}: ` +
      [heat.levels[heat.cells[at(row, column)] ?? 0], heat.reasons[heat.why[at(row, column)] ?? 0]]
        .filter(Boolean)
        .join(', ');
    const map = page.getByRole('application', { name: 'Access 60 × 40' });
    const line = page.locator('p.reading');
    await map.focus();
    expect(await line.innerText()).toBe(says(0, 0));
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
      await page.keyboard.press(key);
    expect(await line.innerText()).toBe(says(2, 2));
    expect(await page.locator('.tip').innerText()).toBe(says(2, 2));
    await page.keyboard.press('Control+End');
    expect(await line.innerText()).toBe(says(59, 39));
    await page.keyboard.press('Control+Home');
    const box = await map.boundingBox();
    if (box === null) throw new Error('The map is in sight.');
    await page.mouse.move(box.x + box.width - 40, box.y + 300);
    const pointed = await line.innerText();
    expect(heat.columns.some(({ label }) => pointed.includes(label))).toBe(true);
    await map.focus();
    await page.keyboard.press('Enter');
    const rows = page.locator('.detail tbody tr');
    expect(await rows.count()).toBe(40);
    expect(await rows.nth(1).innerText()).toContain(heat.reasons[heat.why[1] ?? 0]);
    await page.close();
  });

  it('filters and orders the rows of a heat map', async () => {
    const heat = accessHeat(60, 40);
    const page = await show([heat]);
    await page.getByLabel('Order').selectOption('Most access first');
    await page.locator('.map').focus();
    expect(await page.locator('p.reading').innerText()).toContain('admin of the organization');
    await page.getByLabel('Filter: Person').fill('ada lovelace 9');
    await page.getByLabel('Filter: Space').fill('handbook');
    expect(await page.getByText('1 of 60 × 10 of 40').count()).toBe(1);
    await page.close();
  });

  it('opens and closes a tree by keyboard, and finds in it', async () => {
    const page = await show([organizationTree()]);
    expect(await page.getByText('Getting started').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close all' }).click();
    expect(await page.getByText('Getting started').count()).toBe(0);
    await page.locator('summary', { hasText: 'help.example.com' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('summary', { hasText: 'Guides' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Getting started').waitFor();
    await page.getByRole('searchbox').fill('release');
    expect(await page.locator('.label').allInnerTexts()).toEqual(['Acme Docs', 'Release notes']);
    await page.close();
  });

  it('shows changes in steps, and all of them for paper', async () => {
    const page = await show([planChanges(130)]);
    const items = page.locator('.changed > li');
    expect(await items.count()).toBe(100);
    await page.getByRole('button', { name: 'Show 30 more' }).click();
    expect(await items.count()).toBe(130);
    await page.getByLabel('Action').selectOption('delete (32)');
    expect(await items.count()).toBe(32);
    await page.getByRole('searchbox').fill('yX3l2');
    expect(await page.getByRole('status').innerText()).toBe('3 of 130 changes');
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Action').selectOption('All');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await items.count()).toBe(130);
    await page.close();
  });

  it('draws links, the broken ones apart, and lists them', async () => {
    const graph = linkGraph(36);
    const page = await show([graph]);
    const broken = graph.edges.filter((edge) => edge.broken > 0).length;
    expect(await page.locator('path.edge.broken').count()).toBe(broken);
    expect(await page.locator('g.vertex').count()).toBe(36);
    await page.getByLabel('Broken only').check();
    expect(await page.locator('path.edge:visible').count()).toBe(broken);
    expect(await page.locator('tbody tr').count()).toBe(graph.edges.length);
    const before = await page.locator('svg.drawing > g').getAttribute('transform');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.locator('svg.drawing > g').getAttribute('transform')).not.toBe(before);
    await page.close();
  });

  it('shows 10,000 people by 300 spaces in less than 15 MB', async () => {
    const page = await show([accessHeat(10_000, 300), membersTable(10_000)]);
    expect((await readFile(join(folder, 'report.html'))).length).toBeLessThan(15_000_000);
    await page.getByLabel('Order').selectOption('Most access first');
    await page.locator('.map').focus();
    await page.keyboard.press('Control+End');
    expect(await page.locator('p.reading').innerText()).toMatch(/ · Onboarding 300: /);
    await page.close();
  });

  it('says so where scripts are off', async () => {
    const path = join(folder, 'off.html');
    const report = { ...samples().map, title: 'Map' } as Document;
    await writeFile(path, await pageOf(report, await reportClient(), 0));
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(pathToFileURL(path).href);
    expect(await page.locator('main').innerText()).toContain('need JavaScript, which is off here');
    await page.close();
  });
});
