import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeRequest } from '../../../src/api/resources/change-requests.js';
import type { ContentPage } from '../../../src/api/resources/content.js';
import type { Space } from '../../../src/api/resources/spaces.js';
import { type PageNode, revisionOf } from '../../../src/sandbox/content/revisions.js';
import { markdownOf } from '../../../src/sandbox/content/versions.js';
import { type CopiedContent, type CopiedRevision, putContent } from '../../../src/sandbox/copy/content.js';
import { putChangeRequest } from '../../../src/sandbox/copy/discussions.js';
import { putSpace } from '../../../src/sandbox/copy/spaces.js';
import { spaceById } from '../../../src/sandbox/records/in-path.js';
import { findDefaults } from '../../../src/sandbox/server/tokens.js';
import { fillFrom } from '../../../src/sandbox/store/fill.js';
import { openStore, type Store } from '../../../src/sandbox/store/store.js';

/** What an outdated change request is assumed to be based on: nobody tells, and merging needs it. */

const [before, since, after] = ['2026-01-01', '2026-01-02', '2026-01-03'].map(
  (day) => `${day}T00:00:00.000Z`,
);

let store: Store;
beforeAll(async () => {
  store = await openStore(':memory:', { now: Date.now });
  await fillFrom(store.db, 'tiny', { now: Date.now });
});
afterAll(() => store.db.close());

/** A page as one side has it: its text, and whether it was made or changed after the change request was. */
interface Page {
  text: string;
  made?: 'since';
  changed?: 'since';
}
type Pages = Readonly<Record<string, Page>>;

let count = 0;

/** The texts of the assumed base by page; undefined for a version that neither side has. */
function baseOf(main: Pages, change: Pages, outdated = true): Record<string, string> {
  count += 1;
  const { db } = store;
  const spaceId = `base${count}`;
  const request = {
    ...{ object: 'change-request', id: `request${count}`, number: 1, status: 'open', subject: 'Typos' },
    ...{ createdAt: since, updatedAt: since, revision: `theirs${count}`, revisionInitial: `base-of${count}` },
    ...{ outdated, comments: 0, urls: {} },
  } as unknown as ChangeRequest;
  db.write(() => {
    putSpace(db, spaceOf(spaceId));
    putContent(db, spaceId, contentOf(`ours${count}`, main));
    putChangeRequest(db, spaceId, request, contentOf(`theirs${count}`, change));
  });
  const space = spaceById(db, spaceId);
  if (space === undefined) throw new Error('The space is there.');
  const { pages } = revisionOf(db, space, `base-of${count}`);
  const text = ({ id, version }: PageNode) => [id, version === 0 ? 'neither' : markdownOf(db, version)];
  return Object.fromEntries(pages.map(text));
}

function contentOf(id: string, pages: Pages): CopiedContent {
  const shown = Object.entries(pages).map(([page, { text, made, changed }]) => ({
    ...{
      id: page,
      title: page,
      slug: page,
      path: page,
      type: 'document',
      kind: 'sheet',
      documentId: `${text}-${page}`,
    },
    createdAt: made === 'since' ? after : before,
    updatedAt: made === 'since' || changed === 'since' ? after : before,
  }));
  const revision = {
    ...{ object: 'revision', id, parents: [], createdAt: before, files: [], urls: {} },
    pages: shown as unknown as ContentPage[],
  } as unknown as CopiedRevision;
  const texts = Object.entries(pages).map(
    ([page, { text }]) => [page, { markdown: `# ${page}\n\n${text}` }] as const,
  );
  return { revision, texts: new Map(texts), bytes: new Map() };
}

function spaceOf(id: string): Space {
  return {
    ...{
      object: 'space',
      id,
      title: id,
      emoji: '',
      visibility: 'private',
      organization: findDefaults(store.db).org,
    },
    ...{
      createdAt: before,
      updatedAt: before,
      revision: `ours${count}`,
      defaultLevel: 'inherit',
      comments: 0,
    },
    ...{ changeRequests: 1, changeRequestsOpen: 1, changeRequestsDraft: 0, editMode: 'live', urls: {} },
  } as unknown as Space;
}

describe('of a page that differs', () => {
  const [ours, theirs] = [{ text: 'ours' }, { text: 'theirs' }];
  const changed = { changed: 'since' } as const;

  test.each([
    { who: 'neither was changed since: the change request did', main: ours, change: theirs, base: 'ours' },
    { who: 'that of the space was', main: { ...ours, ...changed }, change: theirs, base: 'theirs' },
    { who: 'that of the change request was', main: ours, change: { ...theirs, ...changed }, base: 'ours' },
    {
      ...{ who: 'both were, which conflicts', base: 'neither' },
      ...{ main: { ...ours, ...changed }, change: { ...theirs, ...changed } },
    },
  ])('$who', ({ main, change, base }) => {
    expect(baseOf({ p: main }, { p: change })).toEqual({ p: base });
  });
});

test('of a page that was changed alike on both sides, it is that page', () => {
  const same = { p: { text: 'same', changed: 'since' } } as const;
  expect(baseOf(same, same)).toEqual({ p: 'same' });
});

describe('of a page on one side alone', () => {
  const page = { text: 'alone' };
  const made = { ...page, made: 'since' } as const;

  test.each<{
    what: string;
    main: Readonly<Record<string, Page>>;
    change: Readonly<Record<string, Page>>;
    base: object;
  }>([
    { what: 'in the space, made since: added there', main: { p: made }, change: {}, base: {} },
    {
      what: 'in the space, older: the change request removed it',
      main: { p: page },
      change: {},
      base: { p: 'alone' },
    },
    { what: 'in the change request, made since: added there', main: {}, change: { p: made }, base: {} },
    {
      what: 'in the change request, older: the space removed it',
      main: {},
      change: { p: page },
      base: { p: 'alone' },
    },
  ])('$what', ({ main, change, base }) => {
    expect(baseOf(main, change)).toEqual(base);
  });
});

test('a change request that is not outdated is based on what its space has', () => {
  const main = { p: { text: 'ours', changed: 'since' }, q: { text: 'new', made: 'since' } } as const;
  expect(baseOf(main, { p: { text: 'theirs' } }, false)).toEqual({ p: 'ours', q: 'new' });
});
