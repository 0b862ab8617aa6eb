import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobHome } from './job-home.js';
import type { MemberPlatform } from './member-platform.js';
import { failure, type TenMembers, tenMembers } from './ten-members.js';

/** `last`: the newest job of this profile and address that can be undone. */

let all: TenMembers;
let platform: MemberPlatform;
let home: JobHome;
beforeEach(async () => {
  all = await tenMembers();
  ({ platform, home } = all);
});
afterEach(() => all.close());

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

test('passes over what changed nothing', async () => {
  await home.ok(['members', 'update', 'u1', '--role', 'read']);
  platform.onChange = () => 403;
  expect((await home.run(['members', 'update', 'u2', '--role', 'read'])).code).toBe(5);
  platform.onChange = () => 'done';
  const ran = await home.run(['undo', 'last']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^Job \S+ \(members update\) is newer, but has nothing to undo\.$/m);
  expect(role('u1')).toBe('edit');
});

test('asks before it undoes an older job than one that cannot be undone', async () => {
  await home.ok(['members', 'update', 'u1', '--role', 'read']);
  await home.ok(['members', 'delete', 'u2', '--yes']);
  const ran = await home.run(['undo', 'last', '--json']);
  expect({ code: ran.code, role: role('u1') }).toEqual({ code: 2, role: 'read' });
  expect(failure(ran.stderr).code).toBe('not_confirmed');
  const undone = await home.run(['undo', 'last', '--yes']);
  expect(undone.stderr).toMatch(/\(members delete\) is newer, but cannot be undone\.$/m);
  expect(role('u1')).toBe('edit');
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
    expect(message).toContain('of profile other');
  }
});
