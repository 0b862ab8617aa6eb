import { keepsOwner } from '../../access/guards.js';
import { personOf } from '../../access/person.js';
import type { TeamMembers } from '../../access/read/teams.js';
import { prepare } from '../../api/client.js';
import { deleteMember, deleteTeamMember, type Member, setTeamMember } from '../../api/resources/members.js';
import { defined } from '../../base/values.js';
import { forecasts } from '../../jobs/outlook.js';
import { type PlannedRequest, requestFor } from '../../jobs/request.js';
import type { State } from '../../jobs/state.js';
import { requestsOf, type Step, stepOf } from '../../jobs/step.js';
import type { AllHoldings, Holdings } from './holdings.js';
import type { Action } from './report.js';

/**
 * The requests that remove members. For each member: hand over teams that would have no owner, leave every
 * team, leave the organization. A request waits for those it depends on, and is sent only if the platform
 * still is in the state that was read.
 */

export interface Plan {
  steps: Step[];
  actions: ReadonlyMap<string, Action[]>;
}

export interface Leaving extends AllHoldings {
  organizationId: string;
  /** The new owner of teams that would have none; undefined where none was named. */
  heir: Member | undefined;
}

/** The teams all of whose owners are to be removed. */
export function ownerless({ holdings, owned }: AllHoldings): TeamMembers[] {
  const leaving = new Set(holdings.map(({ member }) => member.id));
  return owned.filter(
    ({ owners }) =>
      !keepsOwner(
        owners.map(({ id }) => id),
        leaving,
      ),
  );
}

/** @param first index of its first item in the job, where other items precede it */
export function planLeaving(leaving: Leaving, first = 0): Plan {
  const planner = new Planner(leaving, first);
  for (const held of leaving.holdings) planner.add(held);
  planner.foresee();
  return planner;
}

class Planner implements Plan {
  readonly steps: Step[] = [];
  readonly actions = new Map<string, Action[]>();
  readonly #leaving: Leaving;
  readonly #first: number;
  readonly #ownerless: Map<string, TeamMembers>;
  /** The item that hands a team over, by team: one for all owners who leave. */
  readonly #handedOver = new Map<string, number>();

  constructor(leaving: Leaving, first: number) {
    this.#leaving = leaving;
    this.#first = first;
    this.#ownerless = new Map(ownerless(leaving).map((team) => [team.id, team]));
  }

  add({ member, teams }: Holdings): void {
    const { organizationId } = this.#leaving;
    const userId = member.id;
    const own: Action[] = [];
    this.actions.set(member.id, own);
    for (const { id } of teams) {
      const team = this.#ownerless.get(id);
      if (team !== undefined && !this.#handedOver.has(id)) this.#handOver(own, team);
    }
    const left = teams.map(({ id, title, role }) => {
      const request = requestFor(deleteTeamMember, { organizationId, teamId: id, userId });
      const about = { does: 'remove from team' as const, team: { id, title } };
      return this.#push(own, about, request, { role }, [this.#handedOver.get(id) ?? []].flat());
    });
    const request = requestFor(deleteMember, { organizationId, userId });
    this.#push(own, { does: 'remove from organization' }, request, { role: member.role }, left);
  }

  /** Makes the heir an owner, already in the team or not. */
  #handOver(own: Action[], { id, title, roles }: TeamMembers): void {
    const { organizationId, heir } = this.#leaving;
    if (heir === undefined) return;
    const path = { organizationId, teamId: id, userId: heir.id };
    const request = requestFor(setTeamMember, path, { role: 'owner' });
    const role = roles.get(heir.id);
    const about = { does: 'hand over team' as const, team: { id, title }, to: personOf(heir) };
    this.#handedOver.set(id, this.#push(own, about, request, role === undefined ? null : { role }));
  }

  /** @returns the item of the request in the job */
  #push(
    own: Action[],
    about: Pick<Action, 'does' | 'team' | 'to'>,
    request: PlannedRequest,
    expect: State,
    after: readonly number[] = [],
  ): number {
    const item = this.#first + this.steps.length;
    this.steps.push(stepOf(request, item, { expect, ...(after.length > 0 && { after }) }));
    const { method, path, body } = prepare(request.op, request.input);
    const sent = defined({ method, path, body });
    own.push({ item, ...about, ...sent, undo: 'none', status: 'planned' });
    return item;
  }

  /** What undo will be able to do depends on all requests. */
  foresee(): void {
    const actions = [...this.actions.values()].flat().sort((a, b) => a.item - b.item);
    for (const [at, forecast] of forecasts(requestsOf(this.steps)).entries())
      Object.assign(actions[at] ?? {}, forecast);
  }
}
