import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createCustomField } from '../../../src/api/resources/custom-fields.js';
import { getMember, updateMember } from '../../../src/api/resources/members.js';
import { openOrgWorld, org, person } from '../../commands/members/org-world.js';
import { opened } from '../../opened.js';

/** What is said of the undo of a demotion: before it, after it, and before its undo. */

const world = opened(openOrgWorld);
beforeEach(async () => {
  await world.control.reset();
  rmSync(world.home, { recursive: true });
  mkdirSync(world.home);
  await world.admin.ok(updateMember, { path: bruno(), body: { role: 'admin' } });
});

const bruno = () => ({ organizationId: org, userId: person('bruno') });
const update = (...words: string[]) => world.run(['members', 'update', ...words]);
const why = 'it needs an administrator: another one, if you demote yourself';

interface Told {
  undo: string;
  why?: string;
}
const told = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout) as Told[]).map(({ undo, why: reason }) => [undo, reason]);

describe('a demotion of an administrator', () => {
  test('says in the preview, in jobs show and before the undo that it takes an administrator', async () => {
    const one = await update(person('bruno'), '--role', 'read', '--dry-run');
    expect(one.stderr).toContain(`Undo: exact: ${why}.`);
    const many = await update(person('bruno'), person('chiara'), '--role', 'read', '--dry-run', '-o', 'tsv');
    expect(many.stdout.split('\n').map((line) => line.split('\t').slice(3))).toEqual([
      ['exact', why],
      ['exact', ''],
      [],
    ]);
    expect((await update(person('bruno'), '--role', 'read')).code).toBe(0);
    const shown = await world.run(['jobs', 'show', 'last', '--json']);
    expect(JSON.parse(shown.stdout).items).toMatchObject([{ undo: 'exact', why }]);
    expect(told(await world.run(['undo', 'last', '--dry-run', '--json']))).toEqual([['exact', why]]);
    const undone = await world.run(['undo', 'last']);
    expect(undone).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 item undone. Read again: all as before.'),
    });
    expect((await world.admin.ok(getMember, { path: bruno() })).role).toBe('admin');
  });

  test('cannot be undone with the token of a member who is not one, and nothing is sent', async () => {
    await update(person('bruno'), '--role', 'read');
    const DOCS_TOKEN = world.sandbox.tokens.find(({ name }) => name === 'edit')?.token ?? '';
    const env = { DOCS_TOKEN };
    const reason = 'it needs an administrator, which the token in use is not';
    expect(told(await world.run(['undo', 'last', '--dry-run', '--json'], { env }))).toEqual([
      ['none', reason],
    ]);
    const undone = await world.run(['undo', 'last', '--yes'], { env });
    expect(undone).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect((await world.admin.ok(getMember, { path: bruno() })).role).toBe('read');
  });

  test('a rise, and a change of another member, take no word', async () => {
    for (const [name, role] of [
      ['chiara', 'read'],
      ['chiara', 'admin'],
    ] as const) {
      const { stderr } = await update(person(name), '--role', role, '--dry-run');
      expect(stderr).toContain('Undo: exact.');
    }
  });
});

describe('a field that was not set before', () => {
  const field = { name: 'tier', title: 'Tier', type: 'text' } as const;
  const change = (...words: string[]) => world.run(['custom-fields', 'update', 'tier', ...words]);
  const partly = 'placeholder was not set before, and the platform cannot unset it';
  beforeEach(() => world.admin.ok(createCustomField, { path: { organizationId: org }, body: field }));

  test('is forecast by --dry-run as by --save-plan', async () => {
    const previewed = await change('--title', 'Level', '--placeholder', 'New', '--dry-run');
    expect(previewed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Undo: best effort: ${partly}.`),
    });
    const saved = await change('--title', 'Level', '--placeholder', 'New', '--save-plan', 'plan.json');
    expect(saved.code).toBe(0);
    const plan = readFileSync(join(world.home, 'plan.json'), 'utf8');
    expect(JSON.parse(plan).operations).toMatchObject([{ undo: 'best-effort', why: partly }]);
  });

  test('is exact where it was set, and where the request alone has to do', async () => {
    expect((await change('--title', 'Level', '--dry-run')).stderr).toContain('Undo: exact.');
    world.control.faults.add({ match: 'GET *', status: 403, times: 5 });
    const unread = await change('--placeholder', 'New', '--dry-run');
    expect(unread).toMatchObject({ code: 0, stderr: expect.stringContaining('Undo: exact.') });
  });
});
