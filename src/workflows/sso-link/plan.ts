import { linkMemberSso } from '../../api/resources/members.js';
import { requestFor } from '../../jobs/request.js';
import { type Step, stepOf } from '../../jobs/step.js';

export interface Linking {
  organizationId: string;
  /** Ids of the members to be linked, without the canary. */
  members: readonly string[];
  /** Linked before all others, who wait for it; undefined for none. */
  canary?: string | undefined;
  /** Index of the first item: 1 where the canary was a job of its own; default 0. */
  first?: number;
  /** How many are linked before a read must show them all linked. */
  batch: number;
  /** Whether a batch is linked although one before it failed. */
  continues: boolean;
}

/**
 * The requests that link members. Each is sent only to a member who is not linked, and is done only once a read
 * shows the member linked. A batch waits for all of the one before it, so its reads are the check between them;
 * the journal keeps that for a resume.
 */
export function planLinks({
  organizationId,
  members,
  canary,
  first: start = 0,
  batch,
  continues,
}: Linking): Step[] {
  const first = canary === undefined ? [] : [canary];
  const step = (userId: string, item: number, after: readonly number[]) =>
    stepOf(requestFor(linkMemberSso, { organizationId, userId }), item, {
      expect: { sso: false },
      confirms: true,
      ...(after.length > 0 && { after }),
    });
  const base = start + first.length;
  let before: readonly number[] = [...first.keys()];
  const steps = first.map((id) => step(id, 0, []));
  for (let from = 0; from < members.length; from += batch) {
    const now = members.slice(from, from + batch);
    steps.push(...now.map((id, at) => step(id, base + from + at, before)));
    if (!continues) before = now.map((_, at) => base + from + at);
  }
  return steps;
}

/** How many batches that is. */
export function batchesOf({ members, batch }: Pick<Linking, 'members' | 'batch'>): number {
  return Math.ceil(members.length / batch);
}
