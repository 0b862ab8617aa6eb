import type { Client } from '../api/client.js';
import type { SiteSpace } from '../api/resources/site-spaces.js';
import { listSites } from '../api/resources/sites.js';
import { type Resource, readsOf } from '../jobs/reads.js';
import { liveItem } from '../organization/kinds/declare.js';
import { kindOf } from '../organization/kinds/index.js';
import {
  type KindName,
  type Live,
  type LiveItem,
  type LiveReading,
  orderIndex,
} from '../organization/model.js';
import { organization, type SiteContent } from '../snapshot/organization.js';
import { allItems } from '../snapshot/unread.js';
import type { SiteTree, TreeNode } from './text.js';

/** Reads one site as the planner of the organization as code reads all: four lists, whatever else there is. */

export interface LiveSite extends SiteContent {
  /** The site, its parts, and the spaces that are on it. */
  live: Live;
}

const parts = ['sites', 'groups', 'sections', 'site-spaces'] as const satisfies readonly KindName[];

/** @throws DocsError as the reads: not-found where the site is not there */
export async function readLiveSite(
  client: Client,
  organizationId: string,
  siteId: string,
): Promise<LiveSite> {
  const whole = organization({ client, organizationId });
  const own = whole.site(siteId);
  const site = await own.settings();
  const reading = readingOf(whole.client, organizationId, site);
  const items = new Map<KindName, LiveItem[]>();
  for (const kind of parts) items.set(kind, [...(await reading.all(kind))]);
  const siteSpaces = await allItems(own.siteSpaces());
  addHidden(items, siteSpaces);
  items.set('spaces', spacesOf(siteSpaces));
  const sections = await allItems(own.sections());
  return { site, sections, siteSpaces, live: { organizationId, items, missed: [] } };
}

/** A tree of which a list is missing is none; spaces that the token may not see are told by who reads the tree. */
function readingOf(client: Client, organizationId: string, site: Resource): LiveReading {
  const { one, all } = readsOf(client);
  const kinds = new Map<KindName, Promise<readonly LiveItem[]>>();
  const list = async (name: KindName) => {
    const items: LiveItem[] = [];
    for await (const found of kindOf(name).list(reading)) for (const item of found) items.push(item);
    return items;
  };
  const reading: LiveReading = {
    client,
    organizationId,
    reads: { one, all: async (op, input) => (op.id === listSites.id ? [site] : all(op, input)) },
    wants: (_, field) => field === 'default',
    missed(_, cause) {
      if (cause !== undefined) throw cause;
    },
    all(name) {
      const known = kinds.get(name) ?? list(name);
      kinds.set(name, known);
      return known;
    },
  };
  return reading;
}

/** Spaces of the site that the token cannot see: they have a place, and no space that could be named. */
function addHidden(items: Map<KindName, LiveItem[]>, siteSpaces: readonly SiteSpace[]): void {
  const [site] = items.get('sites') ?? [];
  const known = items.get('site-spaces') ?? [];
  const counts = new Map<string | undefined, number>();
  for (const own of siteSpaces) {
    const index = counts.get(own.section) ?? 0;
    counts.set(own.section, index + 1);
    if (own.space !== undefined) continue;
    const parent = items.get('sections')?.find(({ id }) => id === own.section) ?? site;
    if (parent !== undefined) known.push(liveItem(kindOf('site-spaces'), own as Resource, { parent, index }));
  }
}

/** The spaces by what their site spaces tell of them. */
function spacesOf(siteSpaces: readonly SiteSpace[]): LiveItem[] {
  return siteSpaces.flatMap(({ space, title }) => (space === undefined ? [] : [spaceItem(space.id, title)]));
}

/** A space that is only named. */
export function spaceItem(id: string, title: string): LiveItem {
  return { kind: 'spaces', id, index: 0, fields: {}, title, resource: { id, title } };
}

export function treeOf({ site, live, sections, siteSpaces }: LiveSite): SiteTree {
  const [top] = live.items.get('sites') ?? [];
  const all = parts.slice(1).flatMap((kind) => live.items.get(kind) ?? []);
  const urls = new Map([...sections, ...siteSpaces].map(({ id, urls: own }) => [id, own?.published]));
  const first = idIn(top?.fields.default);
  const nodesIn = (parent: LiveItem | undefined, shown: string | undefined): TreeNode[] =>
    all
      .filter((item) => item.parent === parent)
      .sort((a, b) => orderIndex(a) - orderIndex(b))
      .map((item) => nodeOf(item, shown));
  const nodeOf = (item: LiveItem, shown: string | undefined): TreeNode => {
    const { kind, id, natural, title, fields } = item;
    const url = urls.get(id);
    const inner = kind === 'groups' ? shown : idIn(fields.default);
    return {
      kind: kind === 'groups' ? 'group' : kind === 'sections' ? 'section' : 'space',
      id,
      ...(natural !== undefined && { space: natural }),
      title,
      ...(typeof fields.path === 'string' && { path: fields.path }),
      isDefault: id === shown,
      ...(url !== undefined && { url }),
      children: kind === 'site-spaces' ? [] : nodesIn(item, inner),
    };
  };
  return { site, nodes: nodesIn(top, first) };
}

/** The id in the value of a field that names another item. */
function idIn(value: unknown): string | undefined {
  const id = (value as { $id?: unknown } | null | undefined)?.$id;
  return typeof id === 'string' ? id : undefined;
}
