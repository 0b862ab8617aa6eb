import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import { accessOrganization } from './organization.js';
import { Platform } from './platform.js';
import { orgId, personId, tablesOf, teamId } from './state.js';
import { answered } from './what-if.js';

/** Two commands answer the same question: what is lost with a team. */

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.open();
});
afterAll(() => platform.close());

test('impact delete team and what-if --delete-team say the same, in 40 organizations', async () => {
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
    expect(
      people.map(({ person, space, from, to, most, certain }) => ({
        ...{ person: person.id, space: space.id, from, to, most: most ?? to, certain },
      })),
    ).toEqual(
      rows.map(({ person, space, from, to, most, certain }) => ({
        ...{ person: person.id, space: space.id, from, to, most, certain },
      })),
    );
    changes += people.length;
  });
  await fc.assert(property, { numRuns: 40, seed: 20261122 });
  expect(changes).toBeGreaterThan(10);
});
