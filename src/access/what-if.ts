import type { Member } from '../api/resources/members.js';
import { getTeam } from '../api/resources/teams.js';
import { type Role, roles } from '../api/shapes.js';
import { DocsError } from '../base/errors.js';
import { readAll } from '../jobs/sequence.js';
import { organization } from '../snapshot/organization.js';
import { type Reading, type Unread, unreadOf } from '../snapshot/unread.js';
import { keepsOwner, lastAdminWords } from './guards.js';
import type { RoleChange } from './impact/shapes.js';
import { defaultLevelOf, type Levelled, rankOf } from './levels.js';
import { type People, type PersonAccess, readPeople, readTeam } from './people.js';

import { refOf, Tally, type WhatIfRow } from './person.js';

import {
  type Held,
  isTouched,
  type LevelChange,
  type LostTeam,
  type PersonChange,
  roleChangeOf,
  roleInOf,
  TeamGrants,
} from './role-changes.js';
import { addSpace, type LevelledSpace, readStructure, type Structure } from './structure.js';

/** What would be changed, by ids. */
export interface Proposal {
  /** New roles in the organization by member; null makes a guest. */
  roles: ReadonlyMap<string, Role | null>;
  /** New default levels of spaces and collections: a role, `inherit`, or null for no access. */
  levels: ReadonlyMap<string, string | null>;
  /** Teams that a member leaves. */
  left: ReadonlyMap<string, ReadonlySet<string>>;
  /** Teams that are deleted. */
  deleted: ReadonlySet<string>;
}

/** How many rows say what, beside those of which the role is unknown. */
export interface WhatIfCounts {
  certain: { gains: number; loses: number; changes: number };
  possible: { gains: number; loses: number; changes: number };
}

/** Members whose roles are read to find out what a team can give them; more teach little. */
const mostAsked = 200;
/** Members that are asked for one by one; more are found in the list of all. */
const mostSingle = 100;

/**
 * Reads what an answer to "what if" rests on, beside the people.
 * @throws DocsError not-found `not_in_team` where somebody is to leave a team that they are not in; as `readTeam`
 */
export async function openWhatIf(reading: Reading, proposal: Proposal): Promise<WhatIf> {
  const structure = await readStructure(reading);
  const lost = new Set([...[...proposal.left.values()].flatMap((ids) => [...ids]), ...proposal.deleted]);
  const teams = new Map<string, LostTeam>();
  const unread = [...structure.unread];
  for (const team of await readAll(reading, [...lost], (id) => readLostTeam(reading, id)))
    if ('error' in team) unread.push(team);
    else teams.set(team.id, team);
  for (const [person, ids] of proposal.left) for (const id of ids) refuseStranger(person, teams.get(id));
  return new WhatIf(reading, proposal, { structure, teams, unread });
}

async function readLostTeam(reading: Reading, teamId: string): Promise<LostTeam | Unread> {
  const { client, organizationId, signal } = reading;
  try {
    const team = await client.call(getTeam, { path: { organizationId, teamId } });
    const read = await readTeam(reading, team);
    return 'error' in read ? read : { ...read, spaces: team.spaces };
  } catch (cause) {
    return unreadOf(cause, signal, { kind: 'team', id: teamId });
  }
}

function refuseStranger(person: string, team: LostTeam | undefined): void {
  if (team === undefined || team.roles.has(person)) return;
  const message = `member ${person} is not in team ${team.title} (${team.id})`;
  throw new DocsError('not-found', 'not_in_team', message, { hint: `docs members teams ${person}` });
}

interface Known {
  structure: Structure;
  /** By id: the teams that somebody loses, as far as they could be read. */
  teams: ReadonlyMap<string, LostTeam>;
  unread: Unread[];
}

/** A pair of which the role changes, if a team that is lost can be what gives it. */
interface Candidate {
  held: Held;
  level: LevelChange;
  member: Member;
}

/** Who gains and who loses what by a proposal. Nothing is changed. */
export class WhatIf {
  readonly tally = new Tally();
  /** What the proposal does beside roles in spaces, a sentence each; whole after the last row. */
  readonly notes: string[] = [];
  readonly counts: WhatIfCounts = {
    certain: { gains: 0, loses: 0, changes: 0 },
    possible: { gains: 0, loses: 0, changes: 0 },
  };
  readonly #grants: TeamGrants;
  /** With their new levels. */
  readonly #collections = new Map<string, Levelled>();
  readonly #levels = new Map<string, LevelChange>();
  readonly #onMisfit = (unread: readonly Unread[]) => this.tally.fail(...unread);
  #seen = 0;

