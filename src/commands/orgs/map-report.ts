import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { someOf, wholeNumber } from '../../cli/parse/plain-values.js';
import { originOf } from '../../cli/run/origin.js';
import { firstLines } from '../../cli/run/output.js';
import { platformName } from '../../cli/run/report-page.js';
import {
  type ManualInput,
  partialEnding,
  type Report,
  type ReportEnding,
  type ReportForm,
} from '../../cli/run/run-report.js';
import { type Diagram, type DiagramNode, shortTitle, tooManyEdges } from '../../document/diagram.js';
import {
  type Cell,
  type Columns,
  type Document,
  type TablePart,
  type TreeNode,
  type TreePart,
  tablePart,
} from '../../document/document.js';
import { counted } from '../../output/text.js';
import { type MapPart, mapParts, type OrganizationParts, readMap } from '../../snapshot/parts.js';
import { notReadLines } from '../../snapshot/unread.js';
import { factWords, mapOf, placeWords, rowsOf } from './map-tree.js';
import type { MapKind, MapRow } from './shapes.js';

/** `docs orgs map`: a drawn tree on a terminal, a row for each node elsewhere, or a diagram. */

interface MapRead {
  found: OrganizationParts;
  rows: readonly MapRow[];
}

/** Partial `not_all_read` (exit 3) where something could not be read. */
export const mapReport: Report<MapRead> = {
  async read({ input, page, reading, progress }) {
    const { parts, depth, pages } = questionOf(input);
    const source = await reading();
    const found = await progress('Reading the organization', () =>
      readMap(source, { parts, pages, people: page }),
    );
    return { found, rows: [...rowsOf(mapOf(found, parts), depth)] };
  },
  document: ({ rows }) => ({ title: '', parts: [treePart(rows)] }),
  page: ({ found, rows }, { session }) => mapPage(found, rows, platformName(originOf(session))),
  diagram: ({ rows }) => mapDiagram(rows),
  rows: ({ rows }) => rows,
  rowView: ({ view }) => ({ ...view, depth: 'depth' }),
  end: ({ found, rows }, { form }) => endOf(found, rows.length - 1, form),
};

/** @throws DocsError usage `contradiction` */
function questionOf({ options }: ManualInput) {
  const only = someOf('--only', options.only, mapParts);
  const parts: ReadonlySet<MapPart> = new Set(only.length === 0 ? mapParts : only);
  const pages = options.pages === true;
  if (pages && !parts.has('spaces'))
    throw usageError('contradiction', '--pages counts the pages of spaces, which --only leaves out');
  const depth = options.depth === undefined ? undefined : wholeNumber('--depth', options.depth);
  return { parts, pages, depth };
}

function endOf({ missing }: OrganizationParts, edges: number, form: ReportForm): ReportEnding {
  const tooMany = form === 'mermaid' ? tooManyEdges('map', edges) : undefined;
  const drawn = tooMany === undefined ? [] : [`${tooMany} Use --only or --depth.`];
  if (missing.length === 0) return { warnings: drawn };
  const unread = missing.map((one) => one.unread);
  const parts = mapParts.filter((part) => missing.some((one) => one.parts.includes(part)));
  const names = missing.some((one) => one.parts.length === 0) ? ['organization', ...parts] : parts;
  return partialEnding(unread, `the map lacks what could not be read: ${names.join(', ')}`, {
    warnings: [...drawn, ...firstLines(notReadLines(unread))],
    details: { parts: names },
    hint: 'docs auth status',
  });
}

/** What `docs orgs map` says: the tree, and for `--html` tables of spaces, sites, teams and people to sort. */

/**
 * @param rows of the map, depth first; tables are made of the parts among them
 * @param platform as the report names it
 */
function mapPage(found: OrganizationParts, rows: readonly MapRow[], platform: string): Document {
  const { organization, organizationId } = found;
  const title = organization?.title ?? organizationId;
  const parts = new Set(rows.flatMap(({ kind, id }) => (kind === 'part' ? [id] : [])));
  const shown = Object.entries(tables).filter(([part]) => parts.has(part));
  return {
    title: `Map of ${title}`,
    headline: `${title}: ${mapCounts(found)}`,
    missing: notReadLines(found.missing.map(({ unread }) => unread)),
    facts: [
      ['Organization', `${title} (${organizationId})`],
      ['Platform', platform],
    ],
    parts: [treePart(rows), ...shown.map(([, table]) => table(found, rows))],
  };
}

/** `60 spaces in 7 collections, 6 sites, 20 teams, 400 people`; what was not read is left out. */
function mapCounts({ spaces, collections, sites, teams, people, missing }: OrganizationParts): string {
  const size = (one: ReadonlyMap<string, unknown> | undefined, noun: string, many?: string) =>
    one === undefined || one.size === 0 ? [] : [counted(one.size, noun, many)];
  const around = collections.size === 0 ? '' : ` in ${counted(collections.size, 'collection')}`;
  const counts = [
    ...size(spaces, 'space').map((words) => words + around),
    ...size(sites, 'site'),
    ...size(teams, 'team'),
    ...size(people, 'person', 'people'),
  ];
  return `${counts.join(', ') || 'nothing found'}${missing.length > 0 ? ', not read in full' : ''}`;
}

/** What each is, where neither its place nor its facts tell. */
const leads: Partial<Record<MapRow['kind'], string>> = { collection: 'collection', 'section-group': 'group' };

