import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listChangeRequestComments, listComments } from '../../../src/api/resources/comments.js';
import { listSpaceFields } from '../../../src/api/resources/custom-fields.js';
import { linkMemberSso, listMembers } from '../../../src/api/resources/members.js';
import { listSamlProviders } from '../../../src/api/resources/saml.js';
import { seedId } from '../../sandbox/client.js';
import { accessWorldOfFile, org, person, space } from '../access-world.js';

/** What goes with what an organization defines: what a person reads, and that it is so afterwards. */

const world = await accessWorldOfFile();
const { admin } = world.sandbox;
const home = mkdtempSync(join(tmpdir(), 'docs-impact-'));
const path = { organizationId: org };
const [guide, welcome] = [space('guide'), space('welcome')];
beforeAll(() => admin.ok(linkMemberSso, { path: { ...path, userId: person('bruno') } }));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const docs = (...words: string[]) => world.docs(words, { home });

const fieldsOf = async (spaceId: string) => {
  const entries = await admin.ok(listSpaceFields, { path: { spaceId } });
  return entries.flatMap(({ customField, value }) => (value === undefined ? [] : [customField.name]));
};
const firstComment = async () => {
  const all = await admin.all(listComments, { path: { spaceId: welcome } });
  return all.find(({ replies }) => replies === 2)?.id ?? '';
};

const request = seedId(`change request ${welcome} 3`);
const commentOfRequest = async () => {
  const path = { spaceId: welcome, changeRequestId: request };
  const all = await admin.all(listChangeRequestComments, { path });
  return all.find(({ replies }) => replies === 1)?.id ?? '';
};

interface Case {
  kind: string;
  /** In the report. */
  name: string;
  /** Arguments of the deletion. */
  id: () => Promise<string>;
  /** Flags that place it. */
  flags?: readonly string[];
  /** The group that deletes it, where it is not the kind with an s. */
  group: string;
  /** What a person reads. */
  says: readonly string[];
  /** What holds before the deletion, and what after it. */
  holds?: () => Promise<unknown>;
  before?: unknown;
  after?: unknown;
}

const cases: readonly Case[] = [
  {
    ...{ name: 'a custom field', kind: 'custom-field', group: 'custom-fields', id: async () => 'audience' },
    says: ['Deleting custom field Audience (audience)', 'field-value', 'Its value of Audience goes.'],
    holds: () => fieldsOf(guide),
    ...{ before: ['audience', 'topics'], after: ['topics'] },
  },
  {
    ...{ name: 'an OpenAPI spec', kind: 'openapi', group: 'openapi', id: async () => 'public-api' },
    says: ['Deleting OpenAPI spec public-api', 'is made from public-api.', 'its versions are'],
  },
  {
    ...{ name: 'the last SAML provider', kind: 'saml', group: 'saml', id: async () => seedId('saml staff') },
    says: [
      'Deleting SAML provider Acme Staff',
      '1 member may sign in with it',
      'No other provider is left.',
      'the provider is recreated with a new id',
    ],
    holds: async () => (await admin.all(listSamlProviders, { path })).length,
    ...{ before: 1, after: 0 },
  },
  {
    ...{
      name: 'translation settings',
      kind: 'translation',
      group: 'translations',
      id: async () => seedId('translation product docs'),
    },
    says: [
      'Deleting translation Product docs',
      'Undoing the deletion is best effort: the settings are recreated',
    ],
  },
  {
    ...{ name: 'an invite', kind: 'invite', group: 'invites', id: async () => seedId('invite readers') },
    says: [
      'No one can join with the role read through this link any more.',
      'the platform cannot create an invite link',
    ],
    holds: async () => (await admin.all(listMembers, { path })).length,
    ...{ before: 7, after: 7 },
  },
  {
    ...{
      name: 'a comment',
      kind: 'comment',
      group: 'comments',
      id: firstComment,
      flags: ['--space', welcome],
    },
    says: ['2 replies to it go with it.'],
    holds: async () => (await admin.all(listComments, { path: { spaceId: welcome } })).length,
    ...{ before: 3, after: 2 },
  },
  {
    ...{ kind: 'comment', group: 'comments', id: commentOfRequest, name: 'a comment of a change request' },
    flags: ['--space', welcome, '--change-request', request],
    says: ['1 reply to it goes with it.'],
  },
];

test.each(cases)('$name', async ({ kind, group, id, flags = [], says, holds, before, after }) => {
  const own = await id();
  const told = await docs('impact', 'delete', kind, own, ...flags);
  expect(told.stderr).toMatch(/^Other previews: docs \S+ delete .*\n$/);
  expect(told.code).toBe(0);
  for (const words of says) expect(told.stdout).toContain(words);
  expect(await holds?.()).toEqual(before);
  expect((await docs(group, 'get', own, ...flags)).code).toBe(0);

  expect((await docs(group, 'delete', own, ...flags, '--yes')).code).toBe(0);
  expect((await docs(group, 'get', own, ...flags)).code).toBe(6);
  expect(await holds?.()).toEqual(after);
  // What is gone has no impact any more.
  expect((await docs('impact', 'delete', kind, own, ...flags)).code).toBe(6);
});
