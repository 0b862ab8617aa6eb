import { expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { deleteTeamMember, getMember, setTeamMember } from '../../../src/api/resources/members.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { deleteTeam, getTeam, listTeams, updateTeam } from '../../../src/api/resources/teams.js';
import { type Change, requestFor } from '../../../src/jobs/change.js';
import { readsOf } from '../../../src/jobs/reads.js';
import { ruleOf } from '../../../src/jobs/undo-rules.js';
import { kinds } from '../../../src/organization/kinds/index.js';
import { snapshotReads } from '../../../src/organization/live/snapshot.js';
import type { Field, Kind, LiveItem } from '../../../src/organization/model.js';
import { seedId } from '../../sandbox/client.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from './live-world.js';

/** The requests that a plan may make of an item, without regard to what they would set. */
function requestsFor(kind: Kind, item: LiveItem, organizationId: string): Change[] {
  const path: Record<string, string> = { organizationId, [kind.parameter]: item.id };
  for (let above = item.parent; above !== undefined; above = above.parent) {
    const parameter = kinds.find(({ name }) => name === above?.kind)?.parameter ?? '';
    path[parameter] ??= above.id;
  }
  const of = (op: AnyOperation | undefined, body?: unknown) =>
    op === undefined ? [] : [requestFor(op, path, body)];
  const updated = kind.fields.filter(({ setBy, fixed }) => !setBy && !fixed);
  const some = Object.fromEntries(
    updated.flatMap(({ name, sends = [] }: Field) => [name, ...sends].map((one) => [one, 'x'])),
  );
  return [
    ...of(kind.update, some),
    ...of(kind.remove),
    ...of(kind.order?.op, { position: {} }),
    ...of(kind.order?.leave?.op),
    ...kind.fields.flatMap(({ setBy, key }) =>
      of(setBy?.op, key === 'fields' ? { values: { topics: { value: [] } } } : {}),
    ),
  ];
}

test.each([
  ['tiny', 12],
  ['acme', 3],
])('%s shows undo what requests show it', async (seed, most) => {
  const own = await openLiveWorld(seed);
  const { client, organizationId } = own;
  const live = await own.read();
  const [known, plain] = [snapshotReads(live, client), readsOf(client)];
  const asked = new Set<string>();
  for (const kind of kinds)
    for (const item of (live.items.get(kind.name) ?? []).slice(0, most))
      for (const { op, input } of requestsFor(kind, item, organizationId)) {
        const { read } = ruleOf(op);
        if (read === undefined) continue;
        const before = own.sent.length;
        const state = await read(known, input);
        for (const line of own.sent.slice(before)) asked.add(line);
        expect(state, `${op.id} of ${item.title}`).toEqual(await read(plain, input));
      }
  expect([...asked]).toEqual([`GET /v1/orgs/${organizationId}`]);
  await own.close();
});

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

test('shows undo the icon of a space and who owns a team', async () => {
  const { client, sandbox, organizationId } = world;
  const path = { spaceId: seedId('space guide') };
  await sandbox.admin.ok(updateSpace, { path, body: { icon: 'https://acme.example/icon.png' } });
  const reads = snapshotReads(await world.read(), client);
  world.sent.length = 0;
  const face = await ruleOf(updateSpace).read?.(reads, { path, body: { icon: null } });
  expect(face).toEqual({ emoji: null, icon: 'https://acme.example/icon.png' });
  const team = { organizationId, teamId: seedId('team writers') };
  const state = await ruleOf(deleteTeam).read?.(reads, { path: team });
  expect(state).toMatchObject({ title: 'Writers', members: { [seedId('user chiara')]: 'owner' } });
  const own = { ...team, userId: seedId('user chiara') };
  expect(await ruleOf(setTeamMember).read?.(reads, { path: own, body: { role: 'member' } })).toEqual({
    role: 'owner',
  });
  expect(
    await ruleOf(deleteTeamMember).read?.(reads, { path: { ...own, userId: seedId('user goran') } }),
  ).toBeNull();
  expect(world.sent).toEqual([]);
});

test('asks for what was not listed, once', async () => {
  const { client, organizationId } = world;
  const reads = snapshotReads(await world.read((kind) => kind === 'teams'), client);
  world.sent.length = 0;
  const path = { organizationId, userId: seedId('user chiara') };
  const rule = ruleOf(updateTeam);
  await rule.read?.(reads, { path: { ...path, teamId: seedId('team writers') }, body: { title: 'x' } });
  expect(await reads.all(listTeams, { path })).toHaveLength(2);
  expect(world.sent).toEqual([]);
  expect(await reads.one(getTeam, { path: { organizationId, teamId: 'unknown' } })).toBeNull();
  expect(await reads.one(getTeam, { path: { organizationId, teamId: 'unknown' } })).toBeNull();
  expect(world.sent).toEqual([`GET /v1/orgs/${organizationId}/teams/unknown`]);
});

test('shows a member with the email', async () => {
  const { client, organizationId, sandbox } = world;
  const reads = snapshotReads(await world.read((kind) => kind === 'people'), client);
  const path = { organizationId, userId: seedId('user chiara') };
  const { id, role, sso, user } = await sandbox.admin.ok(getMember, { path });
  world.sent.length = 0;
  const told = await reads.one(getMember, { path });
  expect(told).toEqual({ id, role, sso, user: { id: user.id, email: 'chiara@acme.example' } });
  expect(world.sent).toEqual([]);
});

test('lists that show not all that there is are asked for', async () => {
  const live = await world.read((kind) => kind === 'teams');
  const reads = snapshotReads(
    { ...live, missed: [{ kind: 'people', message: 'The token may not see something.' }] },
    world.client,
  );
  world.sent.length = 0;
  await reads.all(listTeams, { path: { organizationId: world.organizationId } });
  expect(world.sent).toHaveLength(1);
});
