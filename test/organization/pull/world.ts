import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach } from 'vitest';
import { readFolder } from '../../../src/organization/files/read.js';
import { type Desired, kindNames, type Live, type LiveItem } from '../../../src/organization/model.js';
import type { PullOptions } from '../../../src/organization/pull/changes.js';
import { pull } from '../../../src/organization/pull/pull.js';
import type { Pulled } from '../../../src/organization/pull/write-files.js';
import { type Lock, readLock, updateLock } from '../../../src/plans/lock.js';
import { fakeIo } from '../../fake-io.js';
import { person, platform, there } from '../planner/build.js';

/** Folders of tests, and platforms that change. */

export interface Folder {
  path: string;
  file(name: string): string;
  /** All files with their texts, without the lock and the schemas. */
  texts(): Record<string, string>;
  pull(live: Live, options?: Partial<PullOptions>): Promise<Pulled>;
  read(): Promise<Desired>;
  lock(): Lock | undefined;
  remove(): void;
}

export const head = { org: 'o1', origin: 'https://api.example' };

export function newFolder(): Folder {
  const parent = mkdtempSync(join(tmpdir(), 'docs-files-'));
  const path = join(parent, 'org');
  const io = fakeIo();
  return {
    path,
    file: (name) => join(path, name),
    texts: () => textsIn(path),
    async pull(live, options = {}) {
      const pulled = await pull(io, path, live, readLock(path), {
        onlyDrift: false,
        take: new Set(),
        ...options,
      });
      updateLock(path, head, pulled.lock);
      return pulled;
    },
    read: () => readFolder(io, path),
    lock: () => readLock(path),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

/** Makes folders that go with the test that asks for them. */
export function folderEach(): () => Folder {
  const folders: Folder[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  return () => {
    const folder = newFolder();
    folders.push(folder);
    return folder;
  };
}

function textsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const files = names.filter((name) => statSync(name).isFile()).map((name) => relative(folder, name));
  const own = files.filter((name) => !name.startsWith('.schemas') && name !== 'docs.lock.json');
  return Object.fromEntries(own.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Lines that are only in one of two texts: `-` of the first, `+` of the second. */
export function diff(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  // What both end with needs no search.
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  const common = longestCommon(a, b);
  const out: string[] = [];
  let [i, j] = [0, 0];
  for (const line of [...common, undefined]) {
    for (; i < a.length && a[i] !== line; i += 1) out.push(`-${a[i]}`);
    for (; j < b.length && b[j] !== line; j += 1) out.push(`+${b[j]}`);
    i += 1;
    j += 1;
  }
  return out;
}

function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  /** For each pair of places, the lines that are common from there on. */
  const table = Array.from({ length: a.length + 1 }, () => Array<string[]>(b.length + 1).fill([]));
  const at = (i: number, j: number) => table[i]?.[j] ?? [];
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [left, right] = [at(i + 1, j), at(i, j + 1)];
      const best = left.length >= right.length ? left : right;
      (table[i] as string[][])[j] = a[i] === b[j] ? [a[i] as string, ...at(i + 1, j + 1)] : best;
    }
  return at(0, 0);
}

/** A small organization with something of every kind. */
export function acme() {
  const organization = there(
    'organization',
    'o1',
    {
      title: 'Acme',
      email_domains: ['acme.example'],
      hostname: 'acme',
      default_role: 'read',
      sso: false,
      ai: true,
    },
    { natural: 'organization', title: 'Acme' },
  );
  const owner = there('fields', 'owner', { type: 'text', title: 'Owner' }, { natural: 'owner' });
  const [ada, bob, cy] = [
    person('ada@acme.example', 'admin'),
    person('bob@acme.example', 'read'),
    person('cy@acme.example', 'guest'),
  ];
  const writers = there('teams', 't1', { title: 'Writers' });
  const editors = there('teams', 't2', { title: 'Editors' });
  const product = there('collections', 'c1', { title: 'Product', default_level: 'none' });
  const inner = there('collections', 'c2', { title: 'Inner', default_level: 'none' }, { parent: product });
  const guide = there(
    'spaces',
    's1',
    { title: 'Guide', emoji: '📘', fields: { owner: 'Ada' } },
    { parent: product },
  );
  const api = there('spaces', 's2', { title: 'API' }, { parent: product, index: 1 });
  const loose = there('spaces', 's3', { title: 'Loose' });
  const site = there('sites', 'w1', {
    title: 'Acme Docs',
    visibility: 'public',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    default: { $id: 'e1', kind: 'sections' },
  });
  const group = there('groups', 'g1', { title: 'Learn' }, { parent: site, index: 0 });
  const start = there(
    'sections',
    'e1',
    { title: 'Start', path: 'start', default: { $id: 'p1', kind: 'site-spaces' } },
    { parent: group },
  );
  const help = there('sections', 'e2', { title: 'Help', path: 'help' }, { parent: site, index: 1 });
  const onStart = there(
    'site-spaces',
    'p1',
    { path: 'guide' },
    { parent: start, natural: 's1', title: 'Guide' },
  );
  const onHelp = there('site-spaces', 'p2', { path: 'api' }, { parent: help, natural: 's2', title: 'API' });
  const okta = there(
    'saml',
    'm1',
    { label: 'Okta', certificate: 'CERT', default_team: { $id: 't1', kind: 'teams' } },
    { title: 'Okta' },
  );
  const spec = there(
    'openapi',
    'petstore',
    { url: 'https://acme.example/api.yaml' },
    { natural: 'petstore' },
  );
  const german = there('translations', 'l1', { title: 'German' });
  const items = {
    organization,
    owner,
    ada,
    bob,
    cy,
    writers,
    editors,
    product,
    inner,
    guide,
    api,
    loose,
    site,
    group,
    start,
    help,
    onStart,
    onHelp,
    okta,
    spec,
    german,
  };
  const members = [
    membership(writers, ada, 'owner'),
    membership(writers, bob, 'member'),
    membership(editors, bob, 'member'),
  ];
  return {
    ...items,
    live: (...more: LiveItem[]) => platform([...Object.values(items), ...members, ...more]),
    all: Object.values(items),
    members,
  };
}

export function membership(team: LiveItem, one: LiveItem, role: string): LiveItem {
  return there('memberships', one.id, { role }, { parent: team, natural: one.id, title: one.title });
}

export type Acme = ReturnType<typeof acme>;

/** The organization, with some items as they are now (`undefined`: gone), and more. */
export function after(changes: ReadonlyMap<LiveItem, LiveItem | undefined>, more: readonly LiveItem[] = []) {
  return (world: Acme) => {
    const made = new Map<LiveItem, LiveItem>();
    // Parents are live items themselves, so whoever stands in one that changed is another one too.
    const now = (item: LiveItem): LiveItem => {
      const known = made.get(item);
      if (known !== undefined) return known;
      const { parent, ...rest } = changes.get(item) ?? item;
      const next: LiveItem = { ...rest, ...(parent && { parent: now(parent) }) };
      made.set(item, next);
      return next;
    };
    const left = [...world.all, ...world.members].filter(
      (item) => !changes.has(item) || changes.get(item) !== undefined,
    );
    return platform([...left, ...more].map(now), kindNames);
  };
}

/** The organization with one item as it is now. */
export const changedIn = (world: Acme, item: LiveItem, now: LiveItem | undefined) =>
  after(new Map([[item, now]]))(world);

export const withFields = (item: LiveItem, fields: Readonly<Record<string, unknown>>): LiveItem => ({
  ...item,
  fields: { ...item.fields, ...fields },
});
