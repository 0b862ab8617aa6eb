import type { AnyOperation } from '../../api/operation.js';
import type { Role } from '../../api/shapes.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import type { ObjectName } from '../../model/resources.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { allItems, type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { InboundLink, InboundOptions } from '../links/inbound.js';

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

/** What one look at an impact found so far. */
export class Findings {
  readonly things: Impact['things'] = [];
  target: Impact['target'];
  readonly links: ImpactLink[] = [];
  readonly urls: DeadUrl[] = [];
  readonly redirects: Redirect[] = [];
  readonly dependents: Dependent[] = [];
  readonly people: RoleChange[] = [];
  readonly unknown: Unread[] = [];
  readonly irreversible: string[] = [];
  readonly reading: Reading;
  /** The organization of the reading: what several questions need is read once. */
  readonly organization: OrganizationSnapshot;
  /** Called after the links of each space were read, with the number read and of all. */
  readonly onSpace: InboundOptions['onSpace'];
  readonly #aspects: ReadonlySet<ImpactAspect>;

  /** @param aspects what to look for */
  constructor(reading: Reading, aspects: ReadonlySet<ImpactAspect>, onSpace?: InboundOptions['onSpace']) {
    this.reading = reading;
    this.organization = organization(reading);
    this.onSpace = onSpace;
    this.#aspects = aspects;
  }

  /** Whether any of these is looked for. */
  wants(...aspects: ImpactAspect[]): boolean {
    return aspects.some((aspect) => this.#aspects.has(aspect));
  }

  thing(affected: Affected, title: string): void {
    this.things.push({ ...affected, title });
  }

  /**
   * Reads something that may be refused; a failure counts as unknown.
   * @throws what all other reads would meet, too (`readFailure`)
   */
  async attempt<T>(what: Omit<Unread, 'error'>, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (cause) {
      this.unknown.push(unreadOf(cause, this.reading.signal, what));
      return undefined;
    }
  }

  /** All items of a list, as `attempt`. */
  items<T>(what: Omit<Unread, 'error'>, list: AsyncIterable<T>): Promise<T[] | undefined> {
    return this.attempt(what, () => allItems(list));
  }

  /** Says what undo leaves of a deletion. */
  limitedUndo(deletion: AnyOperation): void {
    const limit = undoLimit(deletion);
    if (limit !== undefined) this.irreversible.push(limit);
  }

  /** Tells that something cannot be known, though nothing failed. */
  cannotTell(what: Omit<Unread, 'error'>, code: string, message: string): void {
    this.unknown.push({ ...what, error: new DocsError('partial', code, message) });
  }

  /** Tells that a role may change which could not be read. */
  unknownRole(person: RoleChange['person'], space: RoleChange['space']): void {
    const what = { kind: 'role', id: person.id, ...defined({ title: person.email }), space: space.id };
    this.cannotTell(what, 'role_unknown', `Today's role in ${space.title} could not be read; it may change.`);
  }

  impact(question: ImpactQuestion): Impact {
    const { things, target, links, urls, redirects, people, unknown, irreversible } = this;
    // What makes the rest idle comes first.
    const dependents = this.dependents.toSorted((a, b) => Number(b.refused ?? 0) - Number(a.refused ?? 0));
    const looked = [...this.#aspects];
    return {
      question,
      things,
      ...defined({ target }),
      links,
      urls,
      redirects,
      dependents,
      people,
      looked,
      unknown,
      irreversible: [...new Set(irreversible)],
    };
  }
}

/** What undo leaves of a deletion, by its rule: a sentence; undefined where undo is exact. */
export function undoLimit(op: AnyOperation): string | undefined {
  const { undo, why } = ruleOf(op).forecast({}, undefined);
  if (undo === 'exact') return undefined;
  const limit = undo === 'none' ? 'It cannot be undone' : 'Undo is best effort';
  return why === undefined ? `${limit}.` : `${limit}: ${why}.`;
}
