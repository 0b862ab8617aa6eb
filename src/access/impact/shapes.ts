import type { Role } from '../../api/shapes.js';
import { type Static, Type } from '../../api/type.js';
import type { ObjectName, Resource } from '../../model/resources.js';
import {
  closed,
  Failure,
  maybe,
  oneOf,
  orNull,
  roleText,
  stateOf,
  text,
} from '../../output/printed-shapes.js';
import type { Unread } from '../../snapshot/unread.js';
import type { LinkTarget } from '../links/reference.js';

/** What deleting, moving, transferring or renaming something would break, from reads alone; as `--json` prints it. */

export const impactActions = ['delete', 'move', 'transfer', 'rename'] as const;
export type ImpactAction = (typeof impactActions)[number];

/** What can be done to a resource whose impact can be told: not to what only a list of its parent shows. */
export function actionsOf({ operations, renames, gets, parents }: Resource): ImpactAction[] {
  const isAlone = gets.length > 0 || parents.includes('siteId');
  return impactActions.filter((action) =>
    action === 'rename' ? renames.length > 0 : isAlone && action in operations,
  );
}

/** What is looked for; a person can ask for some of it, and fail on each. */
export const impactAspects = ['links', 'urls', 'dependents', 'people'] as const;
export type ImpactAspect = (typeof impactAspects)[number];

const named = closed({ id: text, title: text });
const role = Type.Unsafe<Role>(roleText);

const affected = {
  object: Type.Unsafe<ObjectName>(text),
  id: text,
  /** Ids that its path needs beside its own: `siteId`, `spaceId`, `changeRequestId`. */
  within: Type.Optional(Type.Record(Type.String(), Type.String())),
};
const Affected = closed(affected);
/** What an impact is asked about; which action goes with which kind, the commands of these kinds tell. */
export type Affected = Static<typeof Affected>;

const Question = closed({
  action: oneOf(...impactActions),
  things: Type.Array(Affected),
  /**
   * `move`: the collection (null for the top); none where only the order changes. `transfer`: the organization.
   * `rename`: the title or label (of SAML providers), and what addresses are made of; a proxy of null removes it.
   */
  to: Type.Optional(
    closed({
      parent: Type.Optional(orNull(text)),
      organization: maybe,
      title: maybe,
      label: maybe,
      path: maybe,
      basename: maybe,
      hostname: maybe,
      proxy: Type.Optional(orNull(text)),
    }),
  ),
});

export interface ImpactQuestion extends Omit<Static<typeof Question>, 'things'> {
  things: readonly Affected[];
  /** `rename`: names that earlier requests free, as `<field> <id of what has it now>`. */
  freed?: ReadonlySet<string>;
}

/** A link that breaks, with the titles of what it leads to, where they could be read. */
const Link = closed({
  from: closed({
    space: named,
    page: Type.Optional(closed({ id: text, title: maybe, path: maybe, url: maybe })),
  }),
  to: closed({
    ...{ kind: Type.Unsafe<LinkTarget['kind']>(text), space: maybe, page: maybe, file: maybe, site: maybe },
    ...{ path: maybe, anchor: maybe, url: maybe, title: maybe, spaceTitle: maybe },
  }),
  via: oneOf('reference', 'app-address', 'published-address'),
  status: stateOf('ok', 'broken', 'in-app'),
  outgoing: Type.Optional(
    Type.Literal(true, { description: 'Leads from transferred items to items that stay' }),
  ),
});
export type ImpactLink = Static<typeof Link>;

/** A published address that stops working, or that becomes another. */
const DeadUrl = closed({
  url: text,
  site: Type.Optional(Type.String({ description: 'None of a public address of the space itself' })),
  kind: oneOf('site', 'section', 'site-space', 'space', 'page'),
  title: text,
  becomes: Type.Optional(Type.String({ description: 'Where the same content is afterwards' })),
});
export type DeadUrl = Static<typeof DeadUrl>;

/** Where the readers of an address that stops should go. */
const Redirect = closed({
  from: text,
  /** Null where nothing of the site is left that could take its place, and with `not-told`. */
  to: orNull(text),
  /**
   * `moved`: the same content; `elsewhere`: the same page on another site; `parent`: the nearest living one;
   * `not-told`: the same content, at an address that the platform does not tell before.
   */
  why: oneOf('moved', 'elsewhere', 'parent', 'nothing-left', 'not-told'),
});
export type Redirect = Static<typeof Redirect>;

/**
 * Something else that rests on what changes. `moved` goes to another place: what a deleted collection held; `sign-in`
 * is a way in, or out: SAML, the last administrator; `access`: who can read more afterwards; `refusal`: why the
 * platform will refuse it.
 */
type DependentKind =
  | ('condition' | 'default' | 'spec' | 'change-request' | 'site-space' | 'section' | 'grant' | 'field-value')
  | ('clash' | 'moved' | 'team' | 'member' | 'reply' | 'sign-in' | 'integration' | 'access' | 'refusal');

const Dependent = closed({
  /** `what`: one sentence, what becomes of it. */
  ...{ kind: Type.Unsafe<DependentKind>(text), id: text, title: maybe, what: text },
  refused: Type.Optional(
    Type.Literal(true, { description: 'The platform refuses the change because of it' }),
  ),
});
export type Dependent = Static<typeof Dependent>;

/** A person whose role in a space changes, or may change. Null stands for none. */
const RoleChange = closed({
  person: closed({ id: text, email: maybe }),
  space: named,
  from: orNull(role),
  /** What they have afterwards, at least; `most` is what they have at most, where that is more. */
  to: orNull(role),
  most: Type.Optional(role),
  /**
   * A loss is certain only with the space itself: a grant that no operation shows may hold what the levels no longer
   * give.
   */
  certain: Type.Boolean({ description: 'Whether the role changes for sure' }),
});
export type RoleChange = Static<typeof RoleChange>;

const NotRead = closed({ kind: text, id: text, title: maybe, space: maybe, error: Failure });

/** What `docs impact … --json` prints. */
export const ImpactReport = closed({
  question: Question,
  things: Type.Array(closed({ ...affected, title: text })),
  /** What `to` of the question names, where its title was read. */
  target: Type.Optional(named),
  links: Type.Array(Link),
  urls: Type.Array(DeadUrl),
  /** Redirects to add: each address that stops, and where its readers should go. */
  redirects: Type.Array(Redirect),
  dependents: Type.Array(Dependent),
  people: Type.Array(RoleChange),
  /** Of the rest nothing is said, and nothing is claimed about what is unknown. */
  looked: Type.Array(oneOf(...impactAspects), { description: 'Items and links that were searched' }),
  unknown: Type.Array(NotRead, { description: 'Items that could not be read' }),
  /** What cannot be undone afterwards, a sentence each. */
  irreversible: Type.Array(text),
});

/** The same, before its failures are printed. */
export interface Impact extends Omit<Static<typeof ImpactReport>, 'question' | 'unknown'> {
  question: ImpactQuestion;
  unknown: Unread[];
}
