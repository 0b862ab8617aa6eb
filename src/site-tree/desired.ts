import { keyFor, keyIn, Names, noFiles } from '../organization/keys.js';
import { kinds } from '../organization/kinds/index.js';
import type { Address, Desired, DesiredItem, KindName, Live, LiveItem } from '../organization/model.js';
import type { Lock } from '../plans/lock.js';
import type { Joined } from './join.js';
import type { TreeLine } from './model.js';
import type { ParsedTree } from './parse.js';
import { type LiveSite, spaceItem } from './read-site.js';

/** What a text says, in the form in which files of the organization as code say it. */

export interface Wanted {
  desired: Desired;
  /** What the platform shows, with the spaces that come onto the site. */
  live: Live;
  /** Ties each item to its id. Never written. */
  lock: Lock;
}

const kindsOf = { group: 'groups', section: 'sections', space: 'site-spaces' } as const;

/** @param file what the text is called in messages */
export function wantedBy({ top }: ParsedTree, read: LiveSite, joined: Joined, file: string): Wanted {
  const live = withAdded(read.live, joined);
  const site = live.items.get('sites')?.[0];
  if (site === undefined) throw new Error('a site that was read is not there');
  const making = new Making(live, site, joined, file);
  making.addAll(top);
  const scope = { kinds: Object.values(kindsOf), within: making.site, manage: 'exact' as const };
  const at = { file, line: 1, column: 1, path: '' };
  const desired = { items: making.items, scopes: [{ ...scope, at }], guards: {} };
  return { desired, live, lock: making.lock() };
}

function withAdded(live: Live, { added }: Joined): Live {
  const items = new Map(live.items);
  const more = [...added.values()].map(({ id, title }) => spaceItem(id, title));
  items.set('spaces', [...(live.items.get('spaces') ?? []), ...more]);
  return { ...live, items };
}

class Making {
  readonly items = new Map<Address, DesiredItem>();
  readonly site: Address;
  readonly #names: Names;
  readonly #live: Live;
  readonly #joined: Joined;
  readonly #file: string;
  readonly #taken = new Set<Address>();

  constructor(live: Live, site: LiveItem, joined: Joined, file: string) {
    this.#names = new Names(kinds, live, undefined, noFiles);
    this.#live = live;
    this.#joined = joined;
    this.#file = file;
    this.site = this.#names.of(site) ?? `sites/id:${site.id}`;
    for (const item of [...live.items.values()].flat()) this.#taken.add(this.#addressOf(item));
  }

  addAll(top: readonly TreeLine[]): void {
    for (const space of this.#live.items.get('spaces') ?? [])
      this.#put('spaces', this.#addressOf(space), { external: true });
    const sections = top.flatMap((line) => (line.kind === 'group' ? line.children : [line]));
    this.#put('sites', this.site, { fields: this.#defaultOf(sections) });
    this.#addLevel(top, this.site);
  }

  #addLevel(lines: readonly TreeLine[], parent: Address): void {
    for (const [index, line] of lines.entries()) {
      const item = this.#joined.items.get(line);
      const address = this.#lineAddress(line);
      const fields: Record<string, unknown> = {
        ...(line.kind === 'section' && this.#defaultOf(line.children)),
      };
      // The platform shows the first space of a new section first.
      if (item === undefined && line.children[0]?.isDefault) delete fields.default;
      if (line.kind !== 'space' && line.title !== undefined) fields.title = line.title;
      if (line.path !== undefined) fields.path = line.path;
      this.#put(kindsOf[line.kind], address, { fields, parent, index, line: line.line });
      this.#addLevel(line.children, address);
    }
  }

  /** What is marked among lines; nothing where none is, so that it stays as it is. */
  #defaultOf(lines: readonly TreeLine[]): Record<string, unknown> {
    const shown = lines.find(({ isDefault }) => isDefault);
    return shown === undefined ? {} : { default: { $ref: this.#lineAddress(shown) } };
  }

  readonly #addresses = new Map<TreeLine, Address>();

  #lineAddress(line: TreeLine): Address {
    const known = this.#addresses.get(line);
    if (known !== undefined) return known;
    const item = this.#joined.items.get(line);
    const address = item === undefined ? this.#newAddress(line) : this.#addressOf(item);
    this.#addresses.set(line, address);
    return address;
  }

  /** A site space is called as its space, whatever else has that name. */
  #newAddress(line: TreeLine): Address {
    const prefix = `${kindsOf[line.kind]}/${keyIn(this.site)}/`;
    const space = this.#joined.added.get(line);
    if (space !== undefined) {
      const own = this.#live.items.get('spaces')?.find(({ id }) => id === space.id);
      return `${prefix}${own === undefined ? `id:${space.id}` : keyIn(this.#addressOf(own))}` as Address;
    }
    const key = keyFor(line.path ?? line.title ?? '');
    let address = `${prefix}${key}` as Address;
    for (let number = 2; this.#taken.has(address); number += 1)
      address = `${prefix}${key}-${number}` as Address;
    this.#taken.add(address);
    return address;
  }

  /** All that the platform shows, also what no line names. */
  lock(): Lock {
    const all = [...this.#live.items.values()].flat();
    const entries = all.map((item) => [this.#addressOf(item), { id: item.id, applied: {} }] as const);
    return { version: 1, org: this.#live.organizationId, origin: '', items: Object.fromEntries(entries) };
  }

  #addressOf(item: LiveItem): Address {
    // A space that the token cannot see has no name that its site space could have.
    const isHidden = item.kind === 'site-spaces' && item.natural === undefined;
    const address = isHidden ? undefined : this.#names.of(item);
    return address ?? `${item.kind}/${item.kind === 'spaces' ? '' : `${keyIn(this.site)}/`}id:${item.id}`;
  }

  #put(kind: KindName, address: Address, more: Partial<DesiredItem> & { line?: number }): void {
    const { line = 1, ...rest } = more;
    const item = { kind, address, key: address.slice(address.lastIndexOf('/') + 1), index: 0, fields: {} };
    const at = { file: this.#file, line, column: 1, path: '' };
    this.items.set(address, { ...item, protected: false, external: false, at, places: {}, ...rest });
  }
}
