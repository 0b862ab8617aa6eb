import { describe, expect, it } from 'vitest';
import { askedOf, questionsOf, type Request } from '../../../src/access/impact/impact.js';
import { operations } from '../../../src/api/resources/index.js';

/** Which impact is asked about before a request is sent. */

/** Deletions, moves and transfers without an impact, each with its reason. */
const without: Readonly<Record<string, string>> = {
  'team-members.delete': 'docs access what-if --remove-team tells who loses what',
  'section-groups.remove': 'the section stays on the site, at its address',
  'sections.move': 'changes an order',
  'section-groups.move': 'changes an order',
  'site-spaces.move': 'changes an order',
};

const changing = operations.filter(
  ({ method, path }) => method === 'DELETE' || /\/(?:move|transfer)$/.test(path),
);

describe('what an operation does', () => {
  it.each(changing.map((op) => [op.id, op] as const))('%s is asked about, or has no impact', (id, op) => {
    expect(askedOf(op) === undefined).toBe(id in without);
  });

  it('is told by its method and path, and what it does it to by what is read there', () => {
    const told = operations.flatMap((op) => {
      const asked = askedOf(op);
      return asked === undefined ? [] : [[op.id, asked.action, asked.object].join(' ')];
    });
    expect(told).toEqual(
      expect.arrayContaining([
        'spaces.delete delete space',
        'saml.delete delete saml-provider',
        'sections.update rename site-section',
        'site-spaces.update rename site-space',
        'sites.update rename site',
        'orgs.update rename organization',
        'spaces.move move space',
        'change-request-comments.delete delete comment',
      ]),
    );
    // A title is in no address.
    expect(told.join()).not.toMatch(/(?:^|,)(?:spaces|teams|collections)\.update/);
  });
});

function request(id: string, path: Record<string, unknown>, body?: unknown): Request {
  const op = operations.find((one) => one.id === id);
  if (op === undefined) throw new Error(id);
  return { op, input: { path, body } as Request['input'] };
}

describe('questions', () => {
  it('are one for each action and target, over all things', () => {
    const { questions, open } = questionsOf([
      request('spaces.delete', { spaceId: 's1' }),
      request('spaces.delete', { spaceId: 's2' }),
      request('spaces.delete', { spaceId: 's1' }),
      request('sections.delete', { organizationId: 'o1', siteId: 'w1', siteSectionId: 'n1' }),
      request('spaces.move', { spaceId: 's3' }, { parent: 'c1' }),
      request('spaces.move', { spaceId: 's4' }, { parent: null }),
      request('teams.update', { organizationId: 'o1', teamId: 't1' }, { title: 'Writers' }),
    ]);
    expect(open).toBe(0);
    expect(questions).toEqual([
      {
        action: 'delete',
        things: [
          { object: 'space', id: 's1' },
          { object: 'space', id: 's2' },
          { object: 'site-section', id: 'n1', within: { siteId: 'w1' } },
        ],
      },
      { action: 'move', to: { parent: 'c1' }, things: [{ object: 'space', id: 's3' }] },
      { action: 'move', to: { parent: null }, things: [{ object: 'space', id: 's4' }] },
    ]);
  });

  it('tell which names earlier requests free, for those that take them', () => {
    const within = { organizationId: 'o1', siteId: 'w1' };
    const rename = (siteSectionId: string, path: string) =>
      request('sections.update', { ...within, siteSectionId }, { path });
    const { questions } = questionsOf([
      rename('a', 'b-tmp'),
      rename('b', 'old-a'),
      request('sections.delete', { ...within, siteSectionId: 'c' }),
      rename('a', 'old-b'),
    ]);
    const freed = questions.flatMap(({ to, freed: names }) => [[to?.path, [...(names ?? [])]]]);
    expect(freed).toEqual([
      ['b-tmp', []],
      ['old-a', ['path a']],
      [undefined, []],
      ['old-b', ['path a', 'path b', 'path c', 'basename c', 'hostname c', 'proxy c']],
    ]);
  });

  it('are none for an order, for other fields, and for what an earlier request makes', () => {
    const made = { $from: 'o1', path: 'id' };
    const { questions, open } = questionsOf([
      request('spaces.move', { spaceId: 's1' }, { position: { before: { type: 'space', space: 's2' } } }),
      request('sites.update', { organizationId: 'o1', siteId: 'w1' }, { title: 'Docs' }),
      request('site-spaces.update', { organizationId: 'o1', siteId: 'w1', siteSpaceId: made }, { path: 'x' }),
      request('spaces.move', { spaceId: 's2' }, { parent: made }),
    ]);
    expect(questions).toEqual([]);
    expect(open).toBe(1);
  });
});
