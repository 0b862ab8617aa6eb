import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Space } from '../../api/resources/spaces.js';
import { roles } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import { topLevel } from '../../jobs/rules/shown.js';
import { counted, grouped } from '../../output/text.js';
import type { GroupedSite } from '../../snapshot/organization.js';
import {
  countsOf,
  type MapPart,
  mapParts,
  type OrganizationParts,
  partTitles,
} from '../../snapshot/parts.js';
import type { MapFacts, MapKind, MapRow } from './shapes.js';

interface MapNode extends MapFacts {
  kind: MapKind;
  id: string;
  title: string;
  children: readonly MapNode[];
}

/**
 * The nodes depth first.
 * @param deepest nodes further down are left out; 0 is the organization alone
 */
export function* rowsOf(root: MapNode, deepest = Number.POSITIVE_INFINITY): Generator<MapRow> {
  // A stack, because collections may be nested deeper than the call stack.
  const waiting: { node: MapNode; depth: number; parent?: string }[] = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth, parent } = next;
    const { kind, id, title, children, ...more } = node;
    yield { kind, depth, title, id, ...(parent !== undefined && { parent }), ...more };
    if (depth === deepest) continue;
    for (const child of children.toReversed()) waiting.push({ node: child, depth: depth + 1, parent: id });
  }
}

/** For `sort`: by title whatever the locale, then by id. */
function byTitle<T extends { title: string; id: string }>(one: T, other: T): number {
  return compared(one.title.toLowerCase(), other.title.toLowerCase()) || compared(one.id, other.id);
}

function compared(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The latest update of some nodes; values that are not times are skipped. */
function latest(nodes: readonly MapNode[]): string | undefined {
  let found: { at: string; ms: number } | undefined;
  for (const { updatedAt: at = '' } of nodes) {
    const ms = Date.parse(at);
    if (!Number.isNaN(ms) && (found === undefined || ms > found.ms)) found = { at, ms };
  }
  return found?.at;
}

/** What a person reads of a node beside its title and its age. */

export function factWords(row: MapRow): string[] {
  const { visibility, published, spaces, members, pages, openChangeRequests = 0, state } = row;
  return [
    ...placeWords(row),
    ...(visibility === undefined ? [] : [visibility]),
    ...(published === false ? ['not published'] : []),
    ...totalWords(row),
    ...(members === undefined ? [] : [counted(members, 'person', 'people')]),
    ...(spaces === undefined ? [] : [counted(spaces, 'space')]),
    ...(pages === undefined ? [] : [counted(pages, 'page')]),
    ...(openChangeRequests > 0 ? [`${grouped(openChangeRequests)} open`] : []),
    ...(state === undefined ? [] : [state]),
  ];
}

/** Where on a site it is found. */
export function placeWords({ path, default: isDefault }: Pick<MapRow, 'path' | 'default'>): string[] {
  return [...(path === undefined ? [] : [`/${path}`]), ...(isDefault === true ? ['default'] : [])];
}

function totalWords({ total, unread }: MapRow): string[] {
  if (total === undefined) return [];
  return [unread === true ? `at least ${grouped(total)}` : grouped(total)];
}

/**
 * The tree of what was read. Its order depends on nothing but the organization: collections and what is on a site as
 * the platform has them, the rest by title.
 */
export function mapOf(found: OrganizationParts, parts: ReadonlySet<MapPart>): MapNode {
  const { organization, organizationId: id } = found;
  const unread = new Set(found.missing.flatMap(({ node }) => node ?? []));
  const lacking = new Set(found.missing.flatMap((one) => one.parts));
  const shown = mapParts.filter((part) => parts.has(part));
  return {
    kind: 'organization',
    id,
    title: organization?.title ?? id,
    ...unreadIf(organization === undefined),
    children: shown.map((part) => partNode(part, found, unread, lacking.has(part))),
  };
}

function partNode(
  part: MapPart,
  found: OrganizationParts,
  unread: ReadonlySet<string>,
  isLacking: boolean,
): MapNode {
  const { nodes, total } = insides[part](found);
  for (const node of all(nodes)) if (unread.has(node.id)) node.unread = true;
  return {
    kind: 'part',
    id: part,
    title: partTitles[part],
    // A count of 0 says nothing where not all was read.
    ...(total === 0 && isLacking ? {} : { total }),
    ...unreadIf(isLacking),
    children: nodes,
  };
}

function unreadIf(isUnread: boolean): Pick<MapFacts, 'unread'> {
  return isUnread ? { unread: true } : {};
}

function* all(nodes: readonly MapNode[]): Generator<MapNode> {
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const child of node.children) waiting.push(child);
  }
}

