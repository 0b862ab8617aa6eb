import { afterAll, expect, test } from 'vitest';
import { savedWorld } from './world.js';

const world = await savedWorld();
afterAll(() => world.close());

test('a saved export of a sandbox is one again, and its export is the same', async () => {
  world.lay('sandbox/export');
  await world.ok(['sandbox', 'seed', '--from', 'state.json']);
  expect(await world.ok(['--sandbox', 'teams', 'list', '--fields', 'title'])).toBe(
    'Writers\nSupport\nGuild\n',
  );
  const members = await world.ok(['--sandbox', 'members', 'list', '--fields', 'user.email,role']);
  expect(members).toContain('deniz@acme.example\tread\n');
  expect(JSON.parse(await world.ok(['sandbox', 'export']))).toEqual(JSON.parse(world.read('state.json')));
});
