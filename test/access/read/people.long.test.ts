import { expect, test } from 'vitest';
import { openTeams, readPeople } from '../../../src/access/people.js';

import { readStructure } from '../../../src/access/structure.js';
import { openReadWorld } from './read-world.js';

test('400 members, 60 spaces and 20 teams take at most 1.2 requests a member', async () => {
  const world = await openReadWorld('acme');
  try {
    const structure = await readStructure(world.reading);
    const teams = await openTeams(world.reading);
    let [members, roles, memberships] = [0, 0, 0];
    for await (const people of readPeople(world.reading, { teams })) {
      members += people.length;
      for (const { spaces = [], teams: own } of people) {
        roles += spaces.length;
        memberships += own?.teams.length ?? 0;
        expect(own?.known).toBe(true);
        for (const { space } of spaces) expect(structure.spaces.get(space.id)).toEqual(space);
      }
    }
    expect([members, structure.spaces.size, teams.list.length]).toEqual([400, 60, 20]);
    expect(structure.unread).toEqual([]);
    expect(roles).toBeGreaterThan(10_000);
    expect(memberships).toBe(teams.list.reduce((sum, team) => sum + team.members, 0));
    expect(world.sent.length).toBeLessThanOrEqual(1.2 * members);
  } finally {
    await world.close();
  }
});
