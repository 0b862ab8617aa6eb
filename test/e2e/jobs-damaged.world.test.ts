import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { failure } from './job-home.js';
import { bulk, memberHome, update } from './member-home.js';

/** A journal that was cut or edited: one way on, and everything that meets it says so. */

const { platform, home } = await memberHome(10);

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
