import fc from 'fast-check';
import { expect } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import { accessOrganization } from './organization.js';
import type { Platform } from './platform.js';
import { orgId, personId, tablesOf, teamId } from './state.js';
import { answered } from './what-if.js';

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
