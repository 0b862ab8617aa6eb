import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, startBrowser } from '../../reports/browser.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { openVisited, type Visited } from './visitor.js';

/** The pages of a sandbox in a real Chromium. */

const org = seedId('org acme');
const welcome = seedId('space welcome');
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'مرحبا \u202e بالعالم',
  'W'.repeat(48),
];

if (browserPath === undefined)
  console.warn('There is no Chromium here, so its tests are skipped; DOCS_TEST_BROWSER names one.');

describe.skipIf(browserPath === undefined)('in Chromium', () => {
  let sandbox: Visited;
  let browser: Browser;
  let context: BrowserContext;
  /** Whatever was asked for, said or shown that should not be. */
  const astray: string[] = [];

  beforeAll(async () => {
    sandbox = await openVisited();
    const { admin } = sandbox;
    for (const title of hostile) {
      await admin.ok(ops.createTeam, { path: { organizationId: org }, body: { title } });
      await admin.ok(ops.createCollection, { path: { organizationId: org }, body: { title } });
      const markdown = `${title} ${'w'.repeat(300)} ![p](https://evil.example/p.png)`;
      await admin.ok(ops.createComment, { path: { spaceId: welcome }, body: { body: { markdown } } });
    }
    await admin.ok(ops.updateSpace, { path: { spaceId: welcome }, body: { title: hostile[1] ?? '' } });
    browser = await startBrowser();
    context = await browser.newContext({ viewport: { width: 420, height: 900 } });
    watch(context, astray);
    const page = await context.newPage();
    await page.goto(sandbox.url + (await sandbox.ticket()));
    expect(new URL(page.url()).href).toBe(`${sandbox.url}/sandbox/`);
    await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  function watch(watched: BrowserContext, noted: string[]): void {
    watched.on('page', (page) => {
      page.on('request', (request) => {
        if (!request.url().startsWith(`${sandbox.url}/sandbox/`)) noted.push(request.url());
      });
      page.on('console', (message) => noted.push(message.text()));
      page.on('pageerror', (error) => noted.push(error.message));
      page.on('dialog', (dialog) => {
        noted.push(dialog.message());
        void dialog.dismiss();
      });
    });
  }

  /** One page of each kind, found by following links. */
  async function kinds(page: Page): Promise<string[]> {
    const found = new Map<string, string>();
    const waiting = ['/sandbox/'];
    for (const path of waiting) {
      const kind = (path.split('?')[0] ?? '').replaceAll(/[A-Za-z0-9]{20}|(?<=\/requests\/)\d+/g, '*');
      if (found.has(kind) || /\/files\/./.test(kind)) continue;
      found.set(kind, path);
      await page.goto(sandbox.url + path);
      const links = page.locator('a[href^="/sandbox/"]');
      waiting.push(...(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))));
    }
    return [...found.values()];
  }

  it.each(['light', 'dark'] as const)(
    'every kind of page is accessible and fits a narrow window, %s',
    async (colorScheme) => {
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme });
      const paths = await kinds(page);
      expect(paths.length).toBeGreaterThan(30);
      for (const path of paths) {
        await page.goto(sandbox.url + path);
        // The policy of the pages lets no script in; the debugger may.
        const session = await context.newCDPSession(page);
        await session.send('Runtime.evaluate', { expression: axe.source });
        const { result } = await session.send('Runtime.evaluate', {
          expression:
            'axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, impact, nodes }) => [id, impact, nodes[0].html])))',
          awaitPromise: true,
        });
        expect({ path, violations: JSON.parse(String(result.value)) as unknown }).toEqual({
          path,
          violations: [],
        });
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect({ path, isWide }).toEqual({ path, isWide: false });
        await session.detach();
      }
      await page.close();
      expect(astray).toEqual([]);
    },
  );

  it('the keyboard reaches the content first', async () => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/sandbox/orgs/${org}/members`);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('main');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByLabel('Search the organization').fill('ada');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=ada/);
    expect(await page.locator('.hits li').count()).toBe(1);
    await page.close();
  });

  it('requests appear as they arrive, are filtered, opened by key, and sent again', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sandbox.url });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${sandbox.url}/sandbox/requests`);
    await sandbox.admin.send('GET', `/v1/spaces/${welcome}`);
    await sandbox.admin.send('GET', '/v1/nothing?q=%3Cscript%3E');
    const row = page.locator('.request', { hasText: '/v1/nothing' });
    await row.waitFor();
    await page.getByLabel('Filter the requests').fill('get nothing 404');
    await expect.poll(() => page.locator('.request').count()).toBe(1);
    expect(page.url()).toContain('q=get+nothing+404');
    await row.focus();
    await page.keyboard.press('Enter');
    await page.locator('.opened').waitFor();
    expect(page.url()).toMatch(/requests\/\d+\?q=get\+nothing\+404$/);
    await page.getByRole('button', { name: /^Copy docs api/ }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      "docs api GET '/v1/nothing?q=%3Cscript%3E' --sandbox",
    );
    // What arrives meanwhile leaves the open request and its form as they are.
    await page.locator('select[name=status]').selectOption('429');
    await page.locator('.cmd', { hasText: '--status 429' }).waitFor();
    await sandbox.admin.send('GET', '/v1/nothing?q=more');
    await expect.poll(() => page.locator('.request').count()).toBe(2);
    await page.getByRole('button', { name: 'Fail the next one' }).click();
    await page.getByRole('status').filter({ hasText: 'Added a fault for' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again: GET answered 429').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Errors/ }).click();
    await page.waitForURL(/status=errors/);
    await page.locator('.request').first().focus();
    await page.keyboard.press('ArrowDown');
    const second = await page.locator('.request').nth(1).getAttribute('id');
    expect(await page.locator(':focus').getAttribute('id')).toBe(second);
    await page.close();
    expect(astray).toEqual([]);
  });

  it('a form acts by keyboard, says what it did, and its command follows what is typed', async () => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/sandbox/faults`);
    const command = page.locator('form[data-command] code.cmd');
    await page.getByLabel('Path').fill('/v1/orgs/*/members');
    await page.getByLabel('Times', { exact: true }).fill('2');
    await page.getByText("--match 'GET /v1/orgs/*/members' --status 503 --times 2").waitFor();
    expect(await command.textContent()).not.toContain('teams');
    await page.getByLabel('Times', { exact: true }).press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').locator('code').textContent()).toBe(
      "docs sandbox fault --match 'GET /v1/orgs/*/members' --status 503 --times 2",
    );
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByText('No request fails.').waitFor();
    await page.goto(`${sandbox.url}/sandbox/seeds`);
    await page.locator('summary', { hasText: 'Reset' }).press('Enter');
    await page.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
    await page.getByText('Reset the sandbox to tiny.').waitFor();
    await page.close();
    expect(astray).toEqual([]);
  });

  it('two clicks send a form once', async () => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/sandbox/clock`);
    const time = async () => Date.parse((await page.locator('.tiles time').getAttribute('datetime')) ?? '');
    const before = await time();
    await page.getByRole('button', { name: '+1 day' }).dblclick();
    await page.getByRole('status').waitFor();
    const days = Math.round(((await time()) - before) / 86_400_000);
    expect(days).toBe(1);
    await page.close();
  });

  it('in a narrow window the side is a menu, which opens and closes by keyboard', async () => {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/sandbox/orgs/${org}`);
    const members = page.getByRole('link', { name: /^Members/ });
    expect(await members.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    expect(await members.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await members.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1200, height: 800 });
    expect(await members.isVisible()).toBe(true);
    await page.keyboard.press('/');
    expect(await page.locator(':focus').getAttribute('id')).toBe('q');
    await page.keyboard.type('writers');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search: writers' }).waitFor();
    await page.close();
  });

  it('a form of another site does nothing', async () => {
    const action = `${sandbox.url}/sandbox/do/clock`;
    const html = `<form method="post" action="${action}"><input name="shift" value="+8d"><button>go</button></form>`;
    const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
    try {
      const attacked = await browser.newContext({ storageState: await context.storageState() });
      const page = await attacked.newPage();
      const clock = async () => (await (await fetch(`${sandbox.url}/v1/orgs`)).headers.get('date')) ?? '';
      const before = Date.parse(await clock());
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
      const answer = page.waitForResponse(action);
      await page.getByText('go').click();
      expect((await answer).status()).toBe(403);
      expect(Date.parse(await clock()) - before).toBeLessThan(3_600_000);
      await attacked.close();
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  it('the cookie is out of reach for scripts, and another site gets nothing', async () => {
    const [cookie] = await context.cookies(`${sandbox.url}/sandbox/`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/sandbox/' });
    const target = `${sandbox.url}/sandbox/`;
    const html = `<iframe src="${target}"></iframe><img src="${target}icon.svg" alt=""><a href="${target}">go</a>`;
    const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
    try {
      const attacked = await browser.newContext({ storageState: await context.storageState() });
      const page = await attacked.newPage();
      const seen: number[] = [];
      page.on('response', (response) => {
        if (response.url().startsWith(target)) seen.push(response.status());
      });
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
      const fetched = await page.evaluate(
        `fetch(${JSON.stringify(target)}, { credentials: 'include' }).then(() => 'read', () => 'refused')`,
      );
      expect(fetched).toBe('refused');
      expect(new Set(seen)).toEqual(new Set([403]));
      await page.getByText('go').click();
      await page.getByText('Another site led here').waitFor();
      await attacked.close();
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});
