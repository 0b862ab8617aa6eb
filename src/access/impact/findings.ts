import type { AnyOperation } from '../../api/operation.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { allItems, type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { InboundOptions } from '../links/inbound.js';
import type {
  Affected,
  DeadUrl,
  Dependent,
  Impact,
  ImpactAspect,
  ImpactLink,
  ImpactQuestion,
  Redirect,
  RoleChange,
} from './change.js';
import { undoLimit } from './undo-limit.js';

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
