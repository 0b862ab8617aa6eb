import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { answerOf, type CopyWorld, openPlatform, openWorld, type SharedPlatform } from './world.js';

type Change = [method: string, path: string, body?: unknown];
type Json = Record<string, string>;

/** Both texts from shortly before where they differ. */
function difference(wanted: string, got: string): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 120), at + 160);
  return `  real: …${part(wanted)}\n  copy: …${part(got)}`;
}

/** What a copy does not know after a change, with why; `gaps` and the guide say so. */
const unlike: Record<string, RegExp> = {
  // The platform does not tell which grants come from a team: each is held as one to the person.
  'members of teams': /members\/\w+\/spaces/,
  'a team deleted': /members\/\w+\/spaces/,
  // The counts of spaces of members who were not read; what a search finds, and in which order.
  'titles of spaces and collections': /\/search/,
  'a space deleted': /\/members|\/search|\/links/,
  // Pages that are computed from a spec.
  'fields, invites, sign-in and translations': /\/content|\/links/,
  // The links of a page name the address of its space.
  sites: /\/links/,
  'a site deleted': /\/links/,
  // Comments that were not read do not become outdated; git ids and times of a revision are the copy's own.
  'a merge': /\/search|\/links|\/comments|\/content$/,
};

/**
 * A change in a copy that reads the platform as it is asked has the answer that the platform would give, and so
 * has every read after it. What is not read stays at the platform: the copy sends reads alone.
 * @param every of so many reads one is compared after each change; another after the next
 */
