import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { org, orgWorldOfFile, parsed, person } from './org-world.js';

/** Resuming and undoing an offboarding. */

const world = await orgWorldOfFile();
const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);

describe('an incomplete offboarding', () => {
  /** Offboards Farah, whose removal from the team fails. */
  async function fails(match = 'DELETE /v1/orgs/*/teams/*') {
    world.control.faults.add({ match, status: 403 });
    const ran = await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    const [csv = '', json = ''] = world.evidence();
    return { ran, csv, json };
  }

  test('sends nothing that depends on a failed request, and --resume completes it', async () => {
    const { ran, json: name } = await fails();
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(`Try: docs members offboard --resume ${join(world.home, name)}`);
    const begun = parsed(readFileSync(join(world.home, name), 'utf8'));
    expect(begun).toMatchObject({
      state: 'incomplete',
      people: [
        {
          actions: [{ status: 'failed', error: { status: 403 } }, { status: 'planned' }],
          after: { member: true, teams: [{ member: true }] },
        },
      ],
    });
    const rehearsed = await offboard('--resume', name, '--dry-run');
    expect(rehearsed.stderr).toMatch(/Dry run: nothing was sent\. Job \S+ has 2 requests left/);
    const resumed = await offboard('--resume', name, '--json');
    expect(resumed.code).toBe(0);
    expect(parsed(resumed.stdout)).toMatchObject({
      state: 'complete',
      startedAt: begun.startedAt,
      people: [{ before: begun.people[0]?.before, after: { member: false, teams: [{ member: false }] } }],
    });
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
    expect(world.evidence()).toHaveLength(2);
    expect((await offboard('--resume', name)).stderr).toContain('is already complete');
  });

  test('cannot be resumed without its journal, or from another file', async () => {
    const { csv, json } = await fails();
    await world.run(['jobs', 'prune', '--days', '0']);
    for (const [words, reason] of [
      [[json], `no job of ${join(world.home, json)} on this machine`],
      [[csv], 'is not an offboarding evidence file in JSON'],
      [[json, 'farah@acme.example'], '--resume and <user...> contradict each other'],
    ] as const)
      expect((await offboard('--resume', ...words)).stderr).toContain(reason);
    expect(await world.memberIds()).toContain(person('farah'));
  });

  test('is finished by docs jobs resume, which names the command that completes the evidence', async () => {
    const { json: name } = await fails();
    const resumed = await world.run(['jobs', 'resume', 'last']);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`docs members offboard --resume ${join(world.home, name)} completes`);
    expect((await offboard('--resume', name)).code).toBe(0);
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
  });

  test('leaves alone what was changed since it was read', async () => {
    await fails();
    await world.setRole('farah', 'support', 'owner');
    const resumed = await world.run(['jobs', 'resume', 'last', '--json']);
    expect(resumed.code).toBe(3);
    expect(JSON.parse(resumed.stdout)).toMatchObject([
      { status: 'failed', error: { code: 'changed_since' } },
      { status: 'skipped', error: { code: 'held_back' } },
    ]);
  });

  test('counts a member removed by others as done', async () => {
    const { json: name } = await fails('DELETE /v1/orgs/*/members/*');
    await world.run(['members', 'delete', person('farah'), '--yes']);
    expect((await offboard('--resume', name)).code).toBe(0);
  });
});

describe('undo', () => {
  test('restores teams and ownership if the person is still a member', async () => {
    world.control.faults.add({ match: `DELETE /v1/orgs/${org}/members/*`, status: 403 });
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'owner' });
    world.control.faults.clear();
    const undone = await world.run(['undo', 'last', '--yes']);
    expect(undone.code).toBe(0);
    expect(await world.rolesIn('writers')).toEqual({ chiara: 'owner', deniz: 'member' });
  });

  test('of what depends on a removed member is impossible, in the same words everywhere', async () => {
    const heir = ['--reassign-teams-to', 'deniz@acme.example'];
    const preview = await offboard('chiara@acme.example', ...heir, '--dry-run', '--json');
    const told = (items: { undo: string; why: string }[]) => items.map(({ undo, why }) => [undo, why]);
    const id = person('chiara');
    const why = 'the platform cannot add a member: invite the person again';
    const words = [
      ['none', `it depends on ${id}: ${why}`],
      ['none', `it depends on ${id}: ${why}`],
      ['none', why],
    ];
    const { people } = JSON.parse(preview.stdout) as {
      people: { actions: { undo: string; why: string }[] }[];
    };
    expect(told(people[0]?.actions ?? [])).toEqual(words);
    await offboard('chiara@acme.example', ...heir, '--yes');
    const shown = await world.run(['jobs', 'show', 'last', '--json']);
    expect(told(JSON.parse(shown.stdout).items)).toEqual(words);
    const dry = await world.run(['undo', 'last', '--dry-run', '--json']);
    expect(told(JSON.parse(dry.stdout)).sort()).toEqual([...words].sort());
    const undone = await world.run(['undo', 'last', '--yes', '--json']);
    expect(undone.code).toBe(2);
    expect(JSON.parse(undone.stderr)).toMatchObject({
      error: { code: 'nothing_to_undo', message: expect.stringContaining(why) },
    });
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'owner' });
  });

  test('restores teams and ownership once the person is a member again', async () => {
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    const db = await openDatabase(world.sandbox.file);
    const again = "INSERT INTO members (org_id, user_id, role, joined_at) VALUES (?, ?, 'edit', 0)";
    db.write(() => db.run(again, org, person('chiara')));
    db.close();
    const dry = await world.run(['undo', 'last', '--dry-run', '--json']);
    const undos = (JSON.parse(dry.stdout) as { undo: string }[]).map(({ undo }) => undo);
    expect(undos).toEqual(['none', 'exact', 'exact']);
    const undone = await world.run(['undo', 'last', '--yes', '--json']);
    expect(undone.code).toBe(3);
    expect(JSON.parse(undone.stdout)).toMatchObject([
      { status: 'skipped', error: { code: 'no_undo' } },
      { status: 'ok', restored: 'whole' },
      { status: 'ok', restored: 'whole' },
    ]);
    expect(await world.rolesIn('writers')).toEqual({ chiara: 'owner', deniz: 'member' });
  });
});