/** What stands in each part, and how many things it has. */
const insides: Readonly<Record<MapPart, (found: OrganizationParts) => { nodes: MapNode[]; total: number }>> =
  {
    spaces: (found) => ({ nodes: spaceNodes(found), total: found.spaces.size }),
    sites: ({ sites }) => ({ nodes: [...sites.values()].map(siteNode), total: sites.size }),
    teams({ teams }) {
      const nodes = [...teams.values()].map(({ id, title, members, spaces }) => ({
        ...{ kind: 'team' as const, id, title, members, spaces, children: [] },
      }));
      return { nodes: nodes.sort(byTitle), total: teams.size };
    },
    people({ people }) {
      const counts = countsOf(
        [...people.values()].map(({ role }) => role),
        [...roles, 'guest'],
      );
      const nodes = Object.entries(counts).map(([role, members]) => ({
        ...{ kind: 'role' as const, id: role, title: role, members, children: [] },
      }));
      return { nodes, total: people.size };
    },
    openapi({ specs }) {
      const nodes = [...specs.values()].map((spec): MapNode => {
        const { id, slug: title, updatedAt, processingState, lastProcessErrorCode } = spec;
        return {
          kind: 'openapi',
          id,
          title,
          state: lastProcessErrorCode ?? processingState,
          updatedAt,
          children: [],
        };
      });
      return { nodes: nodes.sort(byTitle), total: specs.size };
    },
    saml({ providers }) {
      const nodes = [...providers.values()].map(
        ({ id, label }): MapNode => ({ kind: 'saml', id, title: label, children: [] }),
      );
      return { nodes: nodes.sort(byTitle), total: providers.size };
    },
  };

/** A site with its section groups, sections and spaces, in the order of the platform. */
function siteNode({ site, groups, sections, siteSpaces }: GroupedSite): MapNode {
  const { id, title, visibility, published } = site;
  const bySection = new Map(sections.map((section) => [section.id, section]));
  const sectionNode = (section: SiteSection) =>
    summedUp({
      ...{ kind: 'section', id: section.id, title: section.title, path: section.path },
      default: section.default === true,
      children: siteSpaces.filter((own) => own.section === section.id).map(siteSpaceNode),
    });
  const groupNode = (group: string) =>
    summedUp({
      ...{ kind: 'section-group', id: group, title: groups.find((one) => one.id === group)?.title ?? group },
      children: sections.filter(({ sectionGroup }) => sectionGroup === group).map(sectionNode),
    });
  const ordered = [...new Map(topLevel(sections).map((one) => [one.id, one])).values()];
  const inOrder = ordered.map(({ type, id: own }) => {
    const section = type === 'site-section' ? bySection.get(own) : undefined;
    return section === undefined ? groupNode(own) : sectionNode(section);
  });
  // The platform does not show where a group without sections stands.
  const ids = groups.map((group) => group.id);
  const empty = ids.filter((group) => !ordered.some((one) => one.id === group)).map(groupNode);
  const others = siteSpaces.filter(({ section }) => section === undefined || !bySection.has(section));
  const children = [...inOrder, ...empty, ...others.map(siteSpaceNode)];
  return summedUp({ kind: 'site', id, title, visibility, published, children });
}