export function holdStories(every: number): void {
  let shared: SharedPlatform;
  let world: CopyWorld;
  beforeAll(async () => {
    shared = await openPlatform();
  });
  afterAll(() => shared.close());
  beforeEach(async () => {
    world = await openWorld(shared);
  });
  afterEach(() => world.close());

  const org = () => `/v1/orgs/${world.platform.organizationId}`;

  /** Items of a list of the platform. */
  async function list(path: string): Promise<Json[]> {
    const response = await world.platform.admin.send('GET', path);
    return ((await response.json()) as { items: Json[] }).items;
  }

  /** Sends changes to the copy and to a real organization that is the same, then compares them and reads. */
  async function compare(changes: readonly Change[], part: number, unlike?: RegExp): Promise<void> {
    const { real, inCopy } = world;
    const { seeded } = shared;
    const urls = shared.urls.filter((url, at) => at % every === part % every && unlike?.test(url) !== true);
    for (const [method, path, body] of changes) {
      const wanted = await answerOf(real.admin, method, path, seeded, body);
      const got = await answerOf(inCopy, method, path, seeded, body);
      expect(got, `${method} ${path}`).toBe(wanted);
    }
    const differing: string[] = [];
    for (const url of urls) {
      const wanted = await answerOf(real.admin, 'GET', url, seeded);
      const got = await answerOf(inCopy, 'GET', url, seeded);
      if (got !== wanted) differing.push(`${url}\n${difference(wanted, got)}`);
    }
    expect(differing.join('\n')).toBe('');
    expect(world.copy.reads().filter(({ method }) => method !== 'GET')).toEqual([]);
  }

  describe('a copy without changes', () => {
    it('answers reads as the platform does', () => compare([], 0));
  });

  const space = (name: string) => `/v1/spaces/${seedId(`space ${name}`)}`;
  const member = (name: string) => `${org()}/members/${seedId(`user ${name}`)}`;
  const team = (name: string) => `${org()}/teams/${seedId(`team ${name}`)}`;

  const stories: Record<string, () => Change[] | Promise<Change[]>> = {
    'a guest': () => [['PATCH', member('deniz'), { role: null }]],
    'someone removed': () => [['DELETE', member('deniz')]],
    'a new role, and what is refused': () => [
      ['PATCH', member('deniz'), { role: 'read' }],
      ['DELETE', member('ada')],
      ['DELETE', `${org()}/members/nobody`],
      ['PATCH', member('deniz'), { role: 'king' }],
      ['DELETE', '/v1/spaces/nowhere'],
    ],
    'members of teams': () => [
      ['PUT', `${team('writers')}/members/${seedId('user farah')}`, { role: 'owner' }],
      ['DELETE', `${team('writers')}/members/${seedId('user deniz')}`],
      ['PUT', `${team('support')}/members`, { add: ['deniz@acme.example'], memberships: {} }],
      ['PUT', `${org()}/teams`, { title: 'Newcomers', members: [seedId('user farah')] }],
      ['PATCH', team('support'), { title: 'Help' }],
    ],
    'a team deleted': () => [['DELETE', team('writers')]],
    'titles of spaces and collections': async () => {
      const [first] = await list(`${org()}/collections`);
      return [
        ['PATCH', space('guide'), { title: 'Handbook of the guide' }],
        ['PATCH', `/v1/collections/${first?.id}`, { title: 'Renamed' }],
        ['POST', `${org()}/collections`, { title: 'New', parent: first?.id }],
      ];
    },
    'a space deleted': () => [['DELETE', space('guide')]],
    'a collection deleted': async () => {
      const all = await list(`${org()}/collections`);
      return [
        ['DELETE', `/v1/collections/${all.find(({ parent }) => parent !== undefined)?.id ?? all[0]?.id}`],
      ];
    },
    'a space moved': async () => {
      const all = await list(`${org()}/collections`);
      return [['POST', `${space('guide')}/move`, { parent: all.at(-1)?.id }]];
    },
    'fields, invites, sign-in and translations': async () => {
      const [provider] = await list(`${org()}/saml`);
      const [field] = await list(`${org()}/custom-fields`);
      return [
        ['POST', `${org()}/custom-fields`, { name: field?.name, type: 'text' }],
        ['POST', `${org()}/custom-fields`, { name: 'fresh', type: 'text', title: 'Fresh' }],
        ['PATCH', `${space('welcome')}/custom-fields`, { values: { fresh: { value: 'yes' } } }],
        ['DELETE', `${org()}/custom-fields/${field?.name}`],
        ['PATCH', `${org()}/saml/${provider?.id}`, { label: 'Everyone' }],
        ['POST', `${org()}/saml`, { label: 'More', defaultTeam: seedId('team support') }],
        ['PATCH', `${org()}/link-invites/${seedId('invite readers')}`, { role: 'comment' }],
        ['DELETE', `${org()}/link-invites/${seedId('invite editors')}`],
        ['PUT', `${org()}/translations/${seedId('translation product docs')}`, { title: 'Renamed' }],
        ['PATCH', org(), { title: 'Acme & Co' }],
        ['DELETE', `${org()}/openapi/public-api`],
      ];
    },
    sites: async () => {
      const [site] = await list(`${org()}/sites`);
      const [siteSpace] = await list(`${org()}/sites/${site?.id}/site-spaces`);
      return [
        ['PATCH', `${org()}/sites/${site?.id}`, { title: 'Renamed', basename: 'fresh' }],
        ['PATCH', `${org()}/sites/${site?.id}/site-spaces/${siteSpace?.id}`, { path: 'elsewhere' }],
        ['POST', `${org()}/sites`, { title: 'Second', spaces: [seedId('space welcome')] }],
      ];
    },
    'a site deleted': async () => [['DELETE', `${org()}/sites/${(await list(`${org()}/sites`))[0]?.id}`]],
    'comments and change requests': async () => {
      const [request] = await list(`${space('welcome')}/change-requests`);
      const all = await list(`${space('welcome')}/comments`);
      const [first, second] = all;
      return [
        ['POST', `${space('welcome')}/comments`, { body: { markdown: 'Well done' } }],
        ['PUT', `${space('welcome')}/comments/${first?.id}`, { resolved: true }],
        ['POST', `${space('welcome')}/comments/${first?.id}/replies`, { body: { markdown: 'Thanks' } }],
        ['DELETE', `${space('welcome')}/comments/${second?.id}`],
        ['POST', `${space('welcome')}/change-requests`, { subject: 'Mine' }],
        ['PATCH', `${space('welcome')}/change-requests/${request?.id}`, { subject: 'Renamed' }],
        ['POST', `${space('welcome')}/change-requests/${request?.id}/comments`, { body: { markdown: 'Hm' } }],
      ];
    },
    'a merge': async () => {
      const all = await list(`${space('welcome')}/change-requests`);
      return all.map(({ id }): Change => ['POST', `${space('welcome')}/change-requests/${id}/merge`]);
    },
  };

  describe('after a change in a copy, every answer is that of the changed organization', () => {
    it.each(Object.keys(stories).map((name, at) => [name, at] as const))('%s', async (name, at) =>
      compare((await stories[name]?.()) ?? [], at, unlike[name]),
    );
  });
}
