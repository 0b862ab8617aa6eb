import { linkStatuses } from '../../access/links/reference.js';
import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';

/** What a link graph is made of. */

/** Which links are drawn: by the spaces that they come from and lead to. Links within a space are not. */
export interface GraphFilter {
  from?: ReadonlySet<string>;
  to?: ReadonlySet<string>;
}

export const graphGrains = ['space', 'page'] as const;
export type GraphGrain = (typeof graphGrains)[number];

const nodeStates = ['read', 'outside', 'unknown', 'missing'] as const;

export const GraphNode = closed({
  id: Type.String({ description: 'Kind and ids: space:s1, page:s1/p1, anchor:s1/p1#limits' }),
  kind: oneOf('space', 'site', 'page', 'file', 'anchor', 'address'),
  title: maybe,
  state: Type.Unsafe<(typeof nodeStates)[number]>({
    enum: nodeStates,
    description:
      'read: its links are in the graph; outside: not asked for; unknown: could not be read; missing: not there',
  }),
  space: Type.Optional(Type.String({ description: 'Space that it is or is in, by id' })),
  spaceTitle: maybe,
  site: maybe,
  page: maybe,
  file: maybe,
  anchor: maybe,
  path: maybe,
  url: maybe,
  links: Type.Optional(closed({ total: Type.Integer(), broken: Type.Integer(), within: Type.Integer() })),
  isolated: Type.Optional(
    Type.Boolean({ description: 'A space that no link joins to another, and no site publishes' }),
  ),
});
export type GraphNode = Static<typeof GraphNode>;

export const GraphEdge = closed({
  from: text,
  to: text,
  kind: Type.Unsafe<'link' | 'publishes' | 'contains'>({
    enum: ['link', 'publishes', 'contains'],
    description: 'link; publishes: a site and a space on it; contains: a page and an anchor in it',
  }),
  status: Type.Optional(stateOf(...linkStatuses)),
  via: Type.Optional(oneOf('reference', 'app-address', 'published-address')),
  count: Type.Optional(Type.Integer({ description: 'Links that the edge stands for' })),
  siteSpaces: Type.Optional(Type.Array(text)),
});
export type GraphEdge = Static<typeof GraphEdge>;

/** What was not read: nothing is claimed about its links. */
const GraphUnread = closed({ kind: text, id: text, title: maybe, space: maybe, error: Type.Object({}) });

export const LinkGraph = closed({
  by: oneOf(...graphGrains),
  nodes: Type.Array(GraphNode),
  edges: Type.Array(GraphEdge),
  unread: Type.Array(GraphUnread),
});
