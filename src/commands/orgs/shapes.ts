import { spaceVisibilities } from '../../api/resources/spaces.js';
import { meant, roles } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import type { DocsError } from '../../base/errors.js';
import { closed, flag, maybe, oneOf, orNull, stateOf, text } from '../../output/printed-shapes.js';

/** What `docs overview` says, part by part. A part of which nothing could be read is null, and named in `unread`. */

/** Certificates that expire within so many days are to be replaced. */
export const certificateDays = 60;
/** How many jobs are named. */
export const mostJobs = 5;

/** The parts, in the order in which they are shown. */
export const parts = [
  ...(['organization', 'members', 'spaces', 'sites', 'changeRequests', 'links', 'openapi', 'saml'] as const),
  ...(['backup', 'jobs'] as const),
] as const;
export type OverviewPart = (typeof parts)[number];

/** Something that could not be read, and the part of the overview that lacks it. */
export interface Missing {
  part: OverviewPart;
  /** A sentence. */
  what: string;
  error: DocsError;
}

const count = (description: string) => Type.Integer({ minimum: 0, description });
const atLeast = Type.Boolean({ description: 'Whether there may be more: something was not read' });

const Members = closed({
  total: count('Guests included'),
  roles: Type.Record(text, Type.Integer(), {
    description: `How many have each role: ${roles.join(', ')}, guest`,
  }),
});

const Spaces = closed({
  total: count('Spaces that were found'),
  published: count('Spaces that a site or a public link publishes'),
  visibility: Type.Record(text, Type.Integer(), { description: 'How many have each visibility' }),
  atLeast,
});

const ChangeRequests = closed({
  open: count('Open ones in all spaces'),
  stale: count('Of these, the stale ones: without activity, or warned'),
  staleDays: Type.Integer({ description: 'Days without activity after which one is stale' }),
  atLeast,
});

const Links = closed({
  checkedAt: text,
  ageSeconds: Type.Integer({ description: 'Seconds since the check' }),
  broken: count('Broken links, including those of a baseline'),
  spaces: count('Spaces whose links were read'),
  of: count('Spaces that were found'),
  unread: count('Spaces, pages and lists that the check could not read'),
});

const Spec = closed({ slug: text, state: text, error: maybe });

const Provider = closed({
  id: text,
  label: text,
  certificate: stateOf('expires-soon', 'expired', 'not-yet-valid', 'unreadable', 'missing'),
  expiresAt: maybe,
  days: Type.Optional(Type.Integer({ description: 'Days until it expires; negative once it did' })),
});

const Backup = closed({
  finishedAt: text,
  ageSeconds: Type.Integer({ description: 'Seconds since then' }),
  folder: text,
  folderExists: flag,
  state: text,
  failed: count('Items that the run could not read'),
});

const Job = closed({
  id: text,
  command: text,
  state: meant('state', text),
  at: text,
  left: count('Requests whose outcome is unknown, or that were never sent'),
});
export type OverviewJob = Static<typeof Job>;

export const Overview = closed({
  organization: orNull(closed({ id: text, title: text, plan: orNull(text) })),
  members: orNull(Members),
  spaces: orNull(Spaces),
  sites: orNull(closed({ total: count('Sites'), published: count('Published ones') })),
  changeRequests: orNull(ChangeRequests),
  links: orNull(Links),
  openapi: orNull(
    closed({
      total: count('OpenAPI specs'),
      failed: Type.Array(Spec, { description: 'Those whose last processing failed' }),
    }),
  ),
  saml: orNull(
    closed({
      total: count('SAML providers'),
      certificates: Type.Array(Provider, {
        description: `Those whose certificate is not valid, or expires within ${certificateDays} days`,
      }),
    }),
  ),
  backup: orNull(Backup),
  jobs: orNull(
    closed({
      total: count('Jobs of the last 90 days from this machine that name this organization, or none'),
      unfinished: count('Those that are not done, or whose outcome is unknown'),
      last: Type.Array(Job, { description: `At most ${mostJobs}, the unfinished ones first` }),
    }),
  ),
  unread: Type.Array(
    closed({
      part: stateOf(...parts),
      what: Type.String({ description: 'Items that could not be read, in words' }),
      code: text,
      status: Type.Optional(Type.Integer({ description: 'HTTP status, if there was a response' })),
    }),
    { description: 'Parts that could not be read. links and backup are also null if no run is recorded' },
  ),
});
export type Overview = Static<typeof Overview>;

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

export const facts = {
  path: Type.Optional(Type.String({ description: 'Path on the site, of a section or a space on it' })),
  default: Type.Optional(Type.Boolean({ description: 'Whether the site, or its section, opens with it' })),
  visibility: Type.Optional(meant('visibility', oneOf(...spaceVisibilities))),
  published: Type.Optional(Type.Boolean({ description: 'Whether a site is published' })),
  total: Type.Optional(count('How many there are, of a part')),
  spaces: Type.Optional(
    count(
      'Spaces in a collection and those inside it, or on a site or section; of a team, those it can access',
    ),
  ),
  members: Type.Optional(count('People in a team, or with a role')),
  pages: Type.Optional(count('Pages of a space, with --pages')),
  openChangeRequests: Type.Optional(count('Open change requests of a space')),
  updatedAt: Type.Optional(
    Type.String({ description: 'Last update; for a container, the last update of any of its spaces' }),
  ),
  state: Type.Optional(meant('state', Type.String({ description: 'State of an OpenAPI spec' }))),
  space: Type.Optional(Type.String({ description: 'Id of the space, of a space on a site' })),
  unread: Type.Optional(
    Type.Literal(true, { description: 'Part of it could not be read: it may contain more than is listed' }),
  ),
};

/** A node as a row: after the row of what it stands in. */
export const MapRow = closed({
  kind: oneOf(...mapKinds),
  depth: Type.Integer({ minimum: 0, description: '0 for the organization' }),
  title: Type.String({ description: 'Title, or the id if the title is unknown' }),
  id: Type.String({ description: 'Id; of a part and a role, its name' }),
  parent: maybe,
  ...facts,
});

export type MapRow = Static<typeof MapRow>;

export const Facts = Type.Object(facts);

export type MapFacts = Static<typeof Facts>;
