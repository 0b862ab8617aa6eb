import { positionAt } from '../../../src/sandbox/positions.js';
import { seedInstant } from '../../../src/sandbox/store/rows.js';
import { type Add, idOf, madeAt, orgId, type Row, type Tables } from '../../organization/generated/rows.js';
import type { GeneratedSpace, LinkedOrganization } from './organization.js';
import { fileId, pageId, spaceId, writtenLinks } from './written.js';

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
