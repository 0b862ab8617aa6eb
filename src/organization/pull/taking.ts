import type { ListSpot, Reading } from '../files/reading.js';
import type { Kind } from '../kind.js';
import type { Matched } from '../match.js';
import type { Address, DesiredItem, LiveItem, Scope } from '../model.js';
import type { LiveTree } from './live-tree.js';

/** Which new items of the platform the lists of the files take. */
export class Taking {
  /** New items, by kind and id. */
  readonly #here = new Set<string>();

  constructor(
    private readonly reading: Reading,
    private readonly tree: LiveTree,
    private readonly matched: Matched,
    /** The kind whose items stand with people. */
    private readonly members: Kind | undefined,
    private readonly added: Set<LiveItem>,
  ) {}

  add(item: LiveItem): void {
    this.added.add(item);
    this.#here.add(`${item.kind} ${item.id}`);
  }

  /** Whether there is a list for it that takes new items. @param onlyExact whether only those that name all count */
  takes(kind: Kind, item: LiveItem, address: Address, onlyExact: boolean): boolean {
    const scope = this.scopeOf({ kind: kind.name, address });
    if (scope === undefined || scope.manage === 'none') return false;
    if (onlyExact && scope.manage !== 'exact') return false;
    if (kind === this.members && !this.#isHere('people', item.natural ?? '')) return false;
    const { parent } = item;
    if (parent === undefined) return true;
    return this.#isHere(parent.kind, parent.id) && (kind === this.members || this.#hasList(parent));
  }

  scopeOf(item: Pick<DesiredItem, 'kind' | 'address'>): Scope | undefined {
    const scopes = this.reading.scopes.filter(({ kinds }) => kinds.includes(item.kind));
    return scopes.find(
      ({ within }) => within === undefined || within.split('/')[1] === item.address.split('/')[1],
    );
  }

  /** Whether an item is in the files, or comes into them. */
  #isHere(kind: LiveItem['kind'], id: string): boolean {
    return this.matched.address.has(`${kind} ${id}`) || this.#here.has(`${kind} ${id}`);
  }

  /** Parts of a site are not looked at where its file has no structure; other items get lists as they need them. */
  #hasList(parent: LiveItem): boolean {
    const address = this.tree.names.of(parent);
    const kind = this.reading.kind(parent.kind);
    return (
      this.added.has(parent) ||
      kind?.spot.list !== undefined ||
      this.reading.lists.some((list: ListSpot) => list.parent === address)
    );
  }
}
