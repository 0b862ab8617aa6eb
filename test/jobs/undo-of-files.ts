import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isMap, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { exportState } from '../../src/sandbox/store/export.js';
import { openFilled } from '../../src/sandbox/store/fill.js';
import { Files, snapshot } from '../organization/generated/files.js';
import { folderOf } from '../organization/generated/steps.js';
import { World } from '../organization/generated/world.js';
import type { Client } from '../sandbox/client.js';

/** The undo of an apply of exact operations: the platform and the lock are as before, for every kind. */

/** The state of a seed, and the id of its organization Acme Docs. */
async function seeded(seed: string): Promise<{ state: string; org: string }> {
  const store = await openFilled(':memory:', seed, { now: Date.now });
  const state = exportState(store.db);
  store.db.close();
  const { tables } = JSON.parse(state) as { tables: { organizations: { id: string; title: string }[] } };
  const org = tables.organizations.find(({ title }) => title === 'Acme Docs');
  return { state, org: org?.id ?? '' };
}

/** Without times, numbers of positions, the counter of ids and what the platform logs. */
function plain(state: string): unknown {
  const passing = /^(position|(.*_)?(updated|edited)_at)$/;
  const { tables } = JSON.parse(state) as { tables: Record<string, Record<string, unknown>[]> };
  const names = Object.keys(tables).filter((name) => !['state', 'request_log', 'tokens'].includes(name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      // Places are compared by their order.
      [...(tables[name] ?? [])]
        .sort(byPosition)
        .map((row) => Object.fromEntries(Object.entries(row).filter(([field]) => !passing.test(field)))),
    ]),
  );
}

/** Rows with a place, among those in the same place: all ids but their own tell it. */
function byPosition(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const key = (row: Record<string, unknown>) =>
    JSON.stringify([
      Object.entries(row).filter(([field]) => /^(site|group|section|parent|org)_id$/.test(field)),
      row.position ?? '',
      row.id ?? '',
    ]);
  return key(a) < key(b) ? -1 : 1;
}

type Edit = (files: Files) => void;

const items = (list: YAMLSeq): YAMLMap[] => list.items.filter((item) => isMap(item));
const add =
  (file: string, key: string, item: object): Edit =>
  (files) =>
    files.list(file, key).add(files.document(file).createNode(item));
/** Sets a field of the first item of a list. */
const set =
  (file: string, key: string, field: string, value: unknown): Edit =>
  (files) => {
    items(files.list(file, key))
      .find((item) => item.has(field))
      ?.set(field, value);
  };

/** The maps and lists in a file. */
function nodesIn(node: unknown): (YAMLMap | YAMLSeq)[] {
  if (isSeq(node)) return [node, ...node.items.flatMap(nodesIn)];
  if (isMap(node)) return [node, ...node.items.flatMap(({ value }) => nodesIn(value))];
  return [];
}

/** The first item with a marker in the sites, or in the library. */
function first(files: Files, marker: string, field: string, among = files.sites): YAMLMap | undefined {
  const all = among.flatMap((file) => nodesIn(files.top(file)));
  return all.filter((node) => isMap(node)).find((node) => node.has(marker) && node.has(field));
}

/** Puts the first item of a list of a site behind the second. */
function swap(files: Files, marker: string): void {
  const lists = files.sites.flatMap((file) => nodesIn(files.top(file))).filter((node) => isSeq(node));
  const list = lists.find(
    ({ items: all }) => all.length > 1 && all.every((one) => isMap(one) && one.has(marker)),
  );
  list?.items.splice(1, 0, ...list.items.splice(0, 1));
}

const edits: readonly [string, Edit][] = [
  ['creates a team', add('teams.yaml', 'teams', { key: 'new', title: 'New' })],
  ['creates a field', add('fields.yaml', 'fields', { name: 'new', type: 'text', title: 'New' })],
  [
    'creates a collection, and sets its fields',
    add('library.yaml', 'library', { collection: 'new', title: 'New', description: 'Later' }),
  ],
  ['creates a spec', add('openapi.yaml', 'specs', { slug: 'new', url: 'https://x.example/new.json' })],
  ['creates translations', add('translations.yaml', 'translations', { key: 'new', title: 'New' })],
  ['creates a provider', add('saml.yaml', 'providers', { key: 'new', label: 'New' })],
  [
    'changes the organization',
    (files) => files.document('org.yaml').setIn(['organization', 'title'], 'Acme 2'),
  ],
  ['changes a team', set('teams.yaml', 'teams', 'title', 'Authors')],
  ['changes a field', set('fields.yaml', 'fields', 'title', 'Other')],
  ['changes translations', set('translations.yaml', 'translations', 'title', 'Other')],
  ['changes a provider', set('saml.yaml', 'providers', 'label', 'Other')],
  ['changes a site', (files) => files.document(files.sites[0] ?? '').setIn(['site', 'title'], 'Other')],
  ['changes a section', (files) => first(files, 'section', 'path')?.set('path', 'other')],
  ['changes a group', (files) => first(files, 'group', 'title')?.set('title', 'Other')],
  ['changes a site space', (files) => first(files, 'space', 'path')?.set('path', 'other')],
  ['changes a space', (files) => first(files, 'space', 'title', ['library.yaml'])?.set('title', 'Other')],
  [
    'changes a collection',
    (files) => first(files, 'collection', 'title', ['library.yaml'])?.set('title', 'Other'),
  ],
  [
    'changes a person, and puts them into a team',
    (files) => {
      const person = items(files.list('people.yaml', 'people')).find((one) => one.get('role') === 'read');
      person?.set('role', 'review');
      const team = items(files.list('teams.yaml', 'teams')).at(-1)?.get('key');
      person?.set('teams', files.document('people.yaml').createNode([team]));
    },
  ],
  [
    'takes people out of their teams',
    (files) => {
      files.top('people.yaml').set('memberships', 'exact');
      const member = items(files.list('people.yaml', 'people')).find((one) => isSeq(one.get('teams')));
      member?.set('teams', files.document('people.yaml').createNode([]));
    },
  ],
  ['moves a section', (files) => swap(files, 'section')],
  ['moves a site space', (files) => swap(files, 'space')],
  [
    'creates a group among sections, and moves it',
    (files) => {
      const file = files.sites.find((one) => first(files, 'section', 'path', [one]) !== undefined) ?? '';
      const group = files.document(file).createNode({ group: 'new', title: 'New', sections: [] });
      files.list(file, 'structure').items.splice(1, 0, group);
    },
  ],
  [
    'swaps two titles and two paths',
    (files) => {
      const [one, other] = items(files.list('teams.yaml', 'teams'));
      const title = one?.get('title');
      one?.set('title', other?.get('title'));
      other?.set('title', title);
      const lists = files.sites.flatMap((file) => nodesIn(files.top(file))).filter((node) => isSeq(node));
      const [left, right] =
        lists.map(items).find((all) => all.length > 1 && all[0]?.has('path') && all[1]?.has('path')) ?? [];
      const path = left?.get('path');
      left?.set('path', right?.get('path'));
      right?.set('path', path);
    },
  ],
];

