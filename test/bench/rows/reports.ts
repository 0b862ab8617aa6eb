import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { reportFile, writeReport } from '../../../src/reports/write.js';
import { browserPath, startBrowser } from '../../reports/browser.js';
import { accessHeat, membersTable } from '../../reports/samples.js';
import type { Bench, Row } from '../bench.js';
import type { Measured } from '../result.js';

const size = '10,000 people by 300 spaces';
const mostMs = 2000;
const mostMb = 15;

/** A large report in Chromium: how long it takes to open, and to sort its table. */
export const reports: Row = async (bench) => {
  if (browserPath === undefined) {
    process.stderr.write('reports: skipped, there is no Chromium; set DOCS_TEST_BROWSER\n');
    return [];
  }
  const path = bench.path('access.html');
  await write(bench, path);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const [opened, table]: number[][] = [[], []];
    for (let run = 0; run < bench.runs(10); run += 1) {
      opened?.push(await timed(() => open(page, path)));
      table?.push(await timed(() => sortTable(page)));
    }
    return [
      inMs(`a report of ${size} opens`, opened),
      inMs('a report: its table of 10,000 rows is sorted', table),
      {
        ...{ what: `a report of ${size}: size`, against: `${mostMb} MB`, goal: { most: 1 }, unit: 'MB' },
        ...{ ours: [readFileSync(path).length / 1e6], theirs: [mostMb] },
      },
    ];
  } finally {
    await browser.close();
  }
};

async function write(bench: Bench, path: string): Promise<void> {
  const parts = [accessHeat(10_000, 300), membersTable(10_000)];
  const report = { title: 'Access matrix', about: [], facts: [], parts };
  await writeReport({ now: Date.now }, await reportFile(path, bench.path('.')), report);
}

function inMs(what: string, ours: readonly number[] = []): Measured {
  const theirs = ours.map(() => mostMs);
  return { what, against: `${mostMs} ms`, goal: { most: 1 }, unit: 'ms', ours, theirs };
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(pathToFileURL(path).href);
  await page.locator('main[data-ready]').waitFor();
  await drawn(page);
}

async function sortTable(page: Page): Promise<void> {
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await drawn(page);
}

/** Until the frame after the next one: what was asked for is on the screen then. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
