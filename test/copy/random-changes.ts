import fc from 'fast-check';
import { expect } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { answerOf, type CopyWorld, openWorld, type SharedPlatform } from './world.js';

/** Random sequences of changes, sent to an organization and to a lazy copy of its equal. */

/** A thing by its id in both; those of the seed have the same in both. */
interface Thing {
  real: string;
  copy: string;
  /** Of what is in a space. */
  space?: Thing;
}
type Kind = 'space' | 'collection' | 'team' | 'member' | 'request' | 'comment' | 'reply';
type Things = Record<Kind, Thing[]>;

/** Picks by the numbers of a step. */
interface Choice {
  one(kind: Kind, at?: number): Thing;
  of<T>(at: number, choices: readonly T[]): T;
}
interface Change {
  method: string;
  /** With the ids of one of both. */
  at(id: (thing: Thing) => string): { path: string; body?: unknown };
  /** What it makes, to be used by later changes. */
  makes?: { kind: Kind; space?: Thing };
}

const roles = ['admin', 'create', 'edit', 'read', null];

const kinds: Readonly<Record<string, (pick: Choice, org: string) => Change>> = {
  role: (pick, org) => {
    const [who, role] = [pick.one('member'), pick.of(1, roles)];
    return { method: 'PATCH', at: (id) => ({ path: `${org}/members/${id(who)}`, body: { role } }) };
  },
  'remove a member': (pick, org) => {
    const who = pick.one('member');
    return { method: 'DELETE', at: (id) => ({ path: `${org}/members/${id(who)}` }) };
  },
  'make a team': (pick, org) => {
    const [who, title] = [pick.one('member'), `Team ${pick.of(1, ['a', 'b'])}`];
    const body = (id: (thing: Thing) => string) => ({ title, members: [id(who)] });
    return { method: 'PUT', at: (id) => ({ path: `${org}/teams`, body: body(id) }), makes: { kind: 'team' } };
  },
  'rename a team': (pick, org) => {
    const team = pick.one('team');
    return { method: 'PATCH', at: (id) => ({ path: `${org}/teams/${id(team)}`, body: { title: 'Other' } }) };
  },
  'delete a team': (pick, org) => {
    const team = pick.one('team');
    return { method: 'DELETE', at: (id) => ({ path: `${org}/teams/${id(team)}` }) };
  },
  'into a team': (pick, org) => {
    const [team, who, role] = [pick.one('team'), pick.one('member', 1), pick.of(2, ['member', 'owner'])];
    const path = (id: (thing: Thing) => string) => `${org}/teams/${id(team)}/members/${id(who)}`;
    return { method: 'PUT', at: (id) => ({ path: path(id), body: { role } }) };
  },
  'out of a team': (pick, org) => {
    const [team, who] = [pick.one('team'), pick.one('member', 1)];
    return { method: 'DELETE', at: (id) => ({ path: `${org}/teams/${id(team)}/members/${id(who)}` }) };
  },
  'rename a space': (pick) => {
    const [space, title] = [pick.one('space'), `Space ${pick.of(1, ['a', 'b', 'c'])}`];
    return { method: 'PATCH', at: (id) => ({ path: `/v1/spaces/${id(space)}`, body: { title } }) };
  },
  'delete a space': (pick) => {
    const space = pick.one('space');
    return { method: 'DELETE', at: (id) => ({ path: `/v1/spaces/${id(space)}` }) };
  },
  'restore a space': (pick) => {
    const space = pick.one('space');
    return { method: 'POST', at: (id) => ({ path: `/v1/spaces/${id(space)}/restore` }) };
  },
  'duplicate a space': (pick) => {
    const space = pick.one('space');
    const path = (id: (thing: Thing) => string) => `/v1/spaces/${id(space)}/duplicate`;
    return { method: 'POST', at: (id) => ({ path: path(id) }), makes: { kind: 'space' } };
  },
  'move a space': (pick) => {
    const [space, parent, top] = [pick.one('space'), pick.one('collection', 1), pick.of(2, [true, false])];
    const path = (id: (thing: Thing) => string) => `/v1/spaces/${id(space)}/move`;
    return { method: 'POST', at: (id) => ({ path: path(id), body: { parent: top ? null : id(parent) } }) };
  },
  'move a space before another': (pick) => {
    const [space, other] = [pick.one('space'), pick.one('space', 1)];
    const body = (id: (thing: Thing) => string) => ({
      position: { before: { type: 'space', space: id(other) } },
    });
    return { method: 'POST', at: (id) => ({ path: `/v1/spaces/${id(space)}/move`, body: body(id) }) };
  },
  'transfer a space': (pick) => {
    const space = pick.one('space');
    const body = { organization: seedId('org labs') };
    return { method: 'POST', at: (id) => ({ path: `/v1/spaces/${id(space)}/transfer`, body }) };
  },
  'make a collection': (pick, org) => {
    const parent = pick.one('collection');
    const body = (id: (thing: Thing) => string) => ({ title: 'New', parent: id(parent) });
    const makes = { kind: 'collection' } as const;
    return { method: 'POST', at: (id) => ({ path: `${org}/collections`, body: body(id) }), makes };
  },
  'move a collection': (pick) => {
    const [one, parent] = [pick.one('collection'), pick.one('collection', 1)];
    const body = (id: (thing: Thing) => string) => ({ parent: id(parent) });
    return { method: 'POST', at: (id) => ({ path: `/v1/collections/${id(one)}/move`, body: body(id) }) };
  },
  'delete a collection': (pick) => {
    const one = pick.one('collection');
    return { method: 'DELETE', at: (id) => ({ path: `/v1/collections/${id(one)}` }) };
  },
  'transfer a collection': (pick) => {
    const one = pick.one('collection');
    const body = { organization: seedId('org labs') };
    return { method: 'POST', at: (id) => ({ path: `/v1/collections/${id(one)}/transfer`, body }) };
  },
  'make a change request': (pick) => {
    const space = pick.one('space');
    const path = (id: (thing: Thing) => string) => `/v1/spaces/${id(space)}/change-requests`;
    const makes = { kind: 'request', space } as const;
    return { method: 'POST', at: (id) => ({ path: path(id), body: { subject: 'Mine' } }), makes };
  },
  'rename a change request': (pick) => onRequest(pick, 'PATCH', '', { subject: 'Renamed' }),
  'archive a change request': (pick) => onRequest(pick, 'PATCH', '', { status: 'archived' }),
  'pull a change request': (pick) => onRequest(pick, 'POST', '/update'),
  'merge a change request': (pick) => onRequest(pick, 'POST', '/merge'),
  'comment on a change request': (pick) => onRequest(pick, 'POST', '/comments', { body: { markdown: 'Hm' } }),
  comment: (pick) => {
    const space = pick.one('space');
    const body = { body: { markdown: 'Well' } };
    const path = (id: (thing: Thing) => string) => `/v1/spaces/${id(space)}/comments`;
    return { method: 'POST', at: (id) => ({ path: path(id), body }), makes: { kind: 'comment', space } };
  },
  'resolve a comment': (pick) => onComment(pick, 'PUT', '', { resolved: pick.of(2, [true, false]) }),
  'react to a comment': (pick) => onComment(pick, 'PUT', '', { addedReactions: '1f44d' }),
  'delete a comment': (pick) => onComment(pick, 'DELETE', ''),
  reply: (pick) => onComment(pick, 'POST', '/replies', { body: { markdown: 'Yes' } }),
};