/**
 * Tries every edit in a seed.
 * @param together how many of them are applied and undone at once
 * @param more what the platform has beside the seed
 */
export function tryEdits(
  seed: string,
  together: number,
  more: (client: Client, org: string) => Promise<void> = async () => {},
): void {
  let world: World;
  let org: string;
  /** The platform and the files as each change finds them. */
  let settled: { state: string; files: string };
  const docs = async (...words: string[]) => {
    const { code, stdout, stderr } = await world.docs(words, { DOCS_ORG: org });
    expect({ words, code, said: code === 0 ? '' : stderr + stdout }).toEqual({ words, code: 0, said: '' });
    return stdout;
  };
  const lock = (): unknown => JSON.parse(snapshot(folderOf(world)).get('docs.lock.json') ?? '');
  const edited = (...made: Edit[]) => {
    const files = new Files(folderOf(world));
    for (const edit of made) edit(files);
    files.save();
  };
  const begin = () => {
    world.load(settled.state);
    cpSync(settled.files, folderOf(world), { recursive: true });
    return { state: plain(world.state()), lock: lock() };
  };
  beforeAll(async () => {
    world = await World.open();
    const start = await seeded(seed);
    org = start.org;
    world.load(start.state);
    await more(world.client, org);
    await docs('pull', '--dir', 'org');
    // What the first plan settles is no part of the change.
    await docs('apply', '--dir', 'org', '--yes');
    settled = { state: world.state(), files: mkdtempSync(join(tmpdir(), 'docs-settled-')) };
    cpSync(folderOf(world), settled.files, { recursive: true });
  });
  afterAll(async () => {
    rmSync(settled.files, { recursive: true, force: true });
    await world.close();
  });

  const count = Math.ceil(edits.length / together);
  const groups = Array.from({ length: count }, (_, at) => edits.filter((__, index) => index % count === at));
  const names = (group: readonly (typeof edits)[number][]) => group.map(([name]) => name).join(', ');
  it.each(groups.map((group) => ({ name: names(group), group })))('$name', async ({ group }) => {
    const before = begin();
    edited(...group.map(([, edit]) => edit));
    const planned = JSON.parse(await docs('plan', '--dir', 'org', '--json')) as {
      operations: { undo: string; why?: string; request?: object }[];
    };
    const sent = planned.operations.filter(({ request }) => request !== undefined);
    expect(sent.map(({ undo, why }) => (undo === 'exact' ? undo : `${undo}: ${why}`))).toEqual(
      sent.map(() => 'exact'),
    );
    expect(planned.operations).not.toEqual([]);
    await docs('apply', '--dir', 'org', '--yes', '--prune');
    expect(plain(world.state())).not.toEqual(before.state);
    await docs('undo', 'last', '--yes');
    expect(plain(world.state())).toEqual(before.state);
    expect(lock()).toEqual(before.lock);
  });

  it('moves a section and creates a team, one after the other', async () => {
    const before = begin();
    edited((files) => swap(files, 'section'));
    await docs('apply', '--dir', 'org', '--yes');
    const moved = lock();
    expect(moved).not.toEqual(before.lock);
    await docs('undo', 'last', '--yes');
    edited(add('teams.yaml', 'teams', { key: 'new', title: 'New' }));
    await docs('apply', '--dir', 'org', '--yes');
    const [job = ''] = (await docs('jobs', 'list', '-o', 'id')).split('\n');
    const { items: own } = JSON.parse(await docs('jobs', 'show', job, '--json')) as {
      items: { id: string; item: string }[];
    };
    await docs('undo', job, own.find(({ item }) => item === 'teams/new')?.id ?? '', '--yes');
    expect(lock()).toEqual(moved);
    await docs('undo', job, '--yes');
    expect(lock()).toEqual(before.lock);
  });
}
