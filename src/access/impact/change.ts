import type { Role } from '../../api/shapes.js';
import type { Unread } from '../../reading/reading.js';
import type { InboundLink } from '../links/inbound.js';

/** What deleting, moving, transferring or renaming something would break, from reads alone. */

export const impactActions = ['delete', 'move', 'transfer', 'rename'] as const;
export type ImpactAction = (typeof impactActions)[number];

/** What is looked for; a person can ask for some of it, and fail on each. */
export const impactAspects = ['links', 'urls', 'dependents', 'people'] as const;
export type ImpactAspect = (typeof impactAspects)[number];

/** What an impact is asked about; which action goes with which kind, the commands of these kinds tell. */
export interface Affected {
  object:
    | 'space'
    | 'collection'
    | 'site'
    | 'site-section'
    | 'site-section-group'
    | 'site-space'
    | 'team'
    | 'member'
    | 'custom-field'
    | 'openapi-spec'
    | 'saml-provider'
    | 'translation-settings'
    | 'organization'
    | 'invite'
    | 'comment'
    | 'file';
  id: string;
  /** Ids that its path needs beside its own: `siteId`, `spaceId`, `changeRequestId`. */
  within?: Readonly<Record<string, string>>;
}

export interface ImpactQuestion {
  action: ImpactAction;
  things: readonly Affected[];
  /**
   * `move`: the collection (null for the top); none where only the order changes. `transfer`: the organization.
   * `rename`: what addresses are made of; a proxy of null removes it.
   */
  to?: {
    parent?: string | null;
    organization?: string;
    title?: string;
    path?: string;
    basename?: string;
    hostname?: string;
    proxy?: string | null;
  };
}

/** A published address that stops working, or that becomes another. */
export interface DeadUrl {
  url: string;
  site: string;
  kind: 'site' | 'section' | 'site-space' | 'page';
  title: string;
  /** Where the same content is afterwards; undefined where it is gone. */
  becomes?: string;
}

/** Where the readers of an address that stops should go. */
export interface Redirect {
  from: string;
  /** Null where no page of the site is left that could take its place. */
  to: string | null;
  /** `moved`: the same content; `elsewhere`: the same page on another site; `parent`: the nearest living one. */
  why: 'moved' | 'elsewhere' | 'parent' | 'nothing-left';
}

/** A person whose role in a space changes. `to` is what they have at least. */
export interface RoleChange {
  person: { id: string; email?: string };
  space: { id: string; title: string };
  from: Role;
  to: Role | null;
  /** Whether it happens for sure, or only where no grant that is not shown gives as much. */
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
    | 'grant'
    | 'field-value'
    | 'clash'
    /** Something that goes to another place: what a deleted collection held. */
    | 'moved'
    | 'team'
    | 'member'
    /** A way in, or out: SAML, the last administrator. */
    | 'sign-in'
    | 'integration';
  id: string;
  title?: string;
  /** One sentence: what becomes of it. */
  what: string;
}

export interface Impact {
  question: ImpactQuestion;
  things: (Affected & { title: string })[];
  links: InboundLink[];
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
