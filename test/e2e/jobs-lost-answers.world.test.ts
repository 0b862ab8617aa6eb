import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from './job-home.js';
import { memberHome } from './member-home.js';
import type { Fate } from './member-platform.js';
import { keys, type OnTerminal } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** Creations whose answers are lost: resume settles what the platform shows, and a person the rest. */

const { platform, home } = await memberHome(0);

const rows = (titles: readonly string[]) =>
  writeFileSync(join(home.path, 'teams.csv'), `title\n${titles.join('\n')}\n`);
const create = ['bulk', 'teams', 'create', '--from', 'teams.csv', '--yes'];
const titles = () => platform.teams.map(({ title }) => title).sort();

interface Job {
  id: string;
  state: string;
  ok: number;
  unknown: number;
  failed: number;
  left: number;
}

async function newest(): Promise<Job> {
  const [job] = await home.json<Job[]>(['jobs', 'list']);
  if (job === undefined) throw new Error('no job');
  return job;
}

test('100 creations, 5 % of the answers lost: all done after a resume, none twice', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `Team ${at + 1}`);
  rows(names);
  // Some of the same names were there before.
  platform.add('Team 7');
  platform.add('Team 40');
  platform.onChange = (count): Fate =>
    count % 20 !== 0 ? 'done' : count % 40 === 0 ? 'lost before' : 'lost after';
  expect((await home.run(create)).code).toBe(3);
  expect(await newest()).toMatchObject({ ok: 95, unknown: 5 });

  platform.onChange = () => 'done';
  const resumed = await home.run(['jobs', 'resume', 'last', '--json']);
  expect({ code: resumed.code, unknown: resumed.stdout.includes('unknown') }).toEqual({
    code: 0,
    unknown: false,
  });
  expect(titles()).toEqual([...names, 'Team 7', 'Team 40'].sort());
  expect(await newest()).toMatchObject({ state: 'done', ok: 100, unknown: 0 });

  await home.ok(['undo', 'last', '--yes']);
  expect(titles()).toEqual(['Team 40', 'Team 7']);
});