  constructor(
    private readonly reading: Reading,
    private readonly proposal: Proposal,
    private readonly known: Known,
  ) {
    this.tally.fail(...known.unread);
    this.#grants = new TeamGrants(known.teams.values());
    for (const space of known.structure.spaces.values()) this.#levels.set(space.id, this.#levelOf(space));
  }

  /** The rows, some at a time: first those of people whom the proposal names, then those whom levels concern. */
  async *rows(): AsyncGenerator<WhatIfRow[]> {
    const named = this.#named();
    const found: Candidate[] = [];
    const members: Member[] = [];
    if (named.size > 0)
      for await (const window of readPeople(this.reading, this.#peopleOf(named)))
        for (const person of window) {
          members.push(person.member);
          found.push(...(await this.#candidates(person)));
        }
    await this.#askOthers(found, named);
    yield this.#counted(found.flatMap((one) => this.#rowOf(one)));
    await this.#takeNotes(members);
    const concerned = this.#concerned();
    if (concerned.length === 0) return;
    const people = { roles: concerned, onMisfit: this.#onMisfit, only: ({ id }: Member) => !named.has(id) };
    for await (const window of readPeople(this.reading, people)) {
      const rows: WhatIfRow[] = [];
      for (const person of window)
        for (const one of await this.#candidates(person)) rows.push(...this.#rowOf(one));
      yield this.#counted(rows);
    }
  }

  /** Members whose role or teams change. */
  #named(): Set<string> {
    const { roles: changed, left, deleted } = this.proposal;
    const inDeleted = [...deleted].flatMap((id) => [...(this.known.teams.get(id)?.roles.keys() ?? [])]);
    return new Set([...changed.keys(), ...left.keys(), ...inDeleted]);
  }

  /** The roles with which the new levels can make a difference. */
  #concerned(): Role[] {
    if (this.proposal.levels.size === 0) return [];
    const levels = [...this.#levels.values()];
    return roles.filter((organizationRole) => levels.some((level) => isTouched({ organizationRole }, level)));
  }

  /** The pairs of a person that change, whatever the teams that are lost turn out to give. */
  async #candidates(person: PersonAccess): Promise<Candidate[]> {
    const { member, spaces, partial = [], unread } = person;
    for (const { space } of spaces ?? partial) await this.#meet(space);
    this.#seen += 1;
    this.tally.fail(...unread);
    const roleIn = roleInOf(person);
    this.#grants.learn(member, this.#levels.keys(), roleIn);
    const who = { id: member.id, email: member.user.email };
    const change = this.#changeOf(member.id, 'admin');
    const found: Candidate[] = [];
    for (const level of this.#levels.values()) {
      const held: Held = { person: who, organizationRole: member.role, role: roleIn(level.space.id) };
      if (roleChangeOf(held, level, change) !== undefined) found.push({ held, level, member });
    }
    return found;
  }

  /** Adds a space that no list of spaces had. */
  async #meet(space: LevelledSpace): Promise<void> {
    const { structure } = this.known;
    if (structure.spaces.has(space.id)) return;
    const before = structure.unread.length;
    await addSpace(this.reading, structure, space);
    this.tally.fail(...structure.unread.slice(before));
    this.#levels.set(space.id, this.#levelOf(space));
    if (this.#seen === 0) return;
    const message = 'it was found only after the access of others had been read';
    const error = new DocsError('partial', 'found_late', message);
    this.tally.fail({ kind: 'space', id: space.id, title: space.title, error });
  }

  /** Reads the roles of other members of a team, as long as they can show that it does not give what is at stake. */
  async #askOthers(found: readonly Candidate[], named: ReadonlySet<string>): Promise<void> {
    const open = () =>
      found.filter(({ held, level }) => {
        const most = this.#grants.mostOf(this.#lostBy(held.person.id), level.space.id);
        return held.role !== 'unknown' && most !== null && rankOf(most) >= rankOf(held.role);
      });
    const teams = new Set(open().flatMap(({ held }) => this.#lostBy(held.person.id)));
    const others = [...teams].flatMap((id) => [...(this.known.teams.get(id)?.roles.keys() ?? [])]);
    const ids = [...new Set(others)].filter((id) => !named.has(id)).slice(0, mostAsked);
    if (ids.length === 0) return;
    for await (const window of readPeople(this.reading, this.#peopleOf(new Set(ids)))) {
      for (const person of window) this.#grants.learn(person.member, this.#levels.keys(), roleInOf(person));
      if (open().length === 0) return;
    }
  }

  #rowOf({ held, level, member }: Candidate): WhatIfRow[] {
    const lost = this.#lostBy(member.id);
    const most = lost.length === 0 ? undefined : this.#grants.mostOf(lost, level.space.id);
    const change = roleChangeOf(held, level, this.#changeOf(member.id, most));
    if (change === undefined) return [];
    const person = refOf(member);
    const { space } = level;
    // Nothing is claimed where the role could not be read.
    const role = 'unknown';
    if (change === role) return [{ person, space, change, from: role, to: role, most: role, certain: false }];
    const { from, to, certain } = change;
    return [{ person, space, change: directionOf(change), from, to, most: change.most ?? to, certain }];
  }

  /** @param lostGrant the most that the teams which they lose can give */
  #changeOf(memberId: string, lostGrant: Role | null | undefined): PersonChange {
    const organizationRole = this.proposal.roles.get(memberId);
    return { organizationRole, lostGrant: this.#lostBy(memberId).length === 0 ? undefined : lostGrant };
  }

  #lostBy(memberId: string): string[] {
    const { left, deleted } = this.proposal;
    const inDeleted = [...deleted].filter((id) => this.known.teams.get(id)?.roles.has(memberId));
    return [...new Set([...(left.get(memberId) ?? []), ...inDeleted])];
  }

  #levelOf(space: LevelledSpace): LevelChange {
    const { structure } = this.known;
    for (const [id, one] of structure.collections)
      if (!this.#collections.has(id)) this.#collections.set(id, this.#withLevel(one));
    const before = defaultLevelOf({ ...space, object: 'space' }, structure.collections);
    const after = defaultLevelOf({ ...this.#withLevel(space), object: 'space' }, this.#collections);
    return { space: { id: space.id, title: space.title }, before, after };
  }

  #withLevel<T extends Levelled>(place: T): T {
    const defaultLevel = this.proposal.levels.get(place.id);
    return defaultLevel === undefined ? place : { ...place, defaultLevel };
  }

  /** Few are read one by one, more by the list of all. */
  #peopleOf(ids: ReadonlySet<string>): People {
    if (ids.size <= mostSingle) return { ids: [...ids] };
    return { only: ({ id }) => ids.has(id), onMisfit: this.#onMisfit };
  }

  #counted(rows: WhatIfRow[]): WhatIfRow[] {
    this.tally.rows += rows.length;
    for (const { change, certain } of rows)
      if (change === 'unknown') this.tally.unknown += 1;
      else this.counts[certain ? 'certain' : 'possible'][change] += 1;
    return rows;
  }

  /** Notes teams without an owner, and an organization without an administrator. */
  async #takeNotes(named: readonly Member[]): Promise<void> {
    const { left, deleted } = this.proposal;
    for (const { id, title, owners } of this.known.teams.values()) {
      const leaving = { has: (owner: { id: string }) => left.get(owner.id)?.has(id) === true };
      if (!deleted.has(id) && owners.length > 0 && !keepsOwner(owners, leaving))
        this.notes.push(`Team ${title} (${id}) would have no owner.`);
    }
    const { roles: changed } = this.proposal;
    if (!named.some(({ id, role }) => role === 'admin' && changed.has(id) && changed.get(id) !== 'admin'))
      return;
    const { organizationId, signal } = this.reading;
    const admins = new Map(named.map((member) => [member.id, member]));
    try {
      for await (const admin of organization(this.reading).administrators()) admins.set(admin.id, admin);
      const after = [...admins.values()].map(({ id, role, disabled }) => ({
        role: changed.has(id) ? changed.get(id) : role,
        disabled,
      }));
      const words = lastAdminWords(after, new Set());
      if (words !== undefined) this.notes.push(words);
    } catch (cause) {
      this.tally.fail(unreadOf(cause, signal, { kind: 'administrators', id: organizationId }));
    }
  }
}

/** In which direction a role moves; `changes` where it may be either. */
function directionOf({ from, to, most }: RoleChange): WhatIfRow['change'] {
  const [now, low, high] = [rankOf(from), rankOf(to), rankOf(most ?? to)];
  if (low >= now) return 'gains';
  return high > now ? 'changes' : 'loses';
}
