import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { JobFolder } from '../../src/jobs/job-folder.js';
import type { Job } from '../../src/jobs/journal.js';
import { takeJob } from '../../src/jobs/journal-folder.js';
import { failure, outcomes } from './job-home.js';
import { bulk, memberHome, update } from './member-home.js';
import type { Fate } from './member-platform.js';
import { keys, type OnTerminal } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** When resume is refused; and the journal: its content, an unwritable one, none. */

const { platform, home } = await memberHome(10);

describe('resume is refused, and nothing is sent', () => {
  beforeEach(async () => {
    platform.onChange = (count) => (count > 5 ? 403 : 'done');
    expect((await home.run(bulk)).code).toBe(3);
    platform.onChange = () => 'done';
  });

  async function expectRefused(
    args: readonly string[],
    env: Record<string, string>,
    message: RegExp,
    hint?: RegExp,
  ) {
    const sent = platform.requests.length;
    const job = home.journalPaths()[0]?.split('/').at(-1)?.split('.')[0] ?? '';
    const ran = await home.run(['jobs', 'resume', job, '--json', ...args], { env });
    expect({ code: ran.code, stdout: ran.stdout, sent: platform.requests.length }).toEqual({
      code: 2,
      stdout: '',
      sent,
    });
    const error = failure(ran.stderr);
    expect(error.code).toBe('job_mismatch');
    expect(error.message).toMatch(message);
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  }

  test('after the file was edited', async () => {
    appendFileSync(join(home.path, 'roles.csv'), 'u11,read\n');
    await expectRefused([], {}, /roles\.csv was edited after the job was created; nothing was sent/);
  });

  test.each<{ name: string; words?: string[]; env?: Record<string, string>; message: RegExp; hint?: RegExp }>(
    [
      {
        name: 'with another profile, with the right one in the hint',
        words: ['--profile', 'other'],
        message: /belongs to profile default, not to other/,
        hint: /--profile default$/,
      },
      {
        name: 'at another address',
        env: { DOCS_BASE_URL: 'http://127.0.0.1:9' },
        message: /belongs to http:\/\/127\.0\.0\.1:\d+, not to http:\/\/127\.0\.0\.1:9/,
      },
      {
        name: 'in another organization, with the right one in the hint',
        env: { DOCS_ORG: 'o2' },
        message: /belongs to organization o1, not to o2/,
        hint: /--org o1$/,
      },
    ],
  )('$name', async ({ words = [], env = {}, message, hint }) => {
    await expectRefused(words, env, message, hint);
  });

  test('by another version', async () => {
    const [path = ''] = home.journalPaths();
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.1"'));
    await expectRefused([], {}, /It was created by docs 0\.0\.1, and this is /);
  });

  test('but not after the file was deleted: the journal holds the whole plan', async () => {
    rmSync(join(home.path, 'roles.csv'));
    expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
    expect(platform.changes).toHaveLength(10);
  });
});

describe('the journal', () => {
  test('holds no token and is readable by its owner only', async () => {
    await home.ok(update);
    await home.ok(['members', 'update', 'u1', '--role', 'comment']);
    for (const text of home.journalTexts()) expect(text).not.toContain('secret-token');
  });

  test('that cannot be written is exit 13 with nothing sent; turned off, changes work', async () => {
    mkdirSync(join(home.path, '.local'), { recursive: true });
    writeFileSync(join(home.path, '.local', 'state'), 'in the way');
    for (const args of [update, ['members', 'update', 'u1', '--role', 'read']]) {
      const ran = await home.run([...args, '--json']);
      expect(ran.code).toBe(13);
      expect(failure(ran.stderr)).toMatchObject({ code: 'journal_unwritable', exitCode: 13 });
    }
    expect(platform.requests.filter((request) => request.startsWith('PATCH'))).toEqual([]);
    await home.ok(['config', 'set', 'journal', 'off']);
    await home.ok(update);
    expect(platform.changes).toHaveLength(10);
  });

  test('turned off leaves no file and reads no state before a change', async () => {
    await home.ok(['config', 'set', 'journal', 'off']);
    await home.ok(update);
    expect(existsSync(home.journals)).toBe(false);
    expect(platform.requests.filter((request) => !request.startsWith('PATCH'))).toEqual([
      'GET /v1/orgs/o1/members?role=admin&limit=1000',
    ]);
    await home.ok(['config', 'set', 'journal', 'on']);
    await home.ok(['members', 'update', 'u1', '--role', 'edit']);
    expect(platform.requests.slice(-2)).toEqual([
      'GET /v1/orgs/o1/members/u1',
      'PATCH /v1/orgs/o1/members/u1',
    ]);
    expect(home.journalPaths()).toHaveLength(1);
  });
});

