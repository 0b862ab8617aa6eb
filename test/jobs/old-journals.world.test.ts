import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listTeamMembers } from '../../src/api/resources/members.js';
import { listSamlProviders } from '../../src/api/resources/saml.js';
import { createTeam, deleteTeam, listTeams } from '../../src/api/resources/teams.js';
import { type Job, parseJournal, writeLine } from '../../src/jobs/journal.js';
import { damageOf } from '../../src/jobs/journal-folder.js';
import { lockChangesOf } from '../../src/jobs/made.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { readPlan } from '../../src/plans/file.js';
import { itemsOf } from '../../src/plans/operation.js';
import { applied, inOrg, team, user } from '../plans/plan-world.js';
import { eachTest } from '../sandbox/each-test.js';
import { all, openJobWorld, type Ran, told } from './job-world.js';

/**
 * Journals of format 1, which name ids to come by texts and `takes`, and the plan of an undo: written by the version
 * before references, before anything was sent.
 */

const world = eachTest(openJobWorld);
const folder = join(import.meta.dirname, 'old-journals');

/** Puts a journal among those of the world. @param more lines of what was sent since */
function kept(name: string, ...more: Parameters<typeof writeLine>[0][]): Job {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8');
  const { job, input } = JSON.parse(text.slice(0, text.indexOf('\n'))) as Job['header'];
  const path = join(world.folder.path, `${job}.${input.slice(0, 16)}.jsonl`);
  world.folder.make();
  writeFileSync(path, text + more.map(writeLine).join(''), { mode: 0o600 });
  return world.folder.find(job);
}

const madeFirst = ({ results }: Ran) => String((results[0]?.answer as { id?: string } | undefined)?.id);

const titles = async () => (await all(world.client.call(listTeams, { path: inOrg }))).map((one) => one.title);

it.each(['plan', 'undo', 'undo-plan', 'undo-lock'])('%s is whole', (name) => {
  expect(damageOf(kept(name))).toBeUndefined();
});

it('the job of a plan is resumed, changes the lock, and is undone', async () => {
  const before = world.state();
  const ran = await world.resume(kept('plan'));
  expect(told(ran)).toEqual(['ok', 'ok', 'ok', 'ok']);
  const providers = await all(world.client.call(listSamlProviders, { path: inOrg }));
  const id = madeFirst(ran);
  expect(providers).toContainEqual(
    expect.objectContaining({ label: 'Okta', defaultTeam: expect.objectContaining({ id }) }),
  );
  expect(lockChangesOf(ran.job, allRules)).toEqual([
    { item: 'teams/editors', to: { id, applied: { title: 'h1' } } },
    { item: 'teams/editors', to: { id, applied: { title: 'h2' } } },
  ]);
  const undone = await world.undo(ran.job);
  expect(told(undone)).toEqual(undone.results.map(() => 'ok'));
  expect(world.state()).toEqual(before);
});

it.each(['undo', 'undo-plan'])('%s makes a team anew and completes it', async (name) => {
  await world.client.call(deleteTeam, { path: team('writers') });
  const ran = await world.resume(kept(name));
  expect(told(ran)).toEqual(['ok', 'ok']);
  expect(ran.results.at(-1)).toMatchObject({ restored: 'part' });
  const teamId = madeFirst(ran);
  const members = await all(world.client.call(listTeamMembers, { path: { ...inOrg, teamId } }));
  expect(members).toMatchObject([{ organization: { id: user('chiara') }, team: { role: 'owner' } }, {}]);
});

it('an undo that ended after its first request takes the id from what that made', async () => {
  await world.client.call(deleteTeam, { path: team('writers') });
  const members = [user('chiara'), user('deniz')];
  const answer = await world.client.call(createTeam, { path: inOrg, body: { title: 'Writers', members } });
  const at = '2025-06-15T12:00:01.000Z';
  const started = { item: 0, is: 'started', at } as const;
  const job = kept('undo', started, { item: 0, is: 'ok', at, answer });
  expect(told(await world.resume(job))).toEqual(['ok']);
  const path = { ...inOrg, teamId: answer.id };
  expect(await all(world.client.call(listTeamMembers, { path }))).toMatchObject([
    { team: { role: 'owner' } },
    {},
  ]);
});

it('an undo brings the lock back with the new id', async () => {
  await world.client.call(deleteTeam, { path: team('writers') });
  const ran = await world.resume(kept('undo-lock'));
  const id = madeFirst(ran);
  expect(told(ran)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(await titles()).toContain('Writers');
  expect(lockChangesOf(ran.job, allRules)).toEqual([
    { item: 'teams/writers', to: { id, applied: { title: 'h1' } } },
    { item: 'teams/writers', to: { id, applied: { title: 'h0' } } },
  ]);
});

it('the plan of an undo is applied, with the lines of its former journal', async () => {
  const plan = await readPlan(world.io, join(folder, 'undo.plan'));
  const lines = itemsOf(plan).map(({ change }) => change);
  expect(kept('undo-plan').items.map((item) => item.change)).toEqual(lines);
  await world.client.call(deleteTeam, { path: team('writers') });
  expect((await applied(world, plan)).told).toEqual(['ok', 'ok']);
});

it('a journal with references is of a format that former versions refuse', async () => {
  const { job } = await applied(world, await readPlan(world.io, join(folder, 'undo.plan')));
  const parsed = parseJournal(readFileSync(job.path));
  expect(typeof parsed === 'object' && parsed.header.journal).toBe(2);
  const { job: plain } = await world.run(deleteTeam, [{ path: team('support') }]);
  expect(plain.header.journal).toBe(1);
});
