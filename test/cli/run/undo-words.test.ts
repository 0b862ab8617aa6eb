import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getMember, updateMember } from '../../../src/api/resources/members.js';
import { type OrgWorld, openOrgWorld, org, person } from '../../workflows/offboard/org-world.js';

/** What is said of the undo of a demotion: before it, after it, and before its undo. */

let world: OrgWorld;
beforeEach(async () => {
  world = await openOrgWorld();
  await world.admin.ok(updateMember, { path: bruno(), body: { role: 'admin' } });
});
afterEach(() => world.close());

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
