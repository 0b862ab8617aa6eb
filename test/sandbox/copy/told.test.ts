import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization } from '../../../src/api/resources/orgs.js';
import type { Space } from '../../../src/api/resources/spaces.js';
import { putOrganization } from '../../../src/sandbox/copy/organization.js';
import { putSpace } from '../../../src/sandbox/copy/spaces.js';
import { toldJson, withTold } from '../../../src/sandbox/records/fields.js';
import { orgById, spaceById } from '../../../src/sandbox/records/in-path.js';
import { toOrg } from '../../../src/sandbox/records/org.js';
import { toSpace } from '../../../src/sandbox/records/space.js';
import { openStore, type Store } from '../../../src/sandbox/store/store.js';

/** What the platform told and the tables do not give: a copy answers it, until it is changed there. */

let store: Store;
beforeAll(async () => {
  store = await openStore(':memory:', { now: Date.now });
});
afterAll(() => store.db.close());

test('an organization with values that the sandbox does not know', () => {
  const { db } = store;
  const told = {
    title: 'Real',
    id: 'o1',
    object: 'organization',
    createdAt: '2024-02-03T04:05:06Z',
    emailDomains: [],
    type: 'cooperative',
    plan: 'gold_2031',
    inviteLinks: true,
    seats: { used: 3, most: null },
    urls: { app: 'https://app.real.example/o/o1', logo: 'https://img.real.example/1.png' },
  } as unknown as Organization;
  db.write(() => putOrganization(db, told));
  const shown = () => {
    const row = orgById(db, 'o1');
    const { permissions: _, ...rest } = row === undefined ? {} : toOrg(row, 'admin');
    return rest;
  };
  expect(JSON.stringify(shown())).toBe(JSON.stringify(told));
  db.write(() => db.run("UPDATE organizations SET logo = 'https://x.example/2.png' WHERE id = 'o1'"));
  expect(shown()).toMatchObject({
    urls: { app: 'https://app.real.example/o/o1', logo: 'https://x.example/2.png' },
    seats: { used: 3, most: null },
  });
});

test('a count goes up and down with what the copy has, from what the platform told', () => {
  const { db } = store;
  const told = {
    ...{ object: 'space', id: 's1', title: 'S', emoji: '', visibility: 'private', organization: 'o1' },
    ...{ createdAt: '2024-02-03T04:05:06.000Z', updatedAt: '2024-02-03T04:05:06.000Z', revision: 'r1' },
    ...{ defaultLevel: 'inherit', parent: 'hidden', comments: 2, changeRequests: 12 },
    ...{ changeRequestsOpen: 0, changeRequestsDraft: 1, urls: {} },
  } as Space;
  db.write(() => putSpace(db, told));
  const shown = () => {
    const row = spaceById(db, 's1');
    return row && toSpace(row, 'admin');
  };
  expect(shown()).toMatchObject({ changeRequests: 12, parent: 'hidden', defaultLevel: 'inherit', urls: {} });
  db.write(() => db.run("UPDATE spaces SET change_requests = 1 WHERE id = 's1'"));
  expect(shown()?.changeRequests).toBe(13);
});

test('nothing is kept if nothing differs, and permissions never are', () => {
  expect(toldJson({ a: 1, permissions: { view: true } }, { a: 1 })).toBeNull();
  expect(withTold({ a: 1, permissions: { view: true } }, toldJson({ a: 1 }, { a: 3 }))).toEqual({
    ...{ a: 3, permissions: { view: true } },
  });
});
