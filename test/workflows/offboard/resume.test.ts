import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OrgWorld, openOrgWorld, org, parsed, person } from './org-world.js';

/** What was not done: told, gone on with, taken back. */

let world: OrgWorld;
beforeEach(async () => {
  world = await openOrgWorld();
});
afterEach(() => world.close());

const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);

describe('where something is not done', () => {
  test('what waits for it is not sent; the evidence says so, and --resume completes it', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    const ran = await offboard('farah@acme.example', '--yes');
    expect(ran.code).toBe(3);
    const [, name = ''] = world.evidence();
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
    world.control.faults.clear();
    const rehearsed = await offboard('--resume', name, '--dry-run');
    expect(rehearsed.stderr).toContain('Dry run: nothing was sent. 2 requests of job');
    const resumed = await offboard('--resume', name, '--json');
    expect(resumed.code).toBe(0);
    expect(parsed(resumed.stdout)).toMatchObject({
      state: 'complete',
      startedAt: begun.startedAt,
      people: [{ before: begun.people[0]?.before, after: { member: false, teams: [{ member: false }] } }],
    });
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
    expect(world.evidence()).toHaveLength(2);
    expect((await offboard('--resume', name)).stderr).toContain('is complete: nothing is left to do');
  });

  test('without its journal it is not gone on with, and another file is no evidence', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    await world.run(['jobs', 'prune', '--days', '0']);
    const [csv = '', json = ''] = world.evidence();
    expect((await offboard('--resume', json)).stderr).toContain('This machine has no job of ');
    expect((await offboard('--resume', csv)).stderr).toContain('is no evidence of an offboarding in JSON');
    expect((await offboard('--resume', json, 'farah@acme.example')).stderr).toContain('leave out <user...>');
    expect(await world.memberIds()).toContain(person('farah'));
  });

  test('docs jobs resume does the rest, and says what completes the evidence', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    const resumed = await world.run(['jobs', 'resume', 'last']);
    expect(resumed.code).toBe(0);
    const [, name = ''] = world.evidence();
    expect(resumed.stderr).toContain(`docs members offboard --resume ${join(world.home, name)} completes`);
    expect((await offboard('--resume', name)).code).toBe(0);
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
  });

  test('what was changed since it was read is not touched', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    await world.setRole('farah', 'support', 'owner');
    const resumed = await world.run(['jobs', 'resume', 'last', '--json']);
    expect(resumed.code).toBe(3);
    expect(JSON.parse(resumed.stdout)).toMatchObject([
      { status: 'failed', error: { code: 'changed_since' } },
      { status: 'skipped', error: { code: 'held_back' } },
    ]);
  });

  test('somebody whom others have taken out meanwhile is done', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/members/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    await world.run(['members', 'delete', person('farah'), '--yes']);
    const [, name = ''] = world.evidence();
    expect((await offboard('--resume', name)).code).toBe(0);
  });
});

describe('undo', () => {
  test('brings back teams and ownership where the person is still a member', async () => {
    world.control.faults.add({ match: `DELETE /v1/orgs/${org}/members/*`, status: 403 });
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'owner' });
    world.control.faults.clear();
    const undone = await world.run(['undo', 'last', '--yes']);
    expect(undone.code).toBe(0);
    expect(await world.rolesIn('writers')).toEqual({ chiara: 'owner', deniz: 'member' });
  });

  test('does not take a team from its new owner where the old one cannot come back', async () => {
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    const undone = await world.run(['undo', 'last', '--yes', '--json']);
    expect(undone.code).toBe(3);
    expect(JSON.parse(undone.stdout)).toMatchObject([
      { status: 'skipped', error: { code: 'no_undo' } },
      { status: 'failed', error: { status: 404 } },
      { status: 'skipped', error: { code: 'held_back' } },
    ]);
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'owner' });
  });
});
