import { prepare } from '../../api/client.js';
import { deleteMember, type Member } from '../../api/resources/members.js';
import { deleteTeamMember, setTeamMember } from '../../api/resources/team-members.js';
import { forecastOf } from '../../cli/run/preview.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { requestFor } from '../../jobs/request.js';
import type { State } from '../../jobs/state.js';
import { type Step, stepOf } from '../../jobs/step.js';
import { type Holdings, type OwnedTeam, personOf } from './holdings.js';
import type { Action, Person } from './report.js';

/**
 * The requests that take people out: for each, teams that would have no owner are handed over, then
 * every team is left, then the organization. Each waits for what must come before it, and is sent only
 * where things still are as they were read.
 */

export interface Plan {
  steps: Step[];
  /** The actions of each person, by id. */
  actions: ReadonlyMap<string, Action[]>;
}

/** What is done about whom, and where. */
export interface Leaving {
  organizationId: string;
  holdings: readonly Holdings[];
  owned: readonly OwnedTeam[];
  /** Who takes over teams; undefined where nobody was named. */
  heir: Member | undefined;
}

/** A membership comes back with its role, but only into an organization that the person is in. */
const backInTeam = { undo: 'best-effort', why: 'once the person is a member again' } as const;

/** Teams that nobody would own who stays. */
export function ownerless({ holdings, owned }: Pick<Leaving, 'holdings' | 'owned'>): OwnedTeam[] {
  const leaving = new Set(holdings.map(({ member }) => member.id));
  return owned.filter(({ owners }) => owners.every(({ id }) => leaving.has(id)));
}

/** @param first index of its first item in the job, where other items come before */
export function planLeaving(leaving: Leaving, first = 0): Plan {
  const planner = new Planner(leaving, first);
  for (const held of leaving.holdings) planner.add(held);
  return planner;
}

class Planner implements Plan {
  readonly steps: Step[] = [];
  readonly actions = new Map<string, Action[]>();
  readonly #leaving: Leaving;
  readonly #first: number;
  readonly #ownerless: Map<string, OwnedTeam>;
  /** The items that hand teams over, by team: one for all of its owners who leave. */
  readonly #handedOver = new Map<string, number>();

  constructor(leaving: Leaving, first: number) {
    this.#leaving = leaving;
    this.#first = first;
    this.#ownerless = new Map(ownerless(leaving).map((team) => [team.id, team]));
  }

  add({ member, teams }: Holdings): void {
    const own: Action[] = [];
    this.actions.set(member.id, own);
    const { organizationId } = this.#leaving;
    const before: number[] = [];
    for (const { id } of teams) {
      const team = this.#ownerless.get(id);
      if (team !== undefined && !this.#handedOver.has(id)) own.push(...this.#handOver(team));
    }
    for (const { id, title, role } of teams) {
      const request = requestFor(deleteTeamMember, { organizationId, teamId: id, userId: member.id });
      const after = [this.#handedOver.get(id) ?? []].flat();
      const item = this.#push(request, { role }, after);
      own.push(this.#action(item, 'remove from team', request, { team: { id, title } }));
      before.push(item);
    }
    const request = requestFor(deleteMember, { organizationId, userId: member.id });
    const item = this.#push(request, { role: member.role }, before);
    own.push(this.#action(item, 'remove from organization', request, {}));
  }

  /** The heir becomes an owner, whether in the team or not yet. */
  #handOver({ id, title, roles }: OwnedTeam): Action[] {
    const { organizationId, heir } = this.#leaving;
    if (heir === undefined) return [];
    const path = { organizationId, teamId: id, userId: heir.id };
    const request = requestFor(setTeamMember, path, { role: 'owner' });
    const role = roles.get(heir.id);
    const item = this.#push(request, role === undefined ? null : { role }, []);
    this.#handedOver.set(id, item);
    return [this.#action(item, 'hand over team', request, { team: { id, title }, to: personOf(heir) })];
  }

  #push(request: PlannedRequest, expect: State, after: readonly number[]): number {
    const item = this.#first + this.steps.length;
    this.steps.push(stepOf(request, item, { expect, ...(after.length > 0 && { after }) }));
    return item;
  }

  #action(
    item: number,
    does: Action['does'],
    { op, input }: PlannedRequest,
    about: { team?: { id: string; title: string }; to?: Person },
  ): Action {
    const { method, path, body } = prepare(op, input);
    const sent = { method, path, ...(body !== undefined && { body }) };
    const undo = does === 'remove from team' ? backInTeam : forecastOf({ op, input });
    return { item, does, ...about, ...sent, ...undo, status: 'planned' };
  }
}