const role = (id: string) => platform.roles.get(id);

const shown = async (...words: string[]) =>
  await home.json<{ command: string; profile: string }>(['jobs', 'show', 'last', ...words]);

/** The organization of the environment is not one of the sandbox. */
async function inSandbox(run: () => Promise<unknown>): Promise<void> {
  const { DOCS_ORG = '' } = home.env;
  home.env.DOCS_ORG = '';
  await run();
  home.env.DOCS_ORG = DOCS_ORG;
}

test('passes over jobs of another profile and of another address', async () => {
  await home.ok(['members', 'update', 'u1', '--role', 'read']);
  await home.ok(['members', 'update', 'u2', '--role', 'read', '--profile', 'other']);
  await inSandbox(() => home.ok(['--sandbox', 'teams', 'create', '--title', 'New']));
  expect(await shown()).toMatchObject({ command: 'members update', profile: 'default' });
  expect(await shown('--profile', 'other')).toMatchObject({ command: 'members update', profile: 'other' });
  expect(await shown('--sandbox')).toMatchObject({ command: 'teams create', profile: 'sandbox' });
  await home.ok(['undo', 'last']);
  expect([role('u1'), role('u2')]).toEqual(['edit', 'read']);
  await inSandbox(() => home.ok(['undo', 'last', '--sandbox', '--yes']));
  await home.ok(['undo', 'last', '--profile', 'other']);
  expect([role('u1'), role('u2')]).toEqual(['edit', 'edit']);
});

describe('where the last job cannot be undone, undo changes nothing and names an older one', () => {
  const lastTwo = async () => {
    const jobs = await home.json<{ id: string }[]>(['jobs', 'list']);
    return jobs.slice(0, 2).map(({ id }) => id);
  };

  async function namesBoth(last: string, older: string, why: string) {
    const sent = platform.requests.length;
    for (const words of [['--yes'], ['--dry-run'], ['--save-plan', 'plan.json']]) {
      const ran = await home.run(['undo', 'last', ...words, '--json']);
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
      const { code, message, hint, details } = failure(ran.stderr);
      expect({ code, hint, details }).toEqual({
        code: 'nothing_to_undo',
        hint: `docs undo ${older}`,
        details: { last, older },
      });
      expect(message).toContain(`${last} (`);
      expect(message).toContain(why);
      expect(message).toContain(`${older} (members update)`);
    }
    expect({ role: role('u1'), sent: platform.requests.length }).toEqual({ role: 'read', sent });
  }

  test('a change without a way back', async () => {
    await home.ok(['members', 'update', 'u1', '--role', 'read']);
    await home.ok(['members', 'delete', 'u2', '--yes']);
    const [last = '', older = ''] = await lastTwo();
    await namesBoth(last, older, 'invite the person again');
    expect(await shown()).toMatchObject({ id: last, command: 'members delete' });
    await home.ok(['undo', older]);
    expect(role('u1')).toBe('edit');
  });

  test('a job that changed nothing', async () => {
    await home.ok(['members', 'update', 'u1', '--role', 'read']);
    platform.onChange = () => 403;
    expect((await home.run(['members', 'update', 'u2', '--role', 'read'])).code).toBe(5);
    platform.onChange = () => 'done';
    const [last = '', older = ''] = await lastTwo();
    await namesBoth(last, older, 'it changed nothing');
  });

  test('a journal that cannot be read', async () => {
    await home.ok(['members', 'update', 'u1', '--role', 'read']);
    await home.ok(['members', 'update', 'u2', '--role', 'read']);
    const [path = ''] = home.journalPaths().slice(-1);
    writeFileSync(path, 'x\n');
    const ran = await home.run(['undo', 'last', '--yes', '--json']);
    expect({ code: ran.code, roles: [role('u1'), role('u2')] }).toEqual({
      code: 14,
      roles: ['read', 'read'],
    });
    const [, last] = /([^/]+)\.\w+\.jsonl$/.exec(path) ?? [];
    expect(failure(ran.stderr)).toMatchObject({
      code: 'corrupt_journal',
      hint: `docs jobs discard ${last}`,
    });
  });
});

