import { spaceVisibilities } from '../../api/resources/spaces.js';
import { meant } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf } from '../../output/printed-shapes.js';
import { counted, grouped } from '../../output/text.js';

/** What `docs orgs map` is made of: an organization as a tree. */

/** The parts, in the order in which they are shown, each with its heading. */
export const partTitles = {
  spaces: 'Spaces',
  sites: 'Sites',
  teams: 'Teams',
  people: 'People',
  openapi: 'OpenAPI specs',
  saml: 'SAML providers',
} as const;
export type MapPart = keyof typeof partTitles;
export const mapParts = Object.keys(partTitles) as MapPart[];

export const mapKinds = [
  ...([
    'organization',
    'part',
    'collection',
    'space',
    'site',
    'section-group',
    'section',
    'site-space',
  ] as const),
  ...(['team', 'role', 'openapi', 'saml'] as const),
] as const;
export type MapKind = (typeof mapKinds)[number];

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const facts = {
  path: Type.Optional(Type.String({ description: 'Path on the site, of a section or a space on it' })),
  default: Type.Optional(Type.Boolean({ description: 'Whether the site, or its section, opens with it' })),
  visibility: Type.Optional(meant('visibility', oneOf(...spaceVisibilities))),
  published: Type.Optional(Type.Boolean({ description: 'Whether a site is published' })),
  total: count('How many there are, of a part'),
  spaces: count(
    'Spaces in a collection and those inside it, or on a site or section; of a team, those it can access',
  ),
  members: count('People in a team, or with a role'),
  pages: count('Pages of a space, with --pages'),
  openChangeRequests: count('Open change requests of a space'),
  updatedAt: Type.Optional(
    Type.String({ description: 'Last update; of what holds spaces, that of the last updated one' }),
  ),
  state: Type.Optional(meant('state', Type.String({ description: 'State of an OpenAPI spec' }))),
  space: Type.Optional(Type.String({ description: 'Id of the space, of a space on a site' })),
  unread: Type.Optional(
    Type.Literal(true, { description: 'Something of it could not be read: it may hold more than is listed' }),
  ),
};

/** A node as a row: after the row of what it stands in. */
export const MapRow = closed({
  kind: oneOf(...mapKinds),
  depth: Type.Integer({ minimum: 0, description: '0 for the organization' }),
  title: Type.String({ description: 'Title, or the id where the title is not known' }),
  id: Type.String({ description: 'Id; of a part and a role, its name' }),
  parent: maybe,
  ...facts,
});
export type MapRow = Static<typeof MapRow>;

const Facts = Type.Object(facts);
export type MapFacts = Static<typeof Facts>;

export interface MapNode extends MapFacts {
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
export function byTitle<T extends { title: string; id: string }>(one: T, other: T): number {
  return compared(one.title.toLowerCase(), other.title.toLowerCase()) || compared(one.id, other.id);
}

function compared(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The latest update of some nodes; what is no time is left out. */
export function latest(nodes: readonly MapNode[]): string | undefined {
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
