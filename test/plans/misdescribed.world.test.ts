import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setSpaceFields } from '../../src/api/resources/custom-fields.js';
import { operations } from '../../src/api/resources/index.js';
import { updateMember } from '../../src/api/resources/members.js';
import { updateTeam } from '../../src/api/resources/teams.js';
import { kinds } from '../../src/organization/kinds/index.js';
import { kindsOf } from '../../src/plans/described.js';
import { hashOfPlan, loadPlan, writePlan } from '../../src/plans/file.js';
import { differences, misdescriptions } from '../../src/plans/misdescribed.js';
import type { Plan, PlanOperation } from '../../src/plans/plan.js';
import { contentDrafts } from '../../src/restore/content.js';
import { fakeIo } from '../fake-io.js';
import { type JobWorld, openJobWorld } from '../jobs/job-world.js';
import { changes } from '../jobs/undo-changes.js';
import { seedId } from '../sandbox/client.js';
import { inOrg, planOf, request, user } from './plan-world.js';

/** A plan says what it sends, or is refused. */

let world: JobWorld;
let folder: string;
beforeAll(async () => {
  world = await openJobWorld();
  folder = fs.mkdtempSync(join(tmpdir(), 'docs-plan-'));
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await world.close();
});

const io = fakeIo({ cwd: '/' });
const team = { ...inOrg, teamId: seedId('team writers') };
const rename = () => planOf(world, [{ change: request(updateTeam, team, { title: 'Help' }) }]);
const promote = () =>
  planOf(world, [{ change: request(updateMember, { ...inOrg, userId: user('farah') }, { role: 'admin' }) }]);

/** The codes and the message that reading a plan gives, once somebody has written it with a hash that fits. */
async function read(
  plan: Plan,
  edit = (text: string) => text,
): Promise<{ codes: string[]; message: string }> {
  const file = join(folder, 'plan.json');
  await writePlan(io, file, { ...plan, hash: hashOfPlan(plan) });
  fs.writeFileSync(file, edit(fs.readFileSync(file, 'utf8')));
  const { reasons } = await loadPlan(io, file);
  return { codes: reasons.map(({ code }) => code), message: reasons[0]?.message ?? '' };
}

const first = (plan: Plan, change: Partial<PlanOperation>): Plan => ({
  ...plan,
  operations: plan.operations.map((one, at) => (at === 0 ? { ...one, ...change } : one)),
});