test('names the newest job of others where this profile has none', async () => {
  await home.ok(['members', 'update', 'u1', '--role', 'read', '--profile', 'other']);
  const [job] = await home.json<{ id: string }[]>(['jobs', 'list']);
  for (const words of [
    ['undo', 'last'],
    ['jobs', 'resume', 'last'],
    ['jobs', 'show', 'last'],
  ]) {
    const { code, message, hint } = failure((await home.run([...words, '--json'])).stderr);
    expect({ code, hint }).toEqual({ code: 'unknown_job', hint: `docs jobs show ${job?.id}` });
    expect(message).toContain(`no job of profile default at ${home.env.DOCS_BASE_URL}.`);
    expect(message).toContain('of profile other');
  }
});

const write = (name: string, text: string) => writeFileSync(join(home.path, name), text);

const everyone = Array.from({ length: 10 }, (_, index) => `u${index + 1}`);

const lines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));

test('resumes after a network outage and sends what was not sent', async () => {
  platform.onChange = async (count): Promise<Fate> => {
    if (count === 4) await platform.down();
    return 'done';
  };
  const ran = await home.run([...update, '--concurrency', '1']);
  expect(ran.code).toBe(3);
  expect(
    lines(ran.stdout)
      .map(([id, status]) => `${id} ${status}`)
      .slice(0, 5),
  ).toEqual(['u1 ok', 'u2 ok', 'u3 ok', 'u4 unknown', 'u5 failed']);
  await platform.up();
  platform.onChange = () => 'done';
  expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
  expect([...platform.changes].sort()).toEqual(everyone.map((id) => `${id} read`).sort());
});

test('finishes the other items where 3 of 10 are refused, and retries those on resume', async () => {
  const locked = ['u2', 'u5', 'u10'];
  platform.onChange = (_, id) => (locked.includes(id) ? 403 : 'done');
  const ran = await home.run([...update, '-o', 'ndjson']);
  expect(ran.code).toBe(3);
  const results = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { index: number; id: string; status: string });
  expect(results.map(({ index, id, status }) => [index, id, status])).toEqual(
    everyone.map((id, index) => [index, id, locked.includes(id) ? 'failed' : 'ok']),
  );
  const [job] = await home.json<{ id: string; state: string; failed: number }[]>(['jobs', 'list']);
  expect(job).toMatchObject({ state: 'failed', ok: 7, failed: 3, left: 0 });
  expect(failure(ran.stderr)).toMatchObject({
    code: 'partial',
    exitCode: 3,
    message: '7 of 10 items are done; 3 failed',
    hint: `docs jobs show ${job?.id}`,
  });
  const shown = await home.json<{ items: { id: string; status: string; error?: { status: number } }[] }>([
    'jobs',
    'show',
    'last',
  ]);
  expect(
    shown.items.filter(({ status }) => status === 'failed').map(({ id, error }) => [id, error?.status]),
  ).toEqual(locked.map((id) => [id, 403]));
  platform.onChange = () => 'done';
  expect(lines(await home.ok(['jobs', 'resume', 'last'])).map(([id]) => id)).toEqual(locked);
  expect(platform.changes).toHaveLength(10);
});

