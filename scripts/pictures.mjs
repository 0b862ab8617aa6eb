/**
 * Draws the pictures of README and guide, from the sandbox with the seed acme:
 *
 *   npm run pictures [-- <part of a name> …]
 *
 * Needs the built program, and Chromium for the PNG files; DOCS_TEST_BROWSER names another than that of the system.
 * Twice on one machine, the files are the same.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { chromium } from 'playwright-core';
import { acme, editFiles, start } from './looks/acme.mjs';
import { conceptsSvg } from './pictures/concepts.mjs';
import { terminalSvg } from './pictures/terminal.mjs';

const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
const folder = resolve('docs', 'pictures');
// A short path: some pages show it.
const home = acme(mkdtempSync('/tmp/ada-'));
const { docs } = home;

/** What is typed on terminals. */
const sessions = {
  'overview.svg': { columns: 104, lines: [['overview']] },
  'terminal.svg': {
    columns: 88,
    lines: [
      ['members', 'list', '--role', 'admin', '--limit', '4'],
      ['teams', 'create', '--title', 'Press', '--dry-run'],
      ['teams', 'create', '--title', 'Press'],
      ['undo', 'last', '--yes'],
    ],
  },
};

mkdirSync(folder, { recursive: true });
try {
  if (isWanted('concepts.svg')) write('concepts.svg', conceptsSvg());
  for (const [name, { columns, lines }] of Object.entries(sessions))
    if (isWanted(name)) write(name, terminalSvg(await played(lines, columns), columns));
  await drawPages();
} finally {
  home.close();
}

function write(name, data) {
  writeFileSync(join(folder, name), data);
  console.log(`docs/pictures/${name}  ${Math.ceil(data.length / 1000)} kB`);
}

/** Sets the clock of the sandbox back to its start. */
function atStart() {
  const [, , now] = docs('sandbox', 'clock', '--quiet').trim().split('\t');
  const seconds = Math.round((Date.parse(now) - start) / 1000);
  if (seconds !== 0) docs('sandbox', 'clock', '--quiet', '--', `-${seconds}s`);
}

async function played(lines, columns) {
  atStart();
  const shown = [];
  for (const words of lines) shown.push({ words, bytes: await onTerminal(['--sandbox', ...words], columns) });
  return shown;
}

/** What docs prints on a terminal, with its colours. */
function onTerminal(words, cols) {
  return new Promise((done) => {
    const options = { cols, rows: 60, cwd: home.path, env: { ...home.env, TERM: 'xterm-256color' } };
    const terminal = spawn(process.execPath, [home.program, ...words], options);
    let bytes = '';
    terminal.onData((text) => {
      bytes += text;
    });
    // Data may still come after the exit.
    terminal.onExit(() => setTimeout(() => done(bytes), 200));
  });
}

/** The pages that docs writes and the sandbox shows, as PNG. */
async function drawPages() {
  const pages = {
    'overview.png': { file: () => written('overview') },
    'matrix.png': { file: () => written('access', 'matrix') },
    'map.png': { file: () => written('orgs', 'map'), arrange: openCollections },
    'plan.png': { file: planPage },
    'sandbox.png': { address: () => docs('sandbox', 'open', '--quiet').trim(), arrange: openRequest },
  };
  const names = Object.keys(pages).filter(isWanted);
  if (names.length === 0) return;
  const browser = await startBrowser();
  try {
    for (const name of names) {
      atStart();
      const { file, address, arrange } = pages[name];
      write(name, await pictureOf(browser, file ? pathToFileURL(file()).href : servedAt(address), arrange));
    }
  } finally {
    docs('sandbox', 'stop');
    await browser.close();
  }
}

async function startBrowser() {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = process.env.DOCS_TEST_BROWSER ?? usual.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'Chromium not found; install it (Debian: apt-get install chromium), or set DOCS_TEST_BROWSER',
    );
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] });
}

async function pictureOf(browser, address, arrange = async () => {}) {
  const viewport = { width: 1200, height: 760 };
  const view = await browser.newPage({ colorScheme: 'light', viewport, timezoneId: 'UTC', locale: 'en-GB' });
  await view.goto(address);
  if (address.startsWith('file:')) await view.locator('main[data-ready]').waitFor();
  await arrange(view);
  await view.mouse.move(0, 0);
  await view.evaluate(settle);
  const picture = await view.screenshot({ animations: 'disabled' });
  await view.close();
  return picture;
}

async function openCollections(view) {
  for (const label of ['Product', 'Engineering', 'Platform'])
    await view
      .locator('summary', { has: view.locator(`bdi:text-is("${label}")`) })
      .first()
      .click();
}

/** Requests of several kinds, one of them open. */
async function openRequest(view) {
  const { url, tokens, org } = JSON.parse(docs('sandbox', 'status', '--json'));
  const env = { ...home.env, CI: '1', DOCS_BASE_URL: url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org };
  const lines = ['members list --limit 5', 'spaces get nope', 'teams list', 'teams create --title Press'];
  for (const line of lines) spawnSync(process.execPath, [home.program, ...line.split(' ')], { env });
  await view.getByRole('link', { name: 'Requests', exact: true }).click();
  await view
    .getByRole('link', { name: /teams create/ })
    .first()
    .click();
  await view.getByText('What it changed').waitFor();
}

/** In the page: replaces times of this machine and ids that are different each time. */
function settle() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const text = node.data
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, '2026-01-05 09:00:00 UTC')
      .replaceAll(/(2026-01-05T09:0)\d:\d\d\.\d{3}Z/g, '$10:00.000Z')
      .replaceAll(/\bp-[0-9a-f]{16}\b/g, 'p-233c7ea53521389a')
      .replaceAll(/ --(?:sandbox|quiet)\b/g, '');
    if (text !== node.data) node.data = text;
  }
}

/** A page for the browser. */
function written(...words) {
  return home.page(words.join('-'), (file) => [...words, '--html', file]);
}

function servedAt(address) {
  docs('sandbox', 'start', '--quiet');
  atStart();
  return address();
}

/** A plan of edits to the files: a team, roles, and a setting that others see. */
function planPage() {
  docs('--sandbox', 'pull', '--quiet');
  editFiles(home.path);
  atStart();
  docs('--sandbox', 'plan', '--save-plan', 'plan.json', '--quiet');
  return home.page('plan', (file) => ['plan', 'show', 'plan.json', '--html', file]);
}