function onRequest(pick: Choice, method: string, more: string, body?: unknown): Change {
  const one = pick.one('request');
  const path = (id: (thing: Thing) => string) =>
    `/v1/spaces/${id(one.space ?? one)}/change-requests/${id(one)}${more}`;
  return { method, at: (id) => ({ path: path(id), ...(body !== undefined && { body }) }) };
}

function onComment(pick: Choice, method: string, more: string, body?: unknown): Change {
  const one = pick.one('comment');
  const path = (id: (thing: Thing) => string) =>
    `/v1/spaces/${id(one.space ?? one)}/comments/${id(one)}${more}`;
  return { method, at: (id) => ({ path: path(id), ...(body !== undefined && { body }) }) };
}

const movesSpaces = /space|collection/;
/** How many spaces others see is not known after that. */
const uncounted = (text: string) => text.replaceAll(/"spaces":\d+/g, '');
/** The copy says more where a space is hidden, which may be a deleted one. */
const plain = (text: string) => text.replace(/ The platform shows nothing of deleted spaces.*?it\./, '');

/** What later reads of a copy may differ in, by what was changed before. */
const unlike: readonly { after: RegExp; urls: RegExp }[] = [
  { after: /team|member|role/, urls: /members\/\w+\/spaces/ },
  { after: movesSpaces, urls: /\/search|\/links/ },
  { after: /transfer/, urls: /\/content|\/comments|\/change-requests|\/custom-fields/ },
  { after: /merge|pull/, urls: /\/search|\/links|\/comments|\/content/ },
];

const step = fc.record({
  kind: fc.constantFrom(...Object.keys(kinds)),
  at: fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40)),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Sequences have the same answers from both, and the same reads after them. */
