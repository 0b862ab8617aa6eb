import { expect, it } from 'vitest';
import type { Method } from '../../src/api/operation.js';
import { updateMember } from '../../src/api/resources/members.js';
import { DocsError } from '../../src/base/errors.js';
import { requestFor } from '../../src/jobs/change.js';
import type { Reads, Resource } from '../../src/jobs/reads.js';
import { actorOf } from '../../src/policy/actor.js';
import { PolicyGate } from '../../src/policy/gate-of.js';
import { mapRequest } from '../../src/policy/mapping.js';
import { Surroundings } from '../../src/policy/surroundings.js';
import { fakeIo } from '../fake-io.js';
import { policyOf, table } from './world.js';

/** The gate by itself; what comes of it in commands is in gate-commands and gate-jobs. */

it('an approved job lets its own requests through, and none for anything else', async () => {
  const gate = new PolicyGate({
    io: fakeIo(),
    policies: [await policyOf('default: allow\nask: ["members update"]')],
    table: await table(),
    words: 'apply',
    named: async () => undefined,
    send: async () => {
      throw new Error('nothing is read for this policy');
    },
    actor: () => actorOf({ env: {} }),
    record: async () => undefined,
  });
  const role = { role: 'read' };
  const planned = { ...requestFor(updateMember, { organizationId: 'o1', userId: 'u1' }, role), id: 'u1' };
  await gate.job([planned], { approved: true });
  const patch = (user: string) =>
    gate.request({ method: 'PATCH', path: `/v1/orgs/o1/members/${user}`, body: role });
  await expect(patch('u1')).resolves.toBeUndefined();
  await expect(patch('u2')).rejects.toMatchObject({ code: 'policy_denied', kind: 'forbidden' });
});

/** What a platform answers, by operation; null for 404, a refusal for none. */
type Answers = Readonly<Record<string, Resource | Resource[] | null>>;

async function placeOf(lines: string, answers: Answers, requests: [Method, string, body?: unknown][]) {
  const read: string[] = [];
  const answer = async (id: string): Promise<Resource | Resource[] | null> => {
    read.push(id);
    if (id in answers) return answers[id] ?? null;
    throw new DocsError(id === 'sites.get' ? 'network' : 'forbidden', 'x', 'x');
  };
  const reads: Reads = {
    one: async ({ id }) => (await answer(id)) as Resource | null,
    all: async ({ id }) => (await answer(id)) as Resource[] | null,
  };
  const surroundings = new Surroundings([await policyOf(lines)], async () => reads);
  const places = [];
  for (const [method, path, body] of requests) {
    const found = mapRequest({ method, path, body });
    if ('unmapped' in found) throw new Error(found.unmapped);
    places.push(await surroundings.of(found));
  }
  return { read, places };
}

const space = (names: string[]) => ({ kind: 'space', names });

it('reads nothing where no policy asks', async () => {
  const { read, places } = await placeOf('', {}, [['DELETE', '/v1/spaces/s1']]);
  expect([read, places]).toEqual([[], [{ resources: [space(['s1'])] }]]);
});

it('takes the organization from the path, or reads it once', async () => {
  const requests: [Method, string][] = [
    ['GET', '/v1/orgs/o1/members'],
    ['GET', '/v1/spaces/s1'],
    ['PATCH', '/v1/spaces/s1'],
    ['GET', '/v1/spaces/s1/change-requests'],
    ['GET', '/v1/collections/c1'],
    ['GET', '/v1/orgs'],
  ];
  const answers = { 'spaces.get': { organization: 'o2' }, 'collections.get': null };
  const { read, places } = await placeOf('orgs: [o1]', answers, requests);
  expect(read).toEqual(['spaces.get', 'collections.get']);
  expect(places.map((place) => ('organization' in place ? place.organization : 'none'))).toEqual([
    'o1',
    'o2',
    'o2',
    'o2',
    null,
    'none',
  ]);
});

it('cannot tell the organization where its read is refused', async () => {
  const { places } = await placeOf('orgs: [o1]', {}, [['DELETE', '/v1/spaces/s1']]);
  expect(places).toMatchObject([{ organization: null }]);
});

it('reads titles of a kind that is protected, for changes alone', async () => {
  const answers = { 'spaces.get': { id: 's1', title: 'Handbook', visibility: 'private' } };
  const { read, places } = await placeOf('protect: ["space:Handbook"]', answers, [
    ['GET', '/v1/spaces/s1'],
    ['DELETE', '/v1/spaces/s1'],
    ['PATCH', '/v1/spaces/s1'],
  ]);
  expect(read).toEqual(['spaces.get']);
  expect(places[0]).toEqual({ resources: [space(['s1'])] });
  expect(places[1]?.resources?.[0]?.names).toContain('Handbook');
});

it('finds what only a list shows, and names members by email', async () => {
  const { places } = await placeOf(
    'protect: ["section:Guides", "member:ada@acme.example"]',
    {
      'sections.list': [{ id: 'x' }, { id: 'n1', title: 'Guides' }],
      'members.get': { id: 'u1', user: { displayName: 'Ada', email: 'ada@acme.example' } },
    },
    [
      ['DELETE', '/v1/orgs/o1/sites/w1/sections/n1'],
      ['DELETE', '/v1/orgs/o1/members/u1'],
    ],
  );
  expect(places[0]?.resources).toContainEqual({ kind: 'section', names: ['n1', 'Guides'] });
  expect(places[1]?.resources).toContainEqual({ kind: 'user', names: ['u1', 'Ada', 'ada@acme.example'] });
});

it('finds what a body names by its id, as a section that a group takes', async () => {
  const answers = { 'sections.list': [{ id: 'n1', title: 'Guides' }] };
  const site = '/v1/orgs/o1/sites/w1';
  const { places } = await placeOf('protect: ["section:Guides"]', answers, [
    ['POST', `${site}/section-groups/g1/sections`, { sectionId: 'n1' }],
    ['POST', `${site}/site-spaces`, { spaceId: 's1', sectionId: 'n1' }],
    ['POST', `${site}/site-spaces`, { spaceId: 's1' }],
  ]);
  const section = { kind: 'section', names: ['n1', 'Guides'] };
  expect(places.map(({ resources }) => resources?.filter(({ kind }) => kind === 'section'))).toEqual([
    [section],
    [section],
    [],
  ]);
});

it('reads what is in a change request there, not in the main content', async () => {
  const answers = {
    'change-request-comments.get': { id: 'c1', body: { markdown: 'In the change request' } },
    'comments.get': { id: 'c1', body: { markdown: 'In the space' } },
  };
  const { read, places } = await placeOf('protect: ["comment:In the change request"]', answers, [
    ['DELETE', '/v1/spaces/s1/change-requests/7/comments/c1'],
    ['DELETE', '/v1/spaces/s1/comments/c1'],
  ]);
  expect(read).toEqual(['change-request-comments.get', 'comments.get']);
  const names = places.map(({ resources }) => resources?.at(-1)?.names);
  expect(names).toEqual([
    ['c1', 'In the change request'],
    ['c1', 'In the space'],
  ]);
});

it('says that it cannot tell where a read is refused, and fails where the platform is out of reach', async () => {
  const refused = await placeOf('protect: ["space:x"]', {}, [['DELETE', '/v1/spaces/s1']]);
  expect(refused.places).toEqual([{ resources: [{ kind: 'space', names: ['s1'], untold: true }] }]);
  const gone = placeOf('protect: ["site:x"]', {}, [['DELETE', '/v1/orgs/o1/sites/w1']]);
  await expect(gone).rejects.toMatchObject({ kind: 'network' });
});
