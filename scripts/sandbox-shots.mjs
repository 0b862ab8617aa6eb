// Takes pictures of each kind of page that docs sandbox open shows, at two widths, light and dark, into a folder:
// node scripts/sandbox-shots.mjs <folder> [<part of a name> …]
// Needs the built program and a Chromium; DOCS_TEST_BROWSER names another than that of the system.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder? node scripts/sandbox-shots.mjs <folder>');
mkdirSync(folder, { recursive: true });
const home = mkdtempSync(join(tmpdir(), 'docs-shots-'));
const docs = (...words) =>
  execFileSync(process.execPath, ['bin/docs.js', ...words], {
    env: { HOME: home, PATH: process.env.PATH, DOCS_CREDENTIAL_STORE: 'file', CI: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Pages of one kind that are looked at, to find the longest. */
const mostVisits = 12;

/** Titles that must stay text, in pages that must keep their form. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202eمرحبا بالعالم',
  'W'.repeat(48),
];

docs('sandbox', 'start');
try {
  for (const title of hostile) {
    docs('--sandbox', 'teams', 'create', '--title', title);
    docs('--sandbox', 'collections', 'create', '--title', title);
  }
  const { space } = JSON.parse(docs('sandbox', 'status', '--json'));
  docs('--sandbox', 'spaces', 'update', space, '--title', hostile[1]);
  await shootAll(docs('sandbox', 'open').trim());
} finally {
  docs('sandbox', 'stop');
  rmSync(home, { recursive: true, force: true });
}

async function shootAll(address) {
  const executablePath = process.env.DOCS_TEST_BROWSER ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    const paths = await kindsOfPages(page);
    const { cookies } = await context.storageState();
    for (const colorScheme of ['light', 'dark'])
      for (const width of [420, 1280]) {
        const looking = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
        await looking.addCookies(cookies);
        for (const [name, path] of paths)
          await shoot(looking, new URL(path, address).href, `${name}-${width}-${colorScheme}`);
        await shootRefusal(browser, new URL('/sandbox/', address).href, {
          colorScheme,
          viewport: { width, height: 900 },
        });
        await looking.close();
      }
  } finally {
    await browser.close();
  }
}

/** The longest of some pages of each kind, by a name: whatever links lead to, with ids and queries left out. */
async function kindsOfPages(page) {
  const kinds = new Map();
  const waiting = [new URL(page.url()).pathname];
  const seen = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const name = nameOf(path);
    const { count = 0, length: longest = 0 } = kinds.get(name) ?? {};
    if (count >= mostVisits || /\/files\/./.test(path)) continue;
    await page.goto(new URL(path, page.url()).href);
    const { length } = await page.content();
    kinds.set(name, { ...kinds.get(name), count: count + 1, ...(length > longest && { path, length }) });
    const anchors = page.locator('a[href^="/sandbox/"]');
    for (const link of await anchors.evaluateAll((all) => all.map((one) => one.getAttribute('href'))))
      if (!seen.has(link)) seen.add(link) && waiting.push(link);
  }
  const found = [...kinds].map(([name, { path }]) => [name, path]);
  return found.filter(([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
}

/** `/sandbox/orgs/x/teams/y` is `orgs-one-teams-one`. */
function nameOf(path) {
  const [bare] = path.split('?');
  const named = bare.replaceAll(
    /(?<=\/(orgs|spaces|pages|change-requests|members|teams|sites|openapi)\/)[^/]+/g,
    'one',
  );
  return named.split('/').slice(2).join('-') || 'organizations';
}

async function shoot(context, url, name) {
  const page = await context.newPage();
  page.on('console', (message) => console.error(`${name}: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  await page.goto(url);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (wide) console.error(`${name}: wider than the window`);
  await page.close();
}

async function shootRefusal(browser, url, look) {
  if (wanted.length > 0 && !wanted.includes('refusal')) return;
  const context = await browser.newContext(look);
  const page = await context.newPage();
  await page.goto(url);
  await page.screenshot({ path: join(folder, `refusal-${look.viewport.width}-${look.colorScheme}.png`) });
  await context.close();
}
