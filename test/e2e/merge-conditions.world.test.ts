import { beforeAll, expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';
import { type Failure, failure } from './job-home.js';

/** `docs change-requests merge --if-…`: nothing is sent where a condition does not hold, however the merge begins. */

const { home, forwarder } = await forwardedHome({ isReset: false });
const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
const idOf = (title: string) => spaces.find((space) => space.title === title)?.id ?? '';
const [welcome, guide] = [idOf('Welcome'), idOf('Product Guide')];
beforeAll(() => comment('2', welcome));

const all = ['--if-links-clean', '--if-not-outdated', '--if-no-open-comments'];
const merge = (space: string, id: string, ...flags: string[]) => [
  ...['change-requests', 'merge', id, '--space', space, '--yes', '--json'],
  ...flags,
];

/** A change request against which nothing stands. */
async function ready(): Promise<string> {
  const { id } = await home.json<{ id: string }>([
    ...['change-requests', 'create', '--space', guide, '--subject', 'Setup'],
  ]);
  forwarder.reset();
  return id;
}

async function comment(id: string, space = guide): Promise<string> {
  const words = ['comments', 'create', '--space', space, '--change-request', id, '--body', 'Is this true?'];
  const made = await home.json<{ id: string }>(words);
  forwarder.reset();
  return made.id;
}

const resolve = (id: string, made: string) =>
  home.ok(['comments', 'update', made, '--space', guide, '--change-request', id, '--resolve']);

const statusOf = async (space: string, id: string) =>
  (await home.json<{ status: string }>(['change-requests', 'get', id, '--space', space])).status;

async function refused(words: readonly string[]): Promise<Failure> {
  const { code, stdout, stderr } = await home.run(words);
  const error = failure(stderr);
  expect({ code, stdout }).toEqual({ code: error.exitCode, stdout: '' });
  expect(forwarder.done).toEqual([]);
  expect(error.outcome).toBe('not-sent');
  return error;
}

test('every condition that does not hold is named, with its first examples', async () => {
  const error = await refused(merge(welcome, '2', ...all));
  expect(error).toMatchObject({
    code: 'conditions_not_met',
    exitCode: 17,
    hint: `docs links check --space ${welcome} --change-request 2`,
    details: {
      conditions: [
        {
          condition: '--if-links-clean',
          state: 'fails',
          count: 1,
          first: [{ page: { id: expect.any(String), title: 'Conflicts' }, link: '../moving-content.md' }],
        },
        { condition: '--if-not-outdated', state: 'fails' },
        {
          condition: '--if-no-open-comments',
          state: 'fails',
          count: 1,
          first: [{ comment: expect.any(String), author: expect.any(String), text: 'Is this true?' }],
        },
      ],
    },
  });
  expect(await statusOf(welcome, '2')).toBe('draft');
});

test('only the conditions that were asked for are read', async () => {
  let reads = 0;
  forwarder.onRead = () => (reads += 1);
  await refused(merge(welcome, '2', '--if-not-outdated'));
  expect(reads).toBe(1);
});

test('a person reads what stands against it, and the command that shows it', async () => {
  const { code, stderr } = await home.run(merge(welcome, '2', ...all).filter((word) => word !== '--json'));
  expect(code).toBe(17);
  expect(stderr).toMatch(
    /^error: change request 2 was not merged: 1 broken link \(--if-links-clean\); it lacks the latest content of the space \(--if-not-outdated\); 1 open comment \(--if-no-open-comments\)\. Nothing was sent\. \(findings, exit 17\)\n {2}Broken link on Conflicts: \.\.\/moving-content\.md\n/,
  );
});

test.each([['--dry-run'], ['--save-plan', 'refused.json']])('so it is with %s', async (...flags) => {
  const words = merge(welcome, '2', '--if-not-outdated', ...flags);
  const { code, stderr } = await home.run(words);
  expect({ code, done: forwarder.done }).toEqual({ code: 17, done: [] });
  expect(stderr).toContain('"code":"conditions_not_met"');
});

test('it merges where all hold; a resolved comment is no open one', async () => {
  const id = await ready();
  const made = await comment(id);
  const conditions = [{ condition: '--if-no-open-comments', count: 1 }];
  expect(await refused(merge(guide, id, ...all))).toMatchObject({ details: { conditions } });
  await resolve(id, made);
  expect((await home.run(merge(guide, id, ...all))).code).toBe(0);
  expect(await statusOf(guide, id)).toBe('merged');
});

test('what could not be read does not count as met', async () => {
  const id = await ready();
  const comments = `GET /v1/spaces/${guide}/change-requests/${id}/comments*`;
  await home.ok(['sandbox', 'fault', '--match', comments, '--status', '500']);
  try {
    const error = await refused([...merge(guide, id, ...all), '--no-retry']);
    expect(error).toMatchObject({
      code: 'conditions_unread',
      exitCode: 3,
      details: { conditions: [{ condition: '--if-no-open-comments', state: 'unknown' }] },
    });
  } finally {
    await home.ok(['sandbox', 'fault', '--clear']);
  }
  expect((await refused(merge(guide, 'none', '--if-not-outdated'))).exitCode).toBe(6);
});

test('a plan carries the conditions, and docs apply reads them again', async () => {
  const id = await ready();
  await home.ok(merge(guide, id, ...all, '--save-plan', 'merge.json'));
  const plan = await home.json<{ operations: { job: unknown }[] }>(['plan', 'show', 'merge.json']);
  expect(plan.operations[0]?.job).toEqual({ flags: all.map((flag) => flag.slice(2)) });
  const made = await comment(id);
  const apply = ['apply', 'merge.json', '--yes', '--json'];
  expect(await refused(apply)).toMatchObject({ code: 'conditions_not_met', exitCode: 17 });
  await resolve(id, made);
  // The plan was not used up.
  expect((await home.run(apply)).code).toBe(0);
  expect(await statusOf(guide, id)).toBe('merged');
});

test('a merge that was killed before it reached the platform is resumed only where the conditions hold', async () => {
  const id = await ready();
  const killed = home.begin(merge(guide, id, ...all));
  forwarder.onChange = () => {
    killed.kill('SIGKILL');
    return 'lost before';
  };
  expect((await killed.ended).signal).toBe('SIGKILL');
  forwarder.reset();
  const [job] = await home.json<{ id: string }[]>(['jobs', 'list']);
  const resume = ['jobs', 'resume', job?.id ?? '', '--json'];
  const made = await comment(id);
  expect(await refused(resume)).toMatchObject({ code: 'conditions_not_met', exitCode: 17 });
  expect(await statusOf(guide, id)).not.toBe('merged');
  await resolve(id, made);
  forwarder.reset();
  expect((await home.run(resume)).code).toBe(0);
  expect(forwarder.done).toEqual([`POST /v1/spaces/${guide}/change-requests/${id}/merge`]);
});

test('one that was killed after the merge is found done, whatever holds now', async () => {
  const id = await ready();
  const killed = home.begin(merge(guide, id, ...all));
  forwarder.onChange = () => {
    // Once the platform is done, before its answer comes.
    setImmediate(() => forwarder.idle().then(() => killed.kill('SIGKILL')));
    return 'lost after';
  };
  await killed.ended;
  forwarder.reset();
  expect(await statusOf(guide, id)).toBe('merged');
  expect((await home.run(['jobs', 'resume', 'last', '--json'])).code).toBe(0);
  expect(forwarder.done).toEqual([]);
});
