import fc from 'fast-check';
import { expect } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import { rankOf } from '../../../src/access/levels.js';
import type { WhatIfRow } from '../../../src/access/person.js';
import { openWhatIf, type Proposal, type WhatIf } from '../../../src/access/what-if.js';
import { updateCollection } from '../../../src/api/resources/collections.js';
import { deleteTeamMember, updateMember } from '../../../src/api/resources/members.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { deleteTeam } from '../../../src/api/resources/teams.js';
import { type Role, roles } from '../../../src/api/shapes.js';
import { decidedRoles, pair } from './decisions.js';
import { type AccessOrganization, accessOrganization, type Level } from './organization.js';
import type { Fault, Platform } from './platform.js';
import { collectionId, orgId, personId, spaceId, tablesOf, teamId } from './state.js';

/** Proposals for random organizations, what `what-if` says of them, and their being carried out. */

/** Numbers are taken round what there is. */
interface DrawnChange {
  what: 'role' | 'space' | 'collection' | 'leave' | 'delete-team';
  at: number;
  other: number;
  role: Role | null;
  level: Level;
}

const drawnChanges: fc.Arbitrary<DrawnChange[]> = fc.array(
  fc.record({
    what: fc.constantFrom('role', 'space', 'collection', 'leave', 'leave', 'delete-team'),
    at: fc.nat(40),
    other: fc.nat(40),
    role: fc.constantFrom(...roles, null),
    level: fc.constantFrom<Level>(...roles, 'inherit', null),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The changes as a proposal; undefined where there is nothing for any of them. */
function proposalOf(org: AccessOrganization, drawn: readonly DrawnChange[]): Proposal | undefined {
  const changed = new Map<string, Role | null>();
  const levels = new Map<string, string | null>();
  const left = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  for (const { what, at, other, role, level } of drawn) {
    if (what === 'role') changed.set(personId(at % org.people.length), role);
    const space = at % org.spaces.length;
    if (what === 'space' && org.spaces[space]?.deleted === false) levels.set(spaceId(space), level);
    if (what === 'collection' && org.collections.length > 0)
      levels.set(collectionId(at % org.collections.length), level);
    if (org.teams.length === 0) continue;
    const team = at % org.teams.length;
    if (what === 'delete-team') deleted.add(teamId(team));
    const members = org.teams[team] ?? [];
    const member = members[other % Math.max(1, members.length)];
    if (what !== 'leave' || member === undefined) continue;
    const person = personId(member.person % org.people.length);
    left.set(person, new Set([...(left.get(person) ?? []), teamId(team)]));
  }
  const size = changed.size + levels.size + left.size + deleted.size;
  return size === 0 ? undefined : { roles: changed, levels, left, deleted };
}

/** What `what-if` says, all at once. */
async function answered(
  platform: Platform,
  proposal: Proposal,
  { user = personId(0), fault }: { user?: string; fault?: Fault } = {},
): Promise<{ rows: WhatIfRow[]; asked: WhatIf }> {
  const client = platform.client(user, fault);
  const reading = { client, organizationId: orgId, concurrency: 2, signal: new AbortController().signal };
  const asked = await openWhatIf(reading, proposal);
  const rows: WhatIfRow[] = [];
  for await (const some of asked.rows()) rows.push(...some);
  return { rows, asked };
}

/**
 * Makes the changes, by requests of the first administrator.
 * @returns false where the platform refuses to be left without an administrator
 */
async function carryOut(platform: Platform, proposal: Proposal): Promise<boolean> {
  const admin = personId(0);
  const path = { organizationId: orgId };
  for (const [id, defaultLevel] of proposal.levels) {
    const body = { body: { defaultLevel } } as { body: { defaultLevel: Role | 'inherit' | null } };
    const space = await platform.status(admin, updateSpace, { path: { spaceId: id }, ...body });
    if (space === 404)
      await platform.client(admin).call(updateCollection, { path: { collectionId: id }, ...body });
  }
  for (const [userId, teams] of proposal.left)
    for (const team of teams)
      await platform.client(admin).call(deleteTeamMember, { path: { ...path, teamId: team, userId } });
  for (const team of proposal.deleted)
    await platform.client(admin).call(deleteTeam, { path: { ...path, teamId: team } });
  // Who makes the changes gives up their own role last.
  const inOrder = [...proposal.roles].sort(
    ([one], [other]) => Number(one === admin) - Number(other === admin),
  );
  for (const [userId, role] of inOrder)
    if ((await platform.status(admin, updateMember, { path: { ...path, userId }, body: { role } })) !== 200)
      return false;
  return true;
}

interface Runs {
  numRuns: number;
  seed: number;
}

/** What was seen, so that a test can tell that it saw something. */
interface Sight {
  certain: number;
  possible: number;
  unknown: number;
  /** Possible changes that did not come about. */
  idle: number;
}

/**
 * What is called certain happens, and what happens was called certain or possible: in random organizations in
 * which the change is made by requests, and roles are those that the sandbox decides before and after.
 * @param faultOf the reads that fail; where there is any, unknown rows stand for what may happen
 */
export async function whatIfHolds(
  platform: Platform,
  { numRuns, seed }: Runs,
  faultOf: (draw: number) => Fault | undefined = () => undefined,
): Promise<Sight> {
  const sight = { certain: 0, possible: 0, unknown: 0, idle: 0 };
  const property = fc.asyncProperty(
    accessOrganization,
    drawnChanges,
    fc.nat(1000),
    async (org, drawn, draw) => {
      const proposal = proposalOf(org, drawn);
      if (proposal === undefined) return fc.pre(false);
      platform.load(tablesOf(org));
      const before = await decidedRoles(platform, org);
      const fault = faultOf(draw);
      const { rows, asked } = await answered(platform, proposal, fault && { fault });
      const isRefused = !(await carryOut(platform, proposal));
      const isForeseen = asked.notes.some((note) => note.startsWith('No admin would be left;'));
      if (fault === undefined) expect(isForeseen).toBe(isRefused);
      if (isRefused) return;
      const after = await decidedRoles(platform, org);
      // Of teams, spaces and collections that could not be read nothing is known, which `unread` tells.
      const isWhole = asked.tally.unread.every(({ kind }) => kind === 'member-spaces');
      expect(asked.tally.failures > 0 && fault === undefined).toBe(false);
      judge(rows, before, after, { isWhole, isSharp: fault === undefined }, sight);
    },
  );
  await fc.assert(property, { numRuns, seed });
  return sight;
}

type Decided = ReadonlyMap<string, Role | null>;

function judge(
  rows: readonly WhatIfRow[],
  before: Decided,
  after: Decided,
  { isWhole, isSharp }: { isWhole: boolean; isSharp: boolean },
  sight: Sight,
): void {
  const said = new Map(rows.map((row) => [pair(row.person.id, row.space.id), row]));
  expect(said.size).toBe(rows.length);
  for (const key of said.keys()) expect(before.has(key)).toBe(true);
  for (const [key, from] of before) {
    const row = said.get(key);
    const to = after.get(key) ?? null;
    if (row === undefined) {
      if (isWhole) expect(to, key).toBe(from);
      continue;
    }
    if (row.change === 'unknown') {
      sight.unknown += 1;
      continue;
    }
    expect(row.from).toBe(from);
    expect(rankOf(to)).toBeGreaterThanOrEqual(rankOf(row.to as Role | null));
    expect(rankOf(to)).toBeLessThanOrEqual(rankOf(row.most as Role | null));
    sight[row.certain ? 'certain' : 'possible'] += 1;
    if (row.certain) expect(to).not.toBe(from);
    else if (to === from) sight.idle += 1;
    if (row.certain) expect(row.change).toBe(rankOf(to) > rankOf(from) ? 'gains' : 'loses');
    // With everything read, nothing that is gained is a mere possibility, and its role is told.
    if (isSharp && rankOf(to) > rankOf(from)) expect([row.certain, row.to, row.most]).toEqual([true, to, to]);
  }
}

/** Fails about every third read of a list of a kind. */
export function someReadsFail(draw: number): Fault {
  let count = draw;
  const lists = [/\/members\/\w+\/spaces/, /\/teams\/\w+\/members/, /\/collections\b/, /\/sites\b/];
  const failing = lists[draw % lists.length] ?? /$^/;
  return ({ method, path }) => {
    if (method !== 'GET' || !failing.test(path)) return false;
    count += 1;
    return count % 3 === 0;
  };
}

/**
 * Two commands answer the same question: `impact delete team` and `what-if --delete-team`, what is lost with a team.
 * @returns how many changes they told
 */
export async function teamImpactHolds(
  platform: Platform,
  some: { numRuns: number; seed: number },
): Promise<number> {
  let changes = 0;
  const property = fc.asyncProperty(accessOrganization, fc.nat(40), async (org, at) => {
    if (org.teams.length === 0) return fc.pre(false);
    platform.load(tablesOf(org));
    const id = teamId(at % org.teams.length);
    const none = { roles: new Map(), levels: new Map(), left: new Map() };
    const { rows } = await answered(platform, { ...none, deleted: new Set([id]) });
    const client = platform.client(personId(0));
    const signal = new AbortController().signal;
    const reading = { client, organizationId: orgId, concurrency: 2, signal };
    const question = { action: 'delete', things: [{ object: 'team', id }] } as const;
    const { people, unknown } = await readImpact(reading, question, { aspects: ['people'] });
    expect(unknown).toEqual([]);
    const short = ({ person, space, from, to, most, certain }: (typeof people)[0] | (typeof rows)[0]) => ({
      ...{ person: person.id, space: space.id, from, to, most: most ?? to, certain },
    });
    expect(people.map(short)).toEqual(rows.map(short));
    changes += people.length;
  });
  await fc.assert(property, some);
  return changes;
}
