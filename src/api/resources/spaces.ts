import { enters, gives, handsOver, raises } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import {
  choice,
  id,
  known,
  meant,
  nullable,
  permissions,
  refersTo,
  resourceOrId,
  roles,
  shape,
  timestamp,
  urls,
} from '../shapes.js';
import { type Static, type TSchema, Type } from '../type.js';
import { SearchPage, searchQuery } from './orgs.js';

/** Spaces (spec B, "Space" and "Spaces"). */

export const spaceVisibilities = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
  'in-collection',
  'private',
] as const;

/** Levels of access to content: the roles, and `inherit` for that of the parent. */
const levels = [...roles, 'inherit'] as const;

/** Who can access content by default: a role, `inherit`, or null for no one. */
export const level = meant('role', nullable(known(levels)));

export const Space = shape({
  object: Type.Literal('space'),
  id,
  title: Type.String({ maxLength: 50 }),
  emoji: meant('emoji', Type.String({ maxLength: 50 })),
  visibility: meant('visibility', choice(spaceVisibilities)),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: Type.Optional(timestamp),
  editMode: Type.Optional(meant('state', choice(['live', 'locked']))),
  organization: refersTo('organization', Type.String()),
  parent: Type.Optional(refersTo('collection', Type.String())),
  gitSync: Type.Optional(
    Type.Partial(
      shape({
        repoName: Type.String(),
        installationProvider: Type.String(),
        integration: Type.String(),
        url: Type.String(),
        updatedAt: timestamp,
      }),
    ),
  ),
  visitorAuth: Type.Optional(shape({ backend: known(['custom']) })),
  revision: Type.String(),
  defaultLevel: level,
  comments: Type.Number(),
  changeRequests: Type.Number(),
  changeRequestsOpen: Type.Number(),
  changeRequestsDraft: Type.Number(),
  urls: Type.Optional(urls(['location', 'app', 'published', 'public', 'icon'])),
  permissions: Type.Optional(
    permissions([
      'view',
      'access',
      'admin',
      'viewInviteLinks',
      'edit',
      'triggerGitSync',
      'comment',
      'merge',
      'review',
    ]),
  ),
});
export type Space = Static<typeof Space>;

const space = '/v1/spaces/{spaceId}';

/** Resolves published URLs of a site that is visible by share link (spec B and C). */
export const shareKey = Type.Optional(
  Type.String({ description: 'Share-link key of the site, to resolve published URLs' }),
);

/** Target of a moved space or collection. */
export const parent = Type.Optional(
  nullable(Type.String({ minLength: 1 }), 'Collection to move into; null moves to the top level'),
);

/** A neighbour in the new order: a space or a collection (platform-facts, "Shapes"). */
const neighbour = Type.Union([
  body({ type: Type.Literal('space'), space: Type.String({ minLength: 1 }) }),
  body({ type: Type.Literal('collection'), collection: Type.String({ minLength: 1 }) }),
]);

/** The neighbours that a moved resource gets. */
export function between<S extends TSchema>(sibling: S) {
  const neighbours = { before: Type.Optional(sibling), after: Type.Optional(sibling) };
  return body(neighbours, 'Neighbours in the new order');
}

/** Position of a space or collection among its siblings. */
export const position = Type.Optional(between(neighbour));

/** Default role of everyone in the organization: a role, `inherit`, or null for none. */
export const defaultLevel = Type.Optional(
  nullable(choice(levels), 'Default level for content: a role or inherit'),
);

export const opensTo = raises((name) => `Everyone in ${name}`);

/** A neighbour may be in another collection, where it then goes. At the top level, nothing limits what is inherited. */
export const moves = { parent: enters, position: gives('role') };

export const getSpace = operation('spaces.get', 'GET', space, {
  summary: 'Get a space',
  query: { shareKey },
  returns: one(Space),
});

export const updateSpace = operation('spaces.update', 'PATCH', space, {
  summary: 'Update a space',
  body: body({
    title: Type.Optional(Type.String({ maxLength: 50, description: 'Title' })),
    editMode: Type.Optional(choice(['live', 'locked'], 'live: edited directly; locked: all edits locked')),
    defaultLevel,
    emoji: Type.Optional(nullable(Type.String({ maxLength: 50 }), 'Emoji shown beside the title')),
    icon: Type.Optional(nullable(Type.String({ format: 'uri' }), 'URL of an icon shown beside the title')),
  }),
  returns: one(Space),
  exposes: { defaultLevel: opensTo },
});

export const deleteSpace = operation('spaces.delete', 'DELETE', space, {
  summary: 'Delete a space; it can be restored for 7 days',
  success: 205,
  returns: nothing,
});

export const duplicateSpace = operation('spaces.duplicate', 'POST', `${space}/duplicate`, {
  summary: 'Duplicate a space',
  success: 201,
  returns: one(Space),
  needs: 'create',
});

export const restoreSpace = operation('spaces.restore', 'POST', `${space}/restore`, {
  summary: 'Restore a space deleted within the last 7 days',
  returns: one(Space),
  // Whoever could see it before can again.
  exposes: ['role', 'public'],
});

export const moveSpace = operation('spaces.move', 'POST', `${space}/move`, {
  summary: 'Move a space to another collection or position',
  body: body({ parent, position }),
  returns: one(Space),
  needs: 'create',
  exposes: moves,
});

export const transferSpace = operation('spaces.transfer', 'POST', `${space}/transfer`, {
  summary: 'Transfer a space to another organization',
  body: body({ organization: Type.String({ minLength: 1, description: 'Target organization' }) }),
  returns: one(Space),
  exposes: { organization: handsOver },
});

export const searchSpace = operation('spaces.search', 'GET', `${space}/search`, {
  summary: 'Search the content of a space',
  query: { query: searchQuery },
  returns: page(SearchPage),
});

/** Target or location of a link (spec B, "Link item"). Resources are whole or ids: see `idOf`. */
export const Reference = Type.Partial(
  shape({
    kind: Type.String(),
    organization: refersTo('organization', resourceOrId),
    space: refersTo('space', resourceOrId),
    versionContext: shape({ type: Type.String(), revision: Type.Optional(resourceOrId) }),
    file: refersTo('file', resourceOrId),
    page: refersTo('page', resourceOrId),
    url: Type.String(),
  }),
);

/** A link to something that is not there may have no target (platform-facts, "Shapes"). */
export const LinkItem = shape({
  status: meant('state', choice(['ok', 'broken', 'in-app'])),
  relation: known(['reference']),
  targetReference: Type.Optional(Reference),
  locationReferences: Type.Array(Reference),
});

/** Other members of the envelope of a list of links. */
export const linkStats = shape({
  stats: shape({
    total: Type.Number(),
    broken: shape({ total: Type.Number(), changeRequest: Type.Optional(Type.Number()) }),
  }),
});

export const linkStatus = Type.Optional(
  choice(
    ['ok', 'broken', 'in-app'],
    'ok: no problem; broken: target does not exist; in-app: target is a URL inside the app',
  ),
);

export const listSpaceLinks = operation('spaces.links', 'GET', `${space}/links`, {
  summary: 'List the links of a space',
  query: { status: linkStatus },
  returns: page(LinkItem, linkStats),
});
