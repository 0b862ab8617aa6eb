import fc from 'fast-check';
import { positionAt } from '../../../src/sandbox/positions.js';
import { seedInstant } from '../../../src/sandbox/store/rows.js';
import { type Add, idOf, madeAt, orgId, type Row, type Tables } from '../../organization/generated/rows.js';

/** The links of a random organization as they are written, and what they lead to. */

/** The id and the path on the site of a space, by its place. */
export const spaceId = (space: number): string => `space${space}x`;
export const pageId = (space: number, page: number): string => `page${space}n${page}`;
const fileId = (space: number, file: number): string => `file${space}n${file}`;
const pathOf = ({ nested }: GeneratedSpace, page: number): string =>
  nested ? Array.from({ length: page + 1 }, (_, at) => `p${at}`).join('/') : `p${page}`;

export const siteUrl = 'https://docs.generated.example/';
export const publishedUrl = (space: number): string => `${siteUrl}at-${space}/`;
export const publicUrl = (space: number): string => `https://public.sandbox.example/${spaceId(space)}/`;

/** A link on a page, and what is known of it. */
export interface WrittenLink {
  from: { space: number; page: number };
  written: string;
  /** The space it leads to, where it leads to one by reference or address. */
  space?: number;
  /** What the platform counts as one target: the same for every form of the address. */
  target: string;
  via?: 'reference' | 'app-address' | 'published-address';
  /** Whether it leads nowhere as things stand. */
  broken: boolean;
}

const app = 'https://app.sandbox.example';

/** Every link as it is written, those from what does not exist left out. */
export function writtenLinks(org: LinkedOrganization, orgId: string): WrittenLink[] {
  return org.links.map((link) => {
    const from = link.from.space % org.spaces.length;
    const page = link.from.page % (org.spaces[from]?.pages ?? 1);
    return { from: { space: from, page }, ...targetOf(org, link, from, orgId) };
  });
}

type Target = Omit<WrittenLink, 'from'>;