describe('a plan that docs makes', () => {
  const all = operations.filter(({ method }) => method !== 'GET');

  it('has a change of every operation', () => {
    expect(Object.keys(changes).sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it.each(all.map((op) => [op.id, op] as const))('of %s says what it sends', async (id, op) => {
    // Some need a deletion before.
    await world.control.seed('tiny');
    const { path = {}, body } = (await changes[id]?.(world)) ?? {};
    const plan = await planOf(world, [{ change: request(op, path, body) }]);
    expect(await read(plan)).toEqual({ codes: [], message: '' });
  });

  it('of a restore says where the content comes from, and need not say that it is a ZIP archive', async () => {
    const gap = { entry: { title: 'Welcome' }, spaceId: seedId('space welcome') };
    const url = 'https://files.example.com/welcome.zip';
    const plan = await planOf(world, contentDrafts(gap, { url, subject: 'Restored', first: 0 }));
    expect(plan.operations[1]?.request?.body).toEqual({ url, source: 'zip' });
    expect(await read(plan)).toEqual({ codes: [], message: '' });
  });

  it('sets a custom field that has the name of something every object has', async () => {
    const path = { spaceId: seedId('space guide') };
    const values = { constructor: { value: 'a' } };
    const plan = await planOf(world, [{ change: request(setSpaceFields, path, { values }) }]);
    expect(await read(plan)).toEqual({ codes: [], message: '' });
  });

  it('may be checked out with the line ends of Windows', async () => {
    expect((await read(await rename(), (text) => text.replaceAll('\n', '\r\n'))).codes).toEqual([]);
  });
});

it('every request of the organization as code may be called by its kind', () => {
  for (const { name, create, update, remove, order, fields } of kinds) {
    const own = [create?.op, update, remove, order?.op, order?.enter?.op, order?.leave?.op];
    for (const op of [...own, ...fields.map(({ setBy }) => setBy?.op)])
      if (op !== undefined) expect(kindsOf(op.id), op.id).toContain(name);
  }
});

describe('a plan that says something else than it sends is misdescribed', () => {
  it('where a role is shown as the title of a team', async () => {
    const { operations: shown } = await rename();
    const { kind, key, action, fields } = shown[0] as PlanOperation;
    const found = await read(first(await promote(), { kind, key, action, fields }));
    expect(found.codes).toEqual(['plan_misdescribed']);
    expect(found.message).toContain(
      `o1 says kind teams, and sends PATCH /v1/orgs/${inOrg.organizationId}/members/${user('farah')}`,
    );
  });

  const lies: readonly (readonly [string, Partial<PlanOperation>])[] = [
    ['another value', { fields: { role: { before: 'read', after: 'comment' } } }],
    ['another field', { fields: { title: { after: 'admin' } } }],
    ['no field', { fields: {} }],
    ['another state before', { fields: { role: { before: 'review', after: 'admin' } } }],
    ['a verification', { action: 'verify' }],
    ['a deletion', { action: 'delete' }],
    ['what is withheld', { action: 'withheld' }],
    ['a finding', { finding: { code: 'x', message: 'Nothing is done.' } }],
    ['another id', { id: 'o2' }],
    ['the item of another lock', { lock: { item: 'teams/writers', to: null } }],
    [
      'the id of somebody else',
      { kind: 'people', lock: { item: 'people/a', to: { id: 'u9', applied: {} } } },
    ],
  ];
  it.each(lies)('with %s', async (_, change) => {
    const plan = first(await promote(), change);
    const counts = { [plan.operations[0]?.action ?? '']: 1 };
    expect((await read({ ...plan, counts })).codes).toEqual(['plan_misdescribed']);
  });

  it('with a state that this token does not show, but for an undo, which rests on what its job left', async () => {
    const [said] = (await promote()).operations;
    if (said === undefined) throw new Error('The plan has an operation.');
    const hidden = { ...said, reads: undefined };
    expect(differences(said, hidden)).toEqual(['the state it is based on could not be read with this token']);
    expect(differences({ ...said, job: { undoes: 1 } } as PlanOperation, hidden)).toEqual([]);
  });

  it('with counts that are not its own', async () => {
    expect((await read({ ...(await promote()), counts: { create: 1 } })).codes).toEqual([
      'plan_misdescribed',
    ]);
  });

  it('with a field that is sent and not shown', async () => {
    const plan = await rename();
    const [own] = plan.operations;
    const body = { title: 'Help', sso: true };
    const sent = own?.request && { ...own.request, body };
    const faults = misdescriptions(first(plan, { ...(sent && { request: sent }) }));
    expect(faults.join()).toContain('o1 says nothing of sso');
  });

  it('with an undo that the rules do not have', async () => {
    const merge = operations.find(({ id }) => id === 'change-requests.merge');
    if (merge === undefined) throw new Error('no merge');
    const { path = {}, body } = (await changes[merge.id]?.(world)) ?? {};
    const plan = await planOf(world, [{ change: request(merge, path, body) }]);
    expect(plan.operations[0]?.undo).toBe('none');
    const { message } = await read(first(plan, { undo: 'exact' }));
    expect(message).toContain('o1 says undo exact, where it is none');
  });

  it('with requests of another organization', async () => {
    expect((await read({ ...(await promote()), organization: 'other' })).codes).toEqual([
      'plan_misdescribed',
    ]);
  });

  it.each([
    ['a key twice', (text: string) => text.replace('"command":', '"command": "x",\n  "command":')],
    ['other blanks', (text: string) => text.replace('": ', '":  ')],
  ])('with %s in its text', async (_, edit) => {
    const { codes, message } = await read(await promote(), edit);
    expect(codes).toEqual(['plan_misdescribed']);
    expect(message).toContain('is not as docs writes plans');
  });
});
