import { expect } from 'vitest';
import { listCollectionSpaces, updateCollection } from '../../src/api/resources/collections.js';
import { deleteTeamMember, setTeamMember, updateMember } from '../../src/api/resources/members.js';
import { listSiteSpaces, moveSiteSpace, updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { moveSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import type { Draft } from '../../src/plans/plan.js';
import { idsOf, type JobWorld } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { applied, failures, inOrg, planOf, request, user } from './plan-world.js';

/** Plans of random operations on the same few things: the few runs of every change, and the many of the long tests. */

/** Numbers in [0, below), the same for the same seed. */
function drawing(seed: number) {
  let state = seed * 2654435761 + 1;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const people = ['bruno', 'chiara', 'deniz', 'emil', 'farah'].map(user);
const teams = ['writers', 'support'].map((name) => seedId(`team ${name}`));
const roles = ['read', 'comment', 'edit', 'review', 'create'] as const;

/** Drafts that touch the same few things again and again. */
async function randomDrafts(world: JobWorld, seed: number, count: number): Promise<Draft[]> {
  const draw = drawing(seed);
  const of = <T>(all: readonly T[]) => all[draw(all.length)] as T;
  const collections = ['product', 'guides'].map((name) => seedId(`collection ${name}`)).slice(0, 1);
  const spaces = await idsOf(world, listCollectionSpaces, { collectionId: collections[0] as string });
  const sites = (await world.client.call(createSite, { path: inOrg, body: { spaces } })).id;
  const site = { ...inOrg, siteId: sites };
  const placed = await idsOf(world, listSiteSpaces, site);
  const gone = new Set<string>();
  const makers = [
    () => request(updateMember, { ...inOrg, userId: of(people) }, { role: of(roles) }),
    () => request(updateTeam, { ...inOrg, teamId: of(teams) }, { title: `Team ${draw(1000)}` }),
    () =>
      request(
        setTeamMember,
        { ...inOrg, teamId: of(teams), userId: of(people) },
        { role: of(['owner', 'member']) },
      ),
    () => request(deleteTeamMember, { ...inOrg, teamId: of(teams), userId: of(people) }),
    () => request(updateSpace, { spaceId: of(spaces) }, { title: `Space ${draw(1000)}` }),
    () => request(updateSpace, { spaceId: of(spaces) }, { emoji: of(['😀', '📘']) }),
    () => request(updateCollection, { collectionId: of(collections) }, { title: `Collection ${draw(1000)}` }),
    () => request(moveSpace, { spaceId: of(spaces) }, { position: beside('space', 'space', of(spaces)) }),
    () =>
      request(
        moveSiteSpace,
        { ...site, siteSpaceId: of(placed) },
        { position: beside('site-space', 'siteSpace', of(placed)) },
      ),
    () => request(updateSiteSpace, { ...site, siteSpaceId: of(placed) }, { path: `p-${draw(100_000)}` }),
    () => request(createTeam, inOrg, { title: `New ${draw(5)}` }),
  ];
  const beside = (type: string, key: string, id: string) => ({
    [of(['before', 'after'])]: { type, [key]: id },
  });
  const drafts: Draft[] = [];
  while (drafts.length < count) {
    const draft = { change: of(makers)() };
    const anchor = JSON.stringify(draft.change.input.body ?? null);
    // Nothing goes beside itself; nobody leaves a team twice.
    if (/position/.test(anchor) && anchor.includes(draft.change.id)) continue;
    const key = JSON.stringify(draft.change.input.path);
    if (draft.change.op === deleteTeamMember && gone.has(key)) continue;
    if (draft.change.op === deleteTeamMember) gone.add(key);
    drafts.push(draft);
  }
  return drafts;
}

/** Operations of one plan never make each other stale. */
export async function neverStale(world: JobWorld, seed: number): Promise<void> {
  const plan = await planOf(world, await randomDrafts(world, seed, 60));
  const done = await applied(world, plan);
  expect(failures(done)).toEqual([]);
  expect(done.job.items.map((item) => item.change.operation)).toEqual(plan.operations.map(({ id }) => id));
}

/** A change by somebody else makes stale what is about the same member, and nothing else. */
export async function staleByOthers(world: JobWorld, seed: number): Promise<void> {
  const some: Draft = { change: request(updateMember, { ...inOrg, userId: people[0] }, { role: 'read' }) };
  const plan = await planOf(world, [...(await randomDrafts(world, seed, 40)), some]);
  const meant = plan.operations.filter((one) => one.request?.operation === 'members.update');
  const [first] = meant;
  const path = first?.request?.parameters as { organizationId: string; userId: string };
  const other = roles.find(
    (role) => !meant.some((one) => one.fields.role?.after === role || one.fields.role?.before === role),
  );
  await world.client.call(updateMember, { path, body: { role: other ?? 'admin' } });
  const { results } = await applied(world, plan);
  const notOk = results.flatMap(({ index, status, failure }) =>
    status === 'ok' ? [] : [[plan.operations[index]?.id, failure?.code]],
  );
  const same = meant.filter((one) => one.request?.path === first?.request?.path).map(({ id }) => id);
  expect(notOk[0]).toEqual([first?.id, 'stale']);
  // Whatever is not ok is about the same member and comes after.
  expect(notOk.map(([id]) => id).filter((id) => !same.includes(id as string))).toEqual([]);
}
