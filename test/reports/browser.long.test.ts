import { spawnSync } from 'node:child_process';
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
import { accessHeat, hostileTexts, membersTable, organizationTree, planChanges, samples } from './samples.js';

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
    // Rows of thousands are those of the others.
    it.each(Object.keys(samples()).filter((name) => name !== 'many'))(
      '%s: axe finds nothing',
      async (name) => {
        const page = await show(samples()[name] ?? [], { colorScheme, bypassCSP: true });
        await page.addScriptTag({ content: axe });
        const found: unknown = await page.evaluate(
          `axe.run().then(({ violations }) => violations
          .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
        );
        expect(found).toEqual([]);
        await page.close();
      },
    );
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

  const state = async (page: Page) =>
    Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
  const shownRows = (page: Page) => page.locator('tbody tr[data-row]:visible');

  it('sorts by mouse, filters by chip and by words, and keeps it in the address', async () => {
    const page = await show([membersTable(60)]);
    const pages = page.getByRole('columnheader', { name: 'Pages read' });
    await pages.getByRole('button').click();
    expect(await pages.getAttribute('aria-sort')).toBe('ascending');
    await pages.getByRole('button').click();
    expect(await pages.getAttribute('aria-sort')).toBe('descending');
    const first = ['Edsger Dijkstra 9', 'Alan Turing 9', 'Katherine Johnson 3'];
    expect((await firstCells(page)).slice(0, 3)).toEqual(first);
    await page
      .getByRole('group', { name: 'Role' })
      .getByRole('button', { name: /^admin / })
      .click();
    await page.getByRole('searchbox').fill('alan legal');
    expect(await state(page)).toEqual({ 'sort.members': '-Pages read', Role: 'admin', q: 'alan legal' });
    expect(await page.getByRole('status').innerText()).toMatch(/^\d of 60 rows, by Pages read, descending$/);
    for (const row of await shownRows(page).allInnerTexts())
      expect(row).toMatch(/^Alan Turing[\s\S]*admin[\s\S]*Legal/);
    const before = await shownRows(page).allInnerTexts();
    await page.reload();
    await page.locator('main[data-ready]').waitFor();
    expect(await shownRows(page).allInnerTexts()).toEqual(before);
    expect(await page.getByRole('searchbox').inputValue()).toBe('alan legal');
    await page.goBack();
    expect(await pages.getAttribute('aria-sort')).toBe('descending');
    expect(await shownRows(page).count()).toBeGreaterThan(before.length);
    await page.close();
  });

  it('is searched and walked by keys alone', async () => {
    const page = await show([membersTable(60)]);
    await page.keyboard.press('/');
    await page.keyboard.type('grace');
    expect(await page.getByRole('status').innerText()).toBe('10 of 60 rows');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').innerText()).toContain('Grace Hopper 1');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator(':focus').innerText()).toContain('Grace Hopper\n');
    await page.close();
  });

  it('has each of 10,000 rows, which the search of the browser finds', async () => {
    const page = await show(samples().many ?? []);
    expect(await page.locator('tbody tr[data-row]').count()).toBe(10_000);
    expect(await page.evaluate(`find('person9999@example.com')`)).toBe(true);
    await page.getByRole('searchbox').fill('person9999@');
    expect(await page.getByRole('status').innerText()).toBe('1 of 10,000 rows');
    expect(await shownRows(page).innerText()).toContain('person9999@example.com');
    await page.close();
  });

  it('leads to a row that an address names, and opens what is around it', async () => {
    const page = await show([planChanges(130)]);
    const address = page.url().replace(/#.*/, '');
    await page.goto(`${address}#changes-yx3l100`);
    await page.locator('#changes-yx3l100[open] > .more').waitFor();
    expect(await page.locator('#changes-yx3l100').isVisible()).toBe(true);
    await page.close();
  });

  it('takes decisions by key, keeps them over a reload, and saves them byte-safe', async () => {
    const hostile = ['=1+1', 'Ada "the first", Countess', '@sum', 'Zoë'];
    const decisions = {
      choices: ['keep', 'role=read', 'role=edit', 'remove'],
      file: 'decisions.csv',
      columns: [
        ['Name', 'user.displayName'],
        ['ID', 'id'],
      ] as const,
      command: 'docs members review --apply decisions.csv',
    };
    const columns = [
      { label: 'Name', as: 'text' },
      { label: 'ID', as: 'id' },
    ] as const;
    const rows = hostile.map((name, at) => [name, `u${at}`]);
    const page = await show([{ kind: 'table', title: 'Members', columns, rows, empty: '', decisions }]);
    for (const key of ['ArrowDown', 'k', 'ArrowDown', 'r', 'ArrowDown', 'c', 'c'])
      await page.keyboard.press(key);
    await page.getByText('3 of 4 decided').waitFor();
    await page.reload();
    await page.getByText('3 of 4 decided').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save decisions.csv' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('decisions.csv');
    expect(await readFile(await download.path(), 'utf8')).toBe(
      'user.displayName,id,decision\r\n' +
        "'=1+1,u0,keep\r\n" +
        '"Ada ""the first"", Countess",u1,remove\r\n' +
        "'@sum,u2,role=edit\r\n",
    );
    // A blob is what was saved, not something that was asked for.
    complaints = complaints.filter((line) => !line.startsWith('request: blob:'));
    await page.close();
  });

  it('answers for each pair of a map, and why', async () => {
    const heat = accessHeat(60, 40);
    const page = await show([heat]);
    await page.getByRole('searchbox', { name: /^Look up/ }).fill('person7@');
    await page.getByRole('button', { name: /person7@/ }).click();
    const rows = page.locator('.pairs tbody tr');
    expect(await rows.count()).toBe(40);
    const at = 7 * 40 + 2;
    const said = await rows.nth(2).innerText();
    expect(said).toContain(heat.levels[heat.cells[at] ?? 0]);
    expect(said).toContain(heat.reasons[heat.why[at] ?? 0]);
    await page.close();
  });

  it('shows a tree open two levels, and finds what is deeper', async () => {
    const page = await show([organizationTree()]);
    const label = (text: string) => page.locator('.label', { hasText: new RegExp(`^${text}$`) });
    expect(await label('Guides').isVisible()).toBe(true);
    expect(await label('Getting started').isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('getting started');
    expect(await label('Getting started').isVisible()).toBe(true);
    expect(await label('Release notes').isVisible()).toBe(false);
    await page.close();
  });

  it('shows 10,000 people by 300 spaces in less than 15 MB', async () => {
    const page = await show([accessHeat(10_000, 300), membersTable(10_000)]);
    expect((await readFile(join(folder, 'report.html'))).length).toBeLessThan(15_000_000);
    await page.getByRole('searchbox', { name: /^Look up/ }).fill('person9999@');
    await page.getByRole('button', { name: /person9999@/ }).click();
    expect(await page.locator('.pairs tbody tr').count()).toBe(300);
    await page.close();
  });

  it('is whole where scripts are off', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const path = join(folder, 'off.html');
    const { members, plan } = samples() as Record<'members' | 'plan', Document>;
    await writeFile(
      path,
      await pageOf({ ...members, parts: [...members.parts, ...plan.parts] }, await reportClient(), 0),
    );
    await page.goto(pathToFileURL(path).href);
    expect(await page.locator('tbody tr[data-row]').count()).toBe(60);
    expect(await page.locator('[data-row] .t').count()).toBe(130);
    expect(await page.locator('button').count()).toBe(0);
    await page.close();
  });

  it('holds colours that are forced, and text from right to left', async () => {
    const page = await show(samples().hostile ?? [], { forcedColors: 'active' });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const direction = await page.evaluate(`{
      const cells = [...document.querySelectorAll('th[scope=row]')];
      getComputedStyle(cells.find((one) => one.textContent.startsWith('דוח'))).direction;
    }`);
    expect(direction).toBe('rtl');
    await page.close();
  });

  const pdftotext = spawnSync('pdftotext', ['-v']).status === 0;
  it.skipIf(!pdftotext).each(['A4', 'Letter'] as const)(
    'on %s paper: heads on each page, no word broken',
    async (format) => {
      const page = await show([membersTable(400)]);
      const path = join(folder, 'paper.pdf');
      await page.pdf({ path, format });
      const pages = spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
        .stdout.split('\f')
        .filter((text) => text.trim() !== '');
      expect(pages.length).toBeGreaterThan(3);
      expect(pages.length).toBeLessThan(16);
      for (const text of pages.slice(0, -1)) expect(text).toMatch(/Name +Email +Role/);
      const words = pages.join('\n');
      for (let at = 0; at < 400; at += 1) expect(words).toContain(`person${at}@example.com`);
      for (const role of ['comment', 'review', 'admin']) expect(words).toMatch(new RegExp(`\\b${role}\\b`));
      await page.close();
    },
  );
});
