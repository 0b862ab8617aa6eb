import type { Role } from '../../api/shapes.js';
import type { Unread } from '../../reading/reading.js';
import type { InboundLink } from '../links/inbound.js';

/** What deleting, moving, transferring or renaming something would break, from reads alone. */

export const impactActions = ['delete', 'move', 'transfer', 'rename'] as const;
export type ImpactAction = (typeof impactActions)[number];

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
    | 'file';
  id: string;
  /** Ids that its path needs beside its own: `siteId`, `spaceId`. */
  within?: Readonly<Record<string, string>>;
}

export interface ImpactQuestion {
  action: ImpactAction;
  things: readonly Affected[];
  /** `move`: the collection (null for the top). `transfer`: the organization. `rename`: the new title or path. */
  to?: { parent?: string | null; organization?: string; title?: string; path?: string };
}

/** A published address that stops working, or that becomes another. */
export interface DeadUrl {
  url: string;
  site: string;
  /** Where the same content is afterwards; undefined where it is gone. */
  becomes?: string;
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
    | 'grant'
    | 'field-value'
    | 'clash';
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
  redirects: { from: string; to: string }[];
  dependents: Dependent[];
  people: RoleChange[];
  /** What could not be looked at; nothing is claimed about it. */
  unknown: Unread[];
  /** What cannot be undone afterwards, a sentence each. */
  irreversible: string[];
}
