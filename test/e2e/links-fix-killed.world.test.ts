import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcomes } from './job-home.js';
import { homeOfLinks, propose } from './links-home.js';

/** `docs links fix`, killed: what it proposes is proposed once. */

const home = homeOfLinks();

// CI kills once the import took effect; `DOCS_TEST_RUNS=1` before and after each change.
const moments: ['before' | 'after', number][] =
  process.env.DOCS_TEST_RUNS === undefined
    ? [['after', 2]]
    : [1, 2, 3].flatMap((n): ['before' | 'after', number][] => [
        ['before', n],
        ['after', n],
      ]);

test.each(moments)('kill -9 %s change %i: resumed, read back, and nothing twice', async (when, moment) => {
  await home.writeArchives();
  home.gateway.reset();
  const running = home.begin([...propose, '--yes']);
  const killsAt = (line: string) => !line.startsWith('GET ') && home.changes().length === moment;
  const kill = () => running.kill('SIGKILL');
  if (when === 'before')
    home.gateway.rule = (line) => {
      if (!killsAt(line)) return undefined;
      kill();
      return 500;
    };
  else
    home.gateway.rewrite = (line, text) => {
      if (killsAt(line)) kill();
      return text;
    };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.reset();
  const resumed = await home.run(['jobs', 'resume', 'last', '--json']);
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stderr).toContain('read again: 2 of 2 links fixed');
  expect(home.changes().filter((line) => line.includes('/import'))).toHaveLength(
    moment < 2 || (moment === 2 && when === 'before') ? 1 : 0,
  );
  for (const [, all] of outcomes(readFileSync(home.journalPaths().at(-1) ?? '', 'utf8')))
    expect(all.filter((is) => is === 'ok')).toHaveLength(1);
  expect(await home.openRequests()).toHaveLength(1);
  expect((await home.rows()).filter(({ status }) => status === 'fixed')).toHaveLength(2);
});

test('run again in place of a resume, it completes the draft that is there', async () => {
  await home.writeArchives();
  const running = home.begin([...propose, '--yes']);
  home.gateway.rule = (line) => {
    if (line.includes('/content/import')) running.kill('SIGKILL');
    return undefined;
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  home.gateway.reset();
  const again = await home.run([...propose, '--yes']);
  expect(again).toMatchObject({ code: 0 });
  expect(home.changes().filter((line) => /change-requests$/.test(line))).toEqual([]);
  expect(await home.openRequests()).toHaveLength(1);
});
