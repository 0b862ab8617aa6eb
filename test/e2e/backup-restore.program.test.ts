import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { homeOfFile } from './backup-home.js';
import { breakThings } from './broken-platform.js';
import { outcomes } from './job-home.js';

const home = homeOfFile({ backup: true });

// CI kills one restore, `DOCS_TEST_RUNS=1` five.
const moments = process.env.DOCS_TEST_RUNS === undefined ? [5] : [1, 3, 5, 7, 9];

test.each(moments)('a restore, kill -9 at change %i: resumed, and nothing twice', async (moment) => {
  await breakThings(home);
  const running = home.start(['backup', 'restore', 'b', '--yes']);
  home.gateway.rule = () => {
    if (home.changes().length === moment) running.child.kill('SIGKILL');
    return undefined;
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.reset();
  expect((await home.run(['jobs', 'resume', 'last', '--json'])).code).toBe(0);
  const journal = readFileSync(home.journalPaths().at(-1) ?? '', 'utf8');
  for (const [, all] of outcomes(journal)) expect(all.filter((is) => is === 'ok')).toHaveLength(1);
  const { operations } = await home.json<{ operations: unknown[] }>(['backup', 'restore', 'b', '--dry-run']);
  expect(operations).toEqual([]);
  const teams = await home.json<{ title: string }[]>(['teams', 'list']);
  expect(teams.map(({ title }) => title).sort()).toEqual(['Support', 'Writers']);
});