test('--fail-fast skips what has not started after the first failure', async () => {
  platform.onChange = (count) => (count === 3 ? 403 : 'done');
  const ran = await home.run([...update, '--fail-fast', '--concurrency', '1']);
  expect(ran.code).toBe(3);
  expect(lines(ran.stdout).map(([, status]) => status)).toEqual([
    'ok',
    'ok',
    'failed',
    ...Array(7).fill('skipped'),
  ]);
  expect(platform.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
});

describe('the same file twice', () => {
  test('is refused where it would create things twice', async () => {
    write('teams.csv', 'title\nWriters\nReaders\n');
    const make = ['bulk', 'teams', 'create', '--from', 'teams.csv'];
    await home.ok(make);
    const again = await home.run([...make, '--json']);
    expect(again.code).toBe(2);
    expect(failure(again.stderr)).toMatchObject({ code: 'done_before' });
    expect(platform.changes).toEqual(['new Writers', 'new Readers']);
    await home.ok([...make, '--again']);
    expect(platform.changes).toHaveLength(4);
  });
});

test('killed five times, with faults throughout: each item is done once', async () => {
  const fate = (count: number): Fate =>
    count % 5 === 4 ? 'lost after' : count % 7 === 3 ? 'lost before' : 'done';
  let words = [...update, '--concurrency', '3'];
  for (const at of [2, 4, 6, 8, 10]) {
    const running = home.begin(words);
    platform.onChange = (count) => {
      if (count === at) running.kill('SIGKILL');
      return fate(count);
    };
    await running.ended;
    words = ['jobs', 'resume', 'last', '--concurrency', '3'];
  }
  platform.onChange = () => 'done';
  await home.ok(['jobs', 'resume', 'last']);
  expect([...platform.changes].sort()).toEqual(everyone.map((id) => `${id} read`).sort());
  const found = [...outcomes(home.journalTexts()[0] ?? '').values()];
  expect(found.map((seen) => seen.filter((is) => is === 'ok'))).toEqual(Array(10).fill(['ok']));
});

const journal = () => home.journalPaths().at(-1) ?? '';

const name = () => journal().split('/').at(-1)?.split('.')[0] ?? '';

const edit = (change: (text: string) => string) =>
  writeFileSync(journal(), change(readFileSync(journal(), 'utf8')));

/** The first lines of a journal, and a part of the next one. */
const cut = (lines: number) => edit((text) => `${text.split('\n').slice(0, lines).join('\n')}\n{"item":`);

const changing = () => platform.requests.filter((request) => request.startsWith('PATCH')).length;

async function refused(words: readonly string[]) {
  const sent = changing();
  const ran = await home.run([...words, '--yes', '--json']);
  expect({ code: ran.code, stdout: ran.stdout, sent: changing() }).toEqual({ code: 2, stdout: '', sent });
  return failure(ran.stderr);
}

describe('a journal that was cut inside its plan', () => {
  const ways = [
    ['resume', () => ['jobs', 'resume', name()]],
    ['the same command', () => bulk],
    ['undo', () => ['undo', name()]],
    ['settle', () => ['jobs', 'settle', name(), '0', '--not-done']],
  ] as const;

  test.each(ways)('%s: names the way on', async (_, words) => {
    await home.ok([...bulk, '--yes']);
    cut(5);
    const { message, hint } = await refused(words());
    expect(message).toContain('Its journal has only 4 of the 10 items of its plan');
    expect(message).toContain('none of its items was sent');
    expect(message).toMatch(/start over|--again/);
    expect(hint).toBe(`docs jobs discard ${name()}`);
  });

  test('the way leads on', async () => {
    await home.ok([...bulk, '--yes']);
    cut(5);
    const { hint = '' } = await refused(bulk);
    const [, ...words] = hint.split(' ');
    expect(await home.json([...words, '--dry-run'])).toMatchObject({ status: 'kept' });
    expect(await home.json(words)).toMatchObject({ status: 'discarded' });
    await home.ok([...bulk, '--yes']);
    expect(await home.json(['jobs', 'list'])).toMatchObject([{ state: 'done', ok: 10 }]);
  });

  test('of one request', async () => {
    await home.ok(['members', 'update', 'u1', '--role', 'read']);
    cut(1);
    const { hint } = await refused(['undo', 'last']);
    expect(hint).toBe(`docs jobs discard ${name()}`);
    expect((await home.run(['jobs', 'show', name()])).stderr).toContain('only 0 of the 1 items');
  });

  test('or before it: discard removes it', async () => {
    await home.ok(update);
    edit((text) => text.slice(0, 30));
    const ran = await home.run(['jobs', 'resume', name(), '--json']);
    const { hint = '' } = failure(ran.stderr);
    expect(hint).toBe(`docs jobs discard ${name()}`);
    await home.ok(hint.split(' ').slice(1));
    expect(home.journalPaths()).toEqual([]);
  });
});

describe('a journal whose plan was edited', () => {
  beforeEach(async () => {
    await home.ok([...bulk, '--yes']);
    edit((text) => text.replace('"role":"read"', '"role":"admin"'));
  });

  test('is not undone', async () => {
    const { code, message, hint } = await refused(['undo', name()]);
    expect({ code, hint }).toEqual({ code: 'job_mismatch', hint: `docs jobs discard ${name()}` });
    expect(message).toContain('Its journal was edited');
    expect(message).toContain(`10 of its items were sent (docs jobs show ${name()})`);
  });

  test('is not discarded without a yes, since items were sent', async () => {
    const ran = await home.run(['jobs', 'discard', name(), '--json']);
    expect({ code: ran.code, left: home.journalPaths().length }).toEqual({ code: 2, left: 1 });
    expect(failure(ran.stderr)).toMatchObject({ code: 'not_confirmed' });
    await home.ok(['jobs', 'discard', name(), '--yes']);
    expect(home.journalPaths()).toEqual([]);
  });
});

test('a corrupt journal can be discarded', async () => {
  await home.ok(update);
  edit((text) => text.replace('{"item":0', '{"item":'));
  const ran = await home.run(['jobs', 'show', name(), '--json']);
  const { code, hint } = failure(ran.stderr);
  expect({ code, hint }).toEqual({ code: 'corrupt_journal', hint: `docs jobs discard ${name()}` });
  await home.ok(['jobs', 'discard', name(), '--yes']);
  expect(home.journalPaths()).toEqual([]);
});

afterEach(() => vi.restoreAllMocks());

test.each([
  [['jobs', 'list', '--jq', '.[].state'], 'readAll'],
  [['jobs', 'show', 'last', '--jq', '.state'], 'undoing'],
] as const)('docs %j: one that ends after its journal was read was running', async (words, read) => {
  await home.ok(['members', 'update', 'u1', '--role', 'read']);
  const [path = ''] = home.journalPaths();
  const { release } = takeJob(process, home.journals, basename(path, '.jsonl').split('.')[0] ?? '');
  const original = JobFolder.prototype[read];
  vi.spyOn(JobFolder.prototype, read).mockImplementation(function (this: JobFolder, ...given: unknown[]) {
    const found: Job[] = Reflect.apply(original, this, given);
    release();
    return found;
  });
  const { stdout } = await home.run(words);
  expect(stdout).toMatch(/^"?running"?\n$/);
});

const rows = (titles: readonly string[]) =>
  writeFileSync(join(home.path, 'teams.csv'), `title\n${titles.join('\n')}\n`);

const create = ['bulk', 'teams', 'create', '--from', 'teams.csv', '--yes'];

const titles = () => platform.teams.map(({ title }) => title).sort();

interface Listed {
  id: string;
  state: string;
  ok: number;
  unknown: number;
  failed: number;
  left: number;
}

async function newest(): Promise<Listed> {
  const [job] = await home.json<Listed[]>(['jobs', 'list']);
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
  async function inDoubt(): Promise<Listed> {
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
      await terminal.shows('❯ I do not know; change nothing');
      return terminal;
    }

    test('Enter alone records nothing', async () => {
      const terminal = await asked();
      terminal.type(keys.enter);
      expect((await terminal.ended).code).toBe(2);
      expect(terminal.screen.text()).toContain('nothing was recorded; the item stays unknown');
      expect(await newest()).toMatchObject({ ok: 1, unknown: 1 });
    });

    test('an id is looked up before it is recorded', async () => {
      const terminal = await asked();
      terminal.type(`${keys.down}${keys.enter}`);
      await terminal.shows('Id of the item it created or changed:');
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
    const [job] = await home.json<Listed[]>(['jobs', 'list']);
    const ran = await home.run(['jobs', 'resume', 'last', '--json']);
    expect(failure(ran.stderr).hint).toBe(`docs jobs settle ${job?.id} 0 --is t1`);
    expect(platform.teams).toHaveLength(1);
  });
});

test('a dry run of resume says how many requests a crash may have left sent', async () => {
  await home.ok(bulk);
  const [journal = ''] = home.journalPaths();
  const lines = readFileSync(journal, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.includes('"is":"started"'));
  writeFileSync(journal, `${lines.slice(0, first + 1).join('\n')}\n`);
  const sent = platform.changes.length;
  const { code, stderr } = await home.run(['jobs', 'resume', 'last', '--dry-run']);
  expect(code).toBe(0);
  expect(stderr).toContain('1 request may have been sent before; each is looked up first.');
  expect(platform.changes.length).toBe(sent);
});
