import { describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { createChangeRequest, listChangeRequests } from '../../src/api/resources/change-requests.js';
import { createCollection } from '../../src/api/resources/collections.js';
import {
  createChangeRequestComment,
  createComment,
  createCommentReply,
  listComments,
} from '../../src/api/resources/comments.js';
import { createCustomField } from '../../src/api/resources/custom-fields.js';
import { operations } from '../../src/api/resources/index.js';
import { createOpenApiSpec } from '../../src/api/resources/openapi.js';
import { createSamlProvider } from '../../src/api/resources/saml.js';
import { createSection, createSectionGroup } from '../../src/api/resources/sections.js';
import { createSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { duplicateSpace, getSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { createTeam } from '../../src/api/resources/teams.js';
import { createTranslation } from '../../src/api/resources/translations.js';
import { Creations, idsOf, traceOf } from '../../src/jobs/creations.js';
import { type JobItem, jobItem } from '../../src/jobs/journal.js';
import { filled, type Made } from '../../src/jobs/made.js';
import { readsOf } from '../../src/jobs/reads.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { idsOf as idsInList, openJobWorld } from './job-world.js';

/** Each kind of creation, its answer lost: found in its list, with what was there before known. */

const world = eachTest(openJobWorld);

const inOrg = { organizationId: seedId('org acme') };
const inSite = { ...inOrg, siteId: seedId('site docs') };
const inSpace = { spaceId: seedId('space welcome') };
const spaceId = seedId('space guide');

async function first(op: AnyOperation, path: Record<string, string>): Promise<string> {
  const [id] = await idsInList(world, op, path);
  if (id === undefined) throw new Error(`nothing in ${op.id}`);
  return id;
}

/** A comment, a change request: what a creation is made in. */
const parents = {
  comment: async () => ({ ...inSpace, commentId: await first(listComments, inSpace) }),
  changeRequest: async () => ({ ...inSpace, changeRequestId: await first(listChangeRequests, inSpace) }),
};

type Make = () => LooseInput | Promise<LooseInput>;
const creations: [AnyOperation, Make][] = [
  [createTeam, () => ({ path: inOrg, body: { title: 'New  team ', members: [seedId('user bruno')] } })],
  [createSamlProvider, () => ({ path: inOrg, body: { label: 'Okta', ssoURL: 'https://sso.example/1' } })],
  [createTranslation, () => ({ path: inOrg, body: { title: 'New' } })],
  [createCustomField, () => ({ path: inOrg, body: { name: 'new', type: 'text', title: 'New' } })],
  [createOpenApiSpec, () => ({ path: inOrg, body: { slug: 'new', source: { text: '{}' } } })],
  [createCollection, () => ({ path: inOrg, body: { title: 'New', parent: seedId('collection product') } })],
  [createSite, () => ({ path: inOrg, body: { title: 'New', spaces: [spaceId] } })],
  [createSection, () => ({ path: inSite, body: { spaceId: seedId('space board') } })],
  [createSectionGroup, () => ({ path: inSite, body: { title: 'New' } })],
  [createSiteSpace, () => ({ path: inSite, body: { spaceId: seedId('space board') } })],
  [createChangeRequest, () => ({ path: inSpace, body: { subject: 'New' } })],
  [createComment, () => ({ path: inSpace, body: { body: { markdown: 'A *new* one' } } })],
  [createCommentReply, async () => ({ path: await parents.comment(), body: { body: { markdown: 'Yes' } } })],
  [
    createChangeRequestComment,
    async () => ({ path: await parents.changeRequest(), body: { body: { markdown: 'Yes' } } }),
  ],
  [duplicateSpace, () => ({ path: { spaceId } })],
];

/** An item that was sent without an answer. */
function lost(op: AnyOperation, input: LooseInput, item: number, known?: string[]): JobItem {
  const at = new Date(world.io.now()).toISOString();
  const started = { at, ...(known !== undefined && { known }) };
  const planned = jobItem({ op, input, id: '' }, item);
  return { ...planned, state: 'unknown', sent: true, started };
}

function open(records: readonly JobItem[], claimed: ReadonlySet<string> = new Set(), made: Made = new Map()) {
  return new Creations({
    ...{ reads: readsOf(world.client), steps: () => records, claimed, rules: allRules },
    ...{ clockDifferenceMs: () => undefined, filled: (plan) => filled(plan, made) },
  });
}

async function settled(records: readonly JobItem[], claimed?: ReadonlySet<string>) {
  const creations = open(records, claimed);
  return Promise.all(records.map((record) => creations.settle(record)));
}

const known = (op: AnyOperation, input: LooseInput) => open([]).known(op, input);

it.each(creations)('$id: found, and what was there before it is not', async (op, make) => {
  const input = await make();
  const before = await known(op, input);
  const partial = traceOf(op, allRules)?.partial;
  const nothing = (await settled([lost(op, input, 0, before)]))[0]?.is;
  expect(nothing).toBe(partial ? 'unknown' : 'not-done');

  const { results } = await world.run(op, [input]);
  expect(results[0]?.failure?.message ?? results[0]?.status).toBe('ok');
  const [found] = await settled([lost(op, input, 0, before)]);
  expect(found).toMatchObject({ is: 'done' });
  const [id] = idsOf(results[0]?.answer);
  expect(idsOf(found?.is === 'done' ? found.answer : {})[0]).toBe(id);

  const after = await known(op, input);
  expect(after).toContain(id);
  const [old] = await settled([lost(op, input, 0, after)]);
  expect(old?.is).toBe(partial ? 'unknown' : 'not-done');
  const [claimed] = await settled([lost(op, input, 0, before)], new Set([id ?? '']));
  expect(claimed?.is).toBe(partial ? 'unknown' : 'not-done');
});

it('are all there are', () => {
  const traced = operations.filter((op) => op.method !== 'GET' && traceOf(op, allRules) !== undefined);
  // Replies to comments on change requests are made as those of spaces are.
  const tried = [...creations.map(([{ id }]) => id), 'change-request-comment-replies.create'];
  expect(traced.map(({ id }) => id).sort()).toEqual(tried.sort());
  const creating = Object.entries(allRules.all()).filter(([, rule]) => rule.creates);
  expect(creating.map(([id]) => id).filter((id) => !tried.includes(id))).toEqual([]);
});

it('finds a change request that somebody opened meanwhile', async () => {
  const input = { path: inSpace, body: { subject: 'New' } };
  const before = await known(createChangeRequest, input);
  const { results } = await world.run(createChangeRequest, [input]);
  const [id = ''] = idsOf(results[0]?.answer);
  const { updateChangeRequest } = await import('../../src/api/resources/change-requests.js');
  await world.run(updateChangeRequest, [
    { path: { ...inSpace, changeRequestId: id }, body: { status: 'open' } },
  ]);
  expect(await settled([lost(createChangeRequest, input, 0, before)])).toMatchObject([{ is: 'done' }]);
});

it('finds what was sent with the id of what an earlier item made', async () => {
  const team = seedId('team support');
  const body = { label: 'Okta', ssoURL: 'https://sso.example/1' };
  const { results } = await world.run(createSamlProvider, [
    { path: inOrg, body: { ...body, defaultTeam: team } },
  ]);
  const defaultTeam = { $from: 'o1', path: 'id' };
  const record = lost(createSamlProvider, { path: inOrg, body: { ...body, defaultTeam } }, 1, []);
  const taking = { ...record, change: { ...record.change, operation: 'o2' } };
  const made = new Map([['o1', { id: team }]]);
  const creations = open([taking], new Set(), made);
  const found = await creations.settle(taking);
  expect(found).toMatchObject({ is: 'done', answer: { id: idsOf(results[0]?.answer)[0] } });
});

describe('the top level of an organization', () => {
  const input = { path: inSpace };
  /** Sent just now, as the clock of the platform has it. */
  const sent = async (): Promise<JobItem> => {
    const record = lost(duplicateSpace, input, 0);
    await world.client.call(getSpace, { path: inSpace });
    const platformAt = new Date(world.client.platformNowMs ?? 0).toISOString();
    return { ...record, started: { at: platformAt, platformAt } };
  };
  const copied = async (): Promise<string> => {
    const { results } = await world.run(duplicateSpace, [input]);
    return idsOf(results[0]?.answer)[0] ?? '';
  };

  it('shows a copy of a space in the lists of administrators, which are not read before it', async () => {
    expect(await known(duplicateSpace, input)).toBeUndefined();
    const record = await sent();
    expect(await settled([record])).toMatchObject([{ is: 'unknown' }]);
    const id = await copied();
    expect(await settled([record])).toMatchObject([{ is: 'done', answer: { id } }]);
  });

  it('leaves open which of two new copies it is, and takes no space with another title', async () => {
    const record = await sent();
    const [one, other] = [await copied(), await copied()];
    const [found] = await settled([record]);
    expect(found).toMatchObject({ is: 'unknown', candidates: expect.arrayContaining([one, other]) });
    const path = { spaceId: other };
    await world.client.call(updateSpace, { path, body: { title: 'Welcome, guests' } });
    expect(await settled([record])).toMatchObject([{ is: 'done', answer: { id: one } }]);
  });
});
