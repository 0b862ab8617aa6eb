import { afterAll, expect, it } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import type { Affected, ImpactQuestion } from '../../../src/access/impact/shapes.js';
import { DocsError } from '../../../src/base/errors.js';
import { seedId } from '../../sandbox/client.js';
import { openReadWorld } from '../read/read-world.js';

/** A role, or a team of a member, that could not be read is counted as unknown, never left out. */

const world = await openReadWorld();
afterAll(() => world.close());
world.before = async (path) => {
  if (!path.includes(`/members/${seedId('user chiara')}/spaces`)) return;
  throw new DocsError('server-error', 'http_500', 'The platform answered 500.');
};

const space: Affected = { object: 'space', id: seedId('space board') };

it.each<[string, ImpactQuestion]>([
  ['a deleted space', { action: 'delete', things: [space] }],
  [
    'a moved space',
    {
      action: 'move',
      things: [{ object: 'space', id: seedId('space handbook') }],
      to: { parent: seedId('collection product') },
    },
  ],
  ['a deleted team', { action: 'delete', things: [{ object: 'team', id: seedId('team writers') }] }],
])('with %s', async (_, question) => {
  const { people, unknown } = await readImpact(world.reading, question, { aspects: ['people'] });
  const email = 'chiara@acme.example';
  expect(people.map(({ person }) => person.email)).not.toContain(email);
  const roles = unknown.filter(({ kind }) => kind === 'role');
  expect(roles.length).toBeGreaterThan(0);
  for (const one of roles)
    expect(one).toMatchObject({
      ...{ id: seedId('user chiara'), title: email, space: expect.any(String) },
      error: {
        code: 'role_unknown',
        message: expect.stringMatching(/^Today's role in .* could not be read/),
      },
    });
});

it('with a removed member: who else owns their team', async () => {
  const [bruno, support] = [seedId('user bruno'), seedId('team support')];
  world.before = async (path) => {
    if (path.endsWith(`/teams/${support}/members`))
      throw new DocsError('server-error', 'http_500', 'The platform answered 500.');
  };
  const question: ImpactQuestion = { action: 'delete', things: [{ object: 'member', id: bruno }] };
  const { unknown } = await readImpact(world.reading, question, { aspects: ['dependents'] });
  expect(unknown).toMatchObject([{ kind: 'team-members', id: support, title: 'Support' }]);
});