function targetOf(
  { spaces }: LinkedOrganization,
  { to, kind }: GeneratedLink,
  from: number,
  orgId: string,
): Target {
  const at = (kind === 'own-page' ? from : to.space) % spaces.length;
  const space = spaces[at];
  if (space === undefined) throw new Error('There is no space.');
  const id = spaceId(at);
  const page = to.thing % space.pages;
  const isThere = at === from || (space.state === 'live' && spaces[from]?.state === 'live');
  const reference = (written: string, exists = true): Target => ({
    ...{ written, space: at, target: written.replace(/#.*/, ''), via: 'reference' },
    broken: !isThere || !exists,
  });
  const address = (written: string, via: 'app-address' | 'published-address'): Target => ({
    ...{ written, space: at, target: written, via, broken: false },
  });
  const elsewhere = (written: string, broken = false): Target => ({ written, target: written, broken });
  const toPage = `/spaces/${id}/pages/${pageId(at, page)}`;
  const inApp = `${app}/o/${orgId}/s/${id}`;
  const made: Record<string, () => Target> = {
    page: () => reference(toPage),
    anchor: () => reference(`${toPage}#part-${to.thing}`),
    file: () => reference(`/spaces/${id}/files/${fileId(at, to.thing)}`, to.thing < space.files),
    space: () => reference(`/spaces/${id}`),
    'own-page': () => ({ ...reference(`/pages/${pageId(at, page)}`), target: toPage }),
    'gone-page': () => reference(`/spaces/${id}/pages/none`, false),
    relative: () => elsewhere('/nowhere.md', true),
    'app-space': () => address(inApp, 'app-address'),
    'app-page': () => address(`${inApp}/${pathOf(space, page)}#x`, 'app-address'),
    'app-change': () => address(`${inApp}/~/changes/3/${pathOf(space, page)}`, 'app-address'),
    'app-short': () => address(`${app}/s/${id}?tab=1`, 'app-address'),
    published: () => address(`${publishedUrl(at)}${pathOf(space, page)}`, 'published-address'),
    public: () => address(`${publicUrl(at)}#top`, 'published-address'),
    site: () => elsewhere(siteUrl),
    web: () => elsewhere('https://www.example.com/spaces'),
    mail: () => elsewhere('mailto:docs@example.com'),
  };
  const make = made[kind];
  if (make === undefined) throw new Error(`There is no kind ${kind}.`);
  return make();
}

/** A random organization with its content as a state of the sandbox. */

const otherOrg = idOf('foreign org');
const admin = idOf('admin');
const site = idOf('site');

export function stateOf(org: LinkedOrganization): string {
  const tables: Tables = {};
  const add: Add = (table, row) => {
    tables[table] ??= [];
    tables[table].push(row);
  };
  add('state', { key: 'seed', value: 'generated' });
  add('state', { key: 'ids', value: 0 });
  for (const [index, id] of [orgId, otherOrg].entries())
    add('organizations', { id, title: `Org ${index}`, created_at: madeAt(index), email_domains: '[]' });
  add('users', { id: admin, display_name: 'Admin', email: 'a@b.example', folded: 'admin', photo_url: null });
  add('members', { org_id: orgId, user_id: admin, role: 'admin', joined_at: madeAt(0) });
  add('sites', {
    ...{ id: site, org_id: orgId, title: 'Site', folded: 'site', hostname: 'docs.generated.example' },
    ...{ share_key: 'k', published: 1, created_at: madeAt(0) },
  });
  const written = writtenLinks(org, orgId);
  for (const [index, space] of org.spaces.entries()) {
    addSpace(add, space, index);
    const texts = Array.from({ length: space.pages }, (_, page) =>
      written
        .filter(({ from }) => from.space === index && from.page === page)
        .map((link) => `[x](${link.written})`)
        .join('\n\n'),
    );
    addContent(add, space, index, texts);
  }
  return JSON.stringify({ format: 'docs-sandbox/1', tables });
}

function addSpace(add: Add, { title, state, published }: GeneratedSpace, index: number): void {
  const id = spaceId(index);
  add('spaces', {
    ...{ id, org_id: state === 'foreign' ? otherOrg : orgId, title, visibility: 'public' },
    ...{ revision_id: `revision${index}`, position: positionAt(index) },
    ...{ created_at: madeAt(index), updated_at: madeAt(index) },
    deleted_at: state === 'gone' ? seedInstant - 3_600_000 : null,
  });
  if (published && state === 'live')
    add('site_spaces', {
      ...{ id: idOf(`site space ${index}`), site_id: site, space_id: id, path: `at-${index}` },
      position: positionAt(index),
    });
}

/** Versions are numbered through all spaces. */
function addContent(
  add: Add,
  { nested, files }: GeneratedSpace,
  space: number,
  texts: readonly string[],
): void {
  const number = (at: number) => space * 100 + at + 1;
  for (const [at, markdown] of texts.entries())
    add('page_versions', {
      ...{ id: number(at), space_id: spaceId(space), hash: `h${at}`, page_id: pageId(space, at) },
      ...{ title: `Page ${at}`, slug: `p${at}`, markdown, created_at: madeAt(at), updated_at: madeAt(at) },
    });
  const fileRows = Array.from({ length: files }, (_, at) => ({
    ...{ id: number(at + 50), space_id: spaceId(space), hash: `f${at}`, file_id: fileId(space, at) },
    ...{ path: `f${at}.txt`, content_type: 'text/plain', size: 1, base64: 'eA==' },
  }));
  for (const row of fileRows) add('file_versions', row);
  const nodes = texts.map((_, at) => ({ id: pageId(space, at), version: number(at) }));
  const tree = nested ? nodes.reduceRight<object[]>((below, node) => [{ ...node, pages: below }], []) : nodes;
  const row: Row = {
    ...{ id: `revision${space}`, space_id: spaceId(space), parents: '[]', pages: JSON.stringify(tree) },
    ...{ files: JSON.stringify(fileRows.map(({ file_id: id, id: version }) => ({ id, version }))) },
    ...{ reusables: '[]', message: 'First', created_at: madeAt(space) },
  };
  add('revisions', row);
}

/** Random organizations whose spaces link to each other in every way that is known. */

const linkKinds = [
  ...['page', 'anchor', 'file', 'space', 'own-page', 'gone-page', 'relative'],
  ...['app-space', 'app-page', 'app-change', 'app-short', 'published', 'public', 'site', 'web', 'mail'],
] as const;

interface GeneratedSpace {
  /** Depth first; each page is below the one before where `nested`. */
  pages: number;
  nested: boolean;
  files: number;
  published: boolean;
  /** `gone` is deleted; `foreign` is in another organization. */
  state: 'live' | 'gone' | 'foreign';
  title: string;
}

/** Places are counted round the end of their lists. */
interface GeneratedLink {
  from: { space: number; page: number };
  to: { space: number; thing: number };
  kind: string;
}

export interface LinkedOrganization {
  spaces: GeneratedSpace[];
  links: GeneratedLink[];
}

const titles = [
  'Guide',
  'A "quoted" <b>title</b>',
  'end\nsubgraph',
  '日本語 🧭',
  '\u202egnitser',
  '] --> x[y',
];

const space: fc.Arbitrary<GeneratedSpace> = fc.record({
  pages: fc.integer({ min: 1, max: 3 }),
  nested: fc.boolean(),
  files: fc.integer({ min: 0, max: 2 }),
  published: fc.boolean(),
  state: fc.constantFrom('live', 'live', 'live', 'live', 'gone', 'foreign'),
  title: fc.constantFrom(...titles),
});

const place = fc.nat({ max: 5 });
const link: fc.Arbitrary<GeneratedLink> = fc.record({
  from: fc.record({ space: place, page: place }),
  to: fc.record({ space: place, thing: place }),
  kind: fc.constantFrom(...linkKinds),
});

export const linkedOrganization: fc.Arbitrary<LinkedOrganization> = fc.record({
  spaces: fc.array(space, { minLength: 2, maxLength: 5 }),
  links: fc.array(link, { minLength: 2, maxLength: 24 }),
});