/** @param rows depth first */
export function treePart(rows: readonly MapRow[]): TreePart {
  const around: (TreeNode & { children: TreeNode[] })[] = [];
  for (const row of rows) {
    const { title: label, kind, depth, id, updatedAt: at, unread } = row;
    const node = defined({
      ...{ label, as: kind.replaceAll('-', ' '), facts: factWords(row), at },
      lead: kind === 'organization' ? id : leads[kind],
      isHeading: kind === 'organization' || kind === 'part',
      remark: unread && 'not read in full',
      children: [],
    });
    around[depth - 1]?.children.push(node);
    around.length = depth;
    around.push(node);
  }
  return { kind: 'tree', title: 'Organization', root: around[0] as TreeNode };
}

type Table = (found: OrganizationParts, rows: readonly MapRow[]) => TablePart;

const tables: Partial<Record<MapPart, Table>> = {
  spaces: spacesTable,
  sites: sitesTable,
  teams({ teams }) {
    return tableOf(
      'Teams',
      { Team: 'text', People: 'count', Spaces: 'count', Created: 'time', Id: 'id' },
      [...teams.values()].map(({ title, members, spaces, createdAt, id }) => [
        title,
        members,
        spaces,
        createdAt,
        id,
      ]),
    );
  },
  people: peopleTable,
};

function spacesTable({ spaces, collections, sites, pages }: OrganizationParts): TablePart {
  const onSites = new Map<string, string[]>();
  for (const { site, siteSpaces } of sites.values())
    for (const { space } of siteSpaces)
      if (space !== undefined) onSites.set(space.id, [...(onSites.get(space.id) ?? []), site.title]);
  const columns: Columns = {
    Space: 'text',
    Collection: 'text',
    Visibility: 'text',
    Sites: 'text',
    ...(pages.size > 0 && { Pages: 'count' }),
    'Open requests': 'count',
    Updated: 'time',
    Id: 'id',
  };
  const rows = [...spaces.values()].map((space): Cell[] => [
    space.title,
    collections.get(space.parent ?? '')?.title ?? space.parent ?? null,
    space.visibility,
    [...new Set(onSites.get(space.id) ?? [])],
    ...(pages.size > 0 ? [pages.get(space.id) ?? null] : []),
    space.changeRequestsOpen,
    space.updatedAt,
    space.id,
  ]);
  return tableOf('Spaces', columns, rows);
}

function sitesTable({ sites }: OrganizationParts): TablePart {
  const columns: Columns = {
    Site: 'text',
    Address: 'text',
    Visibility: 'text',
    Published: 'yesno',
    Spaces: 'count',
    Created: 'time',
    Id: 'id',
  };
  const rows = [...sites.values()].map(({ site, siteSpaces }): Cell[] => {
    const { id, title, urls, visibility, published, createdAt } = site;
    return [title, urls?.published ?? null, visibility, published, siteSpaces.length, createdAt, id];
  });
  return tableOf('Sites', columns, rows);
}

function peopleTable({ people }: OrganizationParts): TablePart {
  const columns: Columns = {
    Person: 'text',
    Email: 'text',
    Role: 'role',
    Spaces: 'count',
    Teams: 'count',
    'Last seen': 'time',
    Disabled: 'yesno',
    Id: 'id',
  };
  const rows = [...people].map(([id, person]): Cell[] => {
    const { name = null, email = null, role, spaces = null, teams = null } = person;
    return [name, email, role, spaces, teams, person.lastSeenAt ?? null, person.disabled ?? null, id];
  });
  return tableOf('People', columns, rows);
}

function tableOf(title: string, columns: Columns, rows: readonly (readonly Cell[])[]): TablePart {
  return tablePart(title, columns, { rows, empty: `No ${title.toLowerCase()}.` });
}

/**
 * Drawings of a map for pull requests. They say how an organization is arranged, and leave out times and what changes
 * by daily work, so that a diff of two of them is what somebody arranged. Each node is named by its kind and id.
 */

/** @param rows depth first */
export function mapDiagram(rows: Iterable<MapRow>): Diagram {
  const path: string[] = [];
  const nodes: DiagramNode[] = [];
  for (const row of rows) {
    const { kind, depth } = row;
    const id = nameOf(row);
    path.length = depth;
    const parent = path.at(-1);
    nodes.push(defined({ id, lines: labelOf(row), shape: shapes[kind], brackets: brackets[kind], parent }));
    path.push(id);
  }
  return { name: 'organization', nodes, edges: [] };
}

/**
 * A name that is a word in both languages: letters, digits and `_`, and no keyword, since every name begins with the
 * kind. Other characters of an id are written as their code, so that two ids never give one name.
 */
function nameOf({ kind, id }: MapRow): string {
  const coded = id.replaceAll(/[^A-Za-z0-9]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
  return `${kind.replaceAll('-', '')}_${coded}`;
}

const brackets: Partial<Record<MapKind, readonly [open: string, close: string]>> = {
  organization: ['[[', ']]'],
  part: ['(', ')'],
  site: ['([', '])'],
};

const shapes: Partial<Record<MapKind, string>> = {
  organization: 'box3d',
  part: 'plaintext',
  collection: 'folder',
  site: 'house',
};

function labelOf(row: MapRow): string[] {
  const { kind, visibility, members, unread } = row;
  const facts = [
    ...placeWords(row),
    ...(visibility === undefined ? [] : [visibility]),
    ...(kind === 'role' && members !== undefined ? [counted(members, 'person', 'people')] : []),
    ...(unread === true ? ['not read in full'] : []),
  ];
  const title = shortTitle(row.title);
  return [
    title.trim() === '' ? row.id : title,
    ...(facts.length === 0 ? [] : [shortTitle(facts.join(', '))]),
  ];
}