export async function holdChanges(shared: SharedPlatform, numRuns: number, seed: number): Promise<void> {
  const found = await thingsOf(shared);
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  // Half of them with all rights, the others mostly refused.
  const role = fc.constantFrom('admin', 'admin', 'admin', 'create', 'edit', 'read');
  const property = fc.asyncProperty(steps, fc.nat(10), role, async (sequence, part, whose) => {
    const world = await openWorld(shared, { role: whose, owned: true });
    try {
      await holds(shared, world, structuredClone(found), sequence, part);
    } finally {
      await world.close();
    }
  });
  const given = Number(process.env.DOCS_TEST_SEED ?? seed);
  const path = process.env.DOCS_TEST_PATH;
  await fc.assert(property, { numRuns, seed: given, ...(path !== undefined && { path }) });
}

async function holds(
  { seeded, urls, platform }: SharedPlatform,
  { inReal: inOrg, inCopy, copy }: CopyWorld,
  things: Things,
  sequence: readonly Step[],
  part: number,
): Promise<void> {
  const org = `/v1/orgs/${platform.organizationId}`;
  let done = '';
  for (const { kind, at } of sequence) {
    const change = kinds[kind]?.(pickBy(things, at), org);
    if (change === undefined) continue;
    const [inReal, its] = [change.at((thing) => thing.real), change.at((thing) => thing.copy)];
    const wanted = await send(inOrg, change.method, inReal, seeded);
    const got = await send(inCopy, change.method, its, seeded);
    const shown = movesSpaces.test(done) ? uncounted : (text: string) => text;
    expect(plain(shown(got.text)), `${kind}: ${change.method} ${inReal.path}`).toBe(shown(wanted.text));
    done += ` ${kind}`;
    const { makes } = change;
    if (makes && wanted.id && got.id)
      things[makes.kind].push({ real: wanted.id, copy: got.id, ...(makes.space && { space: makes.space }) });
  }
  const shown = movesSpaces.test(done) ? uncounted : (text: string) => text;
  const differing = unlike.filter(({ after }) => after.test(done));
  for (const [index, url] of urls.entries()) {
    if (index % 8 !== part % 8 || differing.some((one) => one.urls.test(url))) continue;
    const wanted = await answerOf(inOrg, 'GET', url, seeded);
    const got = await answerOf(inCopy, 'GET', url, seeded);
    expect(shown(got), `after${done}: ${url}`).toBe(shown(wanted));
  }
  expect(copy.reads().filter(({ method }) => method !== 'GET')).toEqual([]);
}

async function send(
  client: CopyWorld['inCopy'],
  method: string,
  { path, body }: ReturnType<Change['at']>,
  seeded: ReadonlySet<string>,
): Promise<{ text: string; id: string | undefined }> {
  let id: string | undefined;
  const noting: Pick<CopyWorld['inCopy'], 'send'> = {
    async send(...sent) {
      const response = await client.send(...sent);
      const told = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { id?: string };
      if (response.ok) id = told.id;
      return response;
    },
  };
  const text = await answerOf({ ...client, ...noting }, method, path, seeded, body);
  return { text, id };
}

function pickBy(things: Things, at: readonly number[]): Choice {
  const of = <T>(index: number, choices: readonly T[]): T => {
    const found = choices[(at[index] ?? 0) % choices.length];
    if (found === undefined) throw new Error('There is nothing to choose from.');
    return found;
  };
  return { of, one: (kind, index = 0) => of(index, things[kind]) };
}

/** What the seed has, in spaces one by one. */
async function thingsOf({ platform, urls }: SharedPlatform): Promise<Things> {
  const ids = (pattern: RegExp) =>
    [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].map((id) => ({ real: id, copy: id }));
  const inSpaces = (kind: string) => {
    const pattern = new RegExp(`^/v1/spaces/(\\w+)/${kind}/(\\w+)$`);
    return urls.flatMap((url) => {
      const [, space = '', id = ''] = pattern.exec(url) ?? [];
      return id === '' ? [] : [{ real: id, copy: id, space: { real: space, copy: space } }];
    });
  };
  const org = `^/v1/orgs/${platform.organizationId}`;
  return {
    space: ids(/^\/v1\/spaces\/(\w+)$/),
    collection: ids(/^\/v1\/collections\/(\w+)$/),
    team: ids(new RegExp(`${org}/teams/(\\w+)$`)),
    member: ids(new RegExp(`${org}/members/(\\w+)$`)),
    request: inSpaces('change-requests'),
    comment: inSpaces('comments'),
    reply: [],
  };
}
