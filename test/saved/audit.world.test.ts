import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { savedWorld } from './world.js';

/** A saved audit chain: three jobs, one of them settled by hand. */

const world = await savedWorld();
afterAll(() => world.close());

const head = 'cebbf9d7ba38e6d61cd1b1bf37f29f7c76f68b710cfa5150bae2cda78482c20a';
const jobs = '.local/state/docs/jobs';
const verify = async (...words: string[]) => {
  const { code, stdout } = await world.run(['audit', 'verify', '--json', ...words]);
  const { findings, ...rest } = JSON.parse(stdout) as { findings: { is: string }[] };
  return { code, ...rest, findings: findings.map(({ is }) => is) };
};

test('it is whole, up to its head, and goes on', async () => {
  world.lay('audit/chain');
  expect(await verify('--head', head)).toMatchObject({
    code: 0,
    state: 'whole',
    events: 8,
    head,
    findings: [],
  });
  const list = await world.json<{ seq: number; event: string; detail: string }[]>(['audit', 'list']);
  expect(list.map(({ event, detail }) => `${event} ${detail}`.trim()).reverse()).toEqual([
    'chain-begun',
    'job-begun',
    'job-ended 4 ok',
    expect.stringMatching(/^job-begun undoes \d{8}-\d{6}-[0-9a-f]{6}$/),
    'job-ended 4 ok',
    'job-begun',
    'settled item 0',
    'job-ended 1 ok',
  ]);
  expect(await world.ok(['audit', 'export'])).toBe(world.read('.local/state/docs/audit.jsonl'));
  await world.ok(['teams', 'create', '--title', 'Later']);
  expect(await verify()).toMatchObject({ code: 0, state: 'whole', events: 10 });
});

test('a journal that was changed, and a line that was removed, are found', async () => {
  world.lay('audit/chain');
  const [name = ''] = readdirSync(world.at(jobs)).sort();
  const journal = join(jobs, name);
  writeFileSync(world.at(journal), world.read(journal).replace('"read"', '"edit"'));
  expect(await verify()).toMatchObject({ code: 17, findings: ['journal-changed'] });
  world.lay('audit/chain');
  const lines = world.read('.local/state/docs/audit.jsonl').split('\n');
  writeFileSync(world.at('.local/state/docs/audit.jsonl'), lines.toSpliced(3, 1).join('\n'));
  expect((await verify()).findings).toContain('line-removed');
});
