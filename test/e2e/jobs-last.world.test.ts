import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure } from './job-home.js';
import { memberHome } from './member-home.js';

/** `last`: the last job of this profile and address. */

const { platform, home } = await memberHome(10);

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
    expect(message).toContain(`No job of profile default at ${home.env.DOCS_BASE_URL}.`);
    expect(message).toContain('of profile other');
  }
});