function siteSpaceNode({ id, title, path, default: isDefault, space }: SiteSpace): MapNode {
  return {
    ...{ kind: 'site-space', id, title, path, default: isDefault === true },
    ...defined({ space: space?.id, updatedAt: space?.updatedAt }),
    children: [],
  };
}

/** With the number of its spaces, and when the last of them was updated. */
function summedUp(node: MapNode): MapNode {
  const counts = node.children.map(({ kind, spaces = 0 }) => (kind === 'site-space' ? 1 : spaces));
  const { children, ...own } = node;
  const sum = { spaces: counts.reduce((all, count) => all + count, 0), updatedAt: latest(children) };
  return { ...own, ...defined(sum), children };
}

/** A collection while spaces and collections are put into it. */
interface Open extends MapNode {
  spaces: number;
  children: MapNode[];
}

/** Collections, each with those inside it before its spaces; then the spaces that are in none. */
function spaceNodes(found: OrganizationParts): MapNode[] {
  const collections = openCollections(found);
  const top: MapNode[] = [];
  const order = nest(found, collections, top);
  const listed = new Map(
    [...found.inCollections].flatMap(([id, ids]) => ids.map((space) => [space, id] as const)),
  );
  const ordered = [...new Set([...found.inCollections.values()].flat())].flatMap(
    (id) => found.spaces.get(id) ?? [],
  );
  const others = [...found.spaces.values()].filter(({ id }) => !listed.has(id)).sort(byTitle);
  const outside: MapNode[] = [];
  for (const space of [...ordered, ...others]) {
    const home = collections.get(space.parent ?? '') ?? collections.get(listed.get(space.id) ?? '');
    (home?.children ?? outside).push(spaceNode(space, found));
  }
  // From the innermost outwards: each sums up those inside it.
  for (const node of order.toReversed()) sumUp(node);
  return [...top, ...outside];
}

function spaceNode(space: Space, { pages }: OrganizationParts): MapNode {
  const { id, title, visibility, changeRequestsOpen: openChangeRequests, updatedAt } = space;
  const count = pages.get(id);
  const more = count === undefined ? {} : { pages: count };
  return { kind: 'space', id, title, visibility, ...more, openChangeRequests, updatedAt, children: [] };
}

/** Those that are listed, in their order; then those that only a space or a collection names. */
function openCollections({ collections, spaces }: OrganizationParts): Map<string, Open> {
  const open = (id: string, title: string): Open => ({
    kind: 'collection',
    id,
    title,
    spaces: 0,
    children: [],
  });
  const all = new Map([...collections.values()].map(({ id, title }) => [id, open(id, title)]));
  const named = [...collections.values(), ...spaces.values()].flatMap(({ parent }) => parent ?? []);
  for (const id of named.sort()) if (!all.has(id)) all.set(id, open(id, id));
  return all;
}

/**
 * Puts collections into those around them. One of a circle, which no platform should have, goes to the top.
 * @returns all, each after the one around it
 */
function nest({ collections }: OrganizationParts, open: ReadonlyMap<string, Open>, top: MapNode[]): Open[] {
  const inside = new Map<string | undefined, Open[]>();
  for (const [id, node] of open) {
    const around = collections.get(id)?.parent;
    const own = inside.get(around);
    if (own === undefined) inside.set(around, [node]);
    else own.push(node);
  }
  const placed = new Set<Open>();
  const place = (root: Open) => {
    top.push(root);
    const waiting = [root];
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
      placed.add(node);
      const own = (inside.get(node.id) ?? []).filter((one) => !placed.has(one));
      node.children.push(...own);
      waiting.push(...own);
    }
  };
  for (const root of inside.get(undefined) ?? []) place(root);
  for (const node of open.values()) if (!placed.has(node)) place(node);
  return [...placed];
}

function sumUp(node: Open): void {
  const counts = node.children.map((child) => (child.kind === 'space' ? 1 : (child.spaces ?? 0)));
  node.spaces = counts.reduce((sum, count) => sum + count, 0);
  const updatedAt = latest(node.children);
  if (updatedAt !== undefined) node.updatedAt = updatedAt;
}
