import type { Role } from '../../api/shapes.js';
import type { ObjectName } from '../../model/resources.js';
import type { Unread } from '../../snapshot/unread.js';
import type { InboundLink } from '../links/inbound.js';

/** What deleting, moving, transferring or renaming something would break, from reads alone. */

export const impactActions = ['delete', 'move', 'transfer', 'rename'] as const;
export type ImpactAction = (typeof impactActions)[number];

/** What is looked for; a person can ask for some of it, and fail on each. */
export const impactAspects = ['links', 'urls', 'dependents', 'people'] as const;
export type ImpactAspect = (typeof impactAspects)[number];

/** What an impact is asked about; which action goes with which kind, the commands of these kinds tell. */
export interface Affected {
  object: ObjectName;
  id: string;
  /** Ids that its path needs beside its own: `siteId`, `spaceId`, `changeRequestId`. */
  within?: Readonly<Record<string, string>>;
}

export interface ImpactQuestion {
  action: ImpactAction;
  things: readonly Affected[];
  /**
   * `move`: the collection (null for the top); none where only the order changes. `transfer`: the organization.
   * `rename`: the title or label, and what addresses are made of; a proxy of null removes it.
   */
  to?: {
    parent?: string | null;
    organization?: string;
    title?: string;
    /** What SAML providers have in place of a title. */
    label?: string;
    path?: string;
    basename?: string;
    hostname?: string;
    proxy?: string | null;
  };
  /** `rename`: names that earlier requests free, as `<field> <id of what has it now>`. */
  freed?: ReadonlySet<string>;
}

/** A published address that stops working, or that becomes another. */
export interface DeadUrl {
  url: string;
  /** None where it is a public address of the space itself. */
  site?: string;
  kind: 'site' | 'section' | 'site-space' | 'space' | 'page';
  title: string;
  /** Where the same content is afterwards; undefined where it is gone. */
  becomes?: string;
}

/** Where the readers of an address that stops should go. */
export interface Redirect {
  from: string;
  /** Null where nothing of the site is left that could take its place, and with `not-told`. */
  to: string | null;
  /**
   * `moved`: the same content; `elsewhere`: the same page on another site; `parent`: the nearest living one;
   * `not-told`: the same content, at an address that the platform does not tell before.
   */
  why: 'moved' | 'elsewhere' | 'parent' | 'nothing-left' | 'not-told';
}

/** A person whose role in a space changes, or may change. */
export interface RoleChange {
  person: { id: string; email?: string };
  space: { id: string; title: string };
  /** The role today; null for none. */
  from: Role | null;
  /** What they have afterwards, at least. */
  to: Role | null;
  /** What they have afterwards at most, where that is more than `to`. */
  most?: Role;
  /**
   * Whether the role becomes another for sure. A loss is certain only with the space itself: a grant that no
   * operation shows may hold what the levels no longer give.
   */
  certain: boolean;
}

/** Something else that rests on what changes. */
export interface Dependent {
  kind:
    | 'condition'
    | 'default'
    | 'spec'
    | 'change-request'
    | 'site-space'
    /** A section of a site. */
    | 'section'
    | 'grant'
    | 'field-value'
    | 'clash'
    /** Something that goes to another place: what a deleted collection held. */
    | 'moved'
    | 'team'
    | 'member'
    /** Replies to a comment. */
    | 'reply'
    /** A way in, or out: SAML, the last administrator. */
    | 'sign-in'
    | 'integration'
    /** Who can read more afterwards. */
    | 'access'
    /** Why the platform will refuse it. */
    | 'refusal';
  id: string;
  title?: string;
  /** One sentence: what becomes of it. */
  what: string;
  /** The platform refuses the change because of it. */
  refused?: true;
}

/** A link that breaks. */
export interface ImpactLink extends InboundLink {
  /** With the titles of what it leads to, where they could be read. */
  to: InboundLink['to'] & { title?: string; spaceTitle?: string };
  /** It leads from what is transferred to what stays. */
  outgoing?: true;
}

export interface Impact {
  question: ImpactQuestion;
  things: (Affected & { title: string })[];
  /** What `to` of the question names, where its title was read. */
  target?: { id: string; title: string };
  links: ImpactLink[];
  urls: DeadUrl[];
  /** Redirects to add: each address that stops, and where its readers should go. */
  redirects: Redirect[];
  dependents: Dependent[];
  people: RoleChange[];
  /** What was looked for; of the rest nothing is said. */
  looked: ImpactAspect[];
  /** What could not be looked at; nothing is claimed about it. */
  unknown: Unread[];
  /** What cannot be undone afterwards, a sentence each. */
  irreversible: string[];
}