describe('where nothing shows whose it is', () => {
  /** One row whose answer is lost, while somebody else creates the same. */
  async function inDoubt(): Promise<Job> {
    rows(['Writers', 'Readers']);
    platform.onChange = (_, title): Fate => {
      if (title === 'Readers') return 'done';
      platform.add('Writers');
      return 'lost after';
    };
    expect((await home.run([...create, '--concurrency', '1'])).code).toBe(3);
    platform.onChange = () => 'done';
    return newest();
  }

  test('resume names the candidates, and its hint settles one', async () => {
    const job = await inDoubt();
    const resumed = await home.run(['jobs', 'resume', job.id, '--json']);
    const error = failure(resumed.stderr);
    expect({ code: resumed.code, hint: error.hint }).toEqual({
      code: 3,
      hint: `docs jobs settle ${job.id} 0 --is t1`,
    });
    expect(resumed.stdout).toContain('nothing shows whether it created t1 or t2');
    expect(titles()).toEqual(['Readers', 'Writers', 'Writers']);

    const [, ...words] = (error.hint ?? '').split(' ');
    expect(await home.json(words)).toEqual({
      id: `${job.id}/0`,
      status: 'done',
      job: job.id,
      item: 0,
      made: 't1',
    });
    expect(await newest()).toMatchObject({ state: 'done', ok: 2 });
    expect((await home.run(['jobs', 'resume', job.id])).stderr).toMatch(/is finished/);
    expect(titles()).toEqual(['Readers', 'Writers', 'Writers']);
    await home.ok(['undo', job.id, '--yes']);
    expect(platform.teams.map(({ id }) => id)).toEqual(['t2']);
  });

  test('--not-done lets resume send it again', async () => {
    const job = await inDoubt();
    expect(await home.json(['jobs', 'settle', job.id, '0', '--not-done', '--dry-run'])).toMatchObject({
      status: 'not-done',
    });
    expect(await newest()).toMatchObject({ unknown: 1, left: 0 });
    await home.ok(['jobs', 'settle', job.id, '0', '--not-done']);
    expect(await newest()).toMatchObject({ unknown: 0, left: 1 });
    await home.ok(['jobs', 'resume', job.id]);
    expect(titles()).toEqual(['Readers', 'Writers', 'Writers', 'Writers']);
  });

  test.each([
    ['an id that is not there', ['0', '--is', 'nope'], 6, 'not_found'],
    ['what another item created', ['0', '--is', 't3'], 2, 'other_item'],
    ['an item that is done', ['1', '--not-done'], 2, 'not_unknown'],
    ['an item that is not in the job', ['7', '--not-done'], 2, 'unknown_item'],
    ['neither', ['0'], 2, 'missing_outcome'],
    ['both', ['0', '--is', 't1', '--not-done'], 2, 'contradiction'],
  ])('settle refuses %s', async (_, words, code, name) => {
    const job = await inDoubt();
    const ran = await home.run(['jobs', 'settle', job.id, ...words, '--json']);
    expect({ code: ran.code, name: failure(ran.stderr).code }).toEqual({ code, name });
    expect(await newest()).toMatchObject({ ok: 1, unknown: 1 });
  });

  describe('on a terminal, settle asks for the outcome', () => {
    async function asked(): Promise<OnTerminal> {
      const job = await inDoubt();
      const terminal = onTerminalHere(['jobs', 'settle', job.id, '0'], { cwd: home.path, env: home.env });
      await terminal.shows('❯ I do not know; leave it as it is');
      return terminal;
    }

    test('Enter alone records nothing', async () => {
      const terminal = await asked();
      terminal.type(keys.enter);
      expect((await terminal.ended).code).toBe(2);
      expect(terminal.screen.text()).toContain('Nothing was recorded; the item stays unknown.');
      expect(await newest()).toMatchObject({ ok: 1, unknown: 1 });
    });

    test('an id is looked up before it is recorded', async () => {
      const terminal = await asked();
      terminal.type(`${keys.down}${keys.enter}`);
      await terminal.shows('Id of what it created or changed:');
      terminal.type(`nope${keys.enter}`);
      await terminal.shows('> ');
      terminal.type(`\x15t3${keys.enter}`);
      await terminal.shows('t3 was created by');
      terminal.type(`\x15t1${keys.enter}`);
      expect((await terminal.ended).code).toBe(0);
      expect(await newest()).toMatchObject({ state: 'done', ok: 2 });
    });

    test('what was not done is sent again by the next resume', async () => {
      const terminal = await asked();
      terminal.type(`${keys.down}${keys.down}${keys.enter}`);
      expect((await terminal.ended).code).toBe(0);
      expect(await newest()).toMatchObject({ unknown: 0, left: 1 });
    });
  });

  test('settle refuses what was there before', async () => {
    platform.add('Writers');
    rows(['Writers', 'Readers']);
    platform.onChange = (_, title): Fate => (title === 'Readers' ? 'done' : 'lost before');
    await home.run([...create, '--concurrency', '1']);
    const ran = await home.run(['jobs', 'settle', 'last', '0', '--is', 't1', '--json']);
    expect({ code: ran.code, name: failure(ran.stderr).code }).toEqual({ code: 2, name: 'not_created' });
  });
});

describe('a single creation', () => {
  const one = ['teams', 'create', '--title', 'Writers'];
  const lost = async (fate: Fate) => {
    platform.onChange = () => fate;
    expect((await home.run(one)).code).toBe(16);
    platform.onChange = () => 'done';
  };

  test.each([0, 3_600_000, -3_600_000])('is found by its time, the clocks %d ms apart', async (clockMs) => {
    platform.clockMs = clockMs - 86_400_000;
    platform.add('Writers');
    platform.clockMs = clockMs;
    await lost('lost after');
    expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
    expect(platform.teams).toHaveLength(2);
    await home.ok(['undo', 'last', '--yes']);
    expect(platform.teams.map(({ id }) => id)).toEqual(['t1']);
  });

  test('is left to a person where no time tells', async () => {
    platform.dated = false;
    await lost('lost after');
    const [job] = await home.json<Job[]>(['jobs', 'list']);
    const ran = await home.run(['jobs', 'resume', 'last', '--json']);
    expect(failure(ran.stderr).hint).toBe(`docs jobs settle ${job?.id} 0 --is t1`);
    expect(platform.teams).toHaveLength(1);
  });
});
