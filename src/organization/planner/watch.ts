import { pluralOf } from '../../model/resources.js';
import { counted } from '../../output/counted.js';
import type { PlanNote } from '../../plans/plan.js';
import { isEntryOf, isUnsetEntry } from '../former.js';
import type { Address, DesiredItem, KindName, LiveItem } from '../model.js';
import type { Drafting } from './drafting.js';
import { leftItems, leftNotes } from './left.js';
import { type Part, partsToWatch } from './watched-parts.js';
import type { World } from './world.js';

/**
 * What the files do not name, compared with the last pull or apply: fields of their items, and items that left them.
 * `docs drift` has findings for what differs and for what the lock does not tell; other plans have notes.
 */
export function watched(drafting: Drafting): PlanNote[] {
  const { world } = drafting;
  if (world.lock === undefined || world.options.watches !== true) return [];
  const watch = new Watch(world);
  for (const item of world.desired.items.values()) watch.named(item);
  const left = leftItems(world);
  for (const { address, live } of left) watch.left(address, live);
  const { changed, unknown } = watch;
  if (world.options.only !== 'drift') return [...changed.map(noteOf), ...leftNotes(drafting, left)];
  for (const { item, ...rest } of changed) drafting.find(item, { cause: 'drift', code: 'unnamed', ...rest });
  if (unknown.length > 0) drafting.find(lockItem, { cause: 'drift', code: 'unwatched', ...lackOf(unknown) });
  return [...leftNotes(drafting, left), watch.told()];
}

const lockItem = { kind: 'organization', address: 'organization/lock', key: 'docs.lock.json' } as const;

interface Difference {
  item: Pick<DesiredItem, 'kind' | 'address' | 'key'>;
  fields: Record<string, { before: unknown }>;
  message: string;
  hint: string;
}

class Watch {
  readonly changed: Difference[] = [];
  /** Items of which the lock does not tell everything that was last pulled or applied. */
  readonly unknown: Address[] = [];
  readonly #kinds = new Set<KindName>();
  #items = 0;
  #fields = 0;

  constructor(private readonly world: World) {}

  /** An item of the files. What they name differs by a change, drift or conflict, which the plan has. */
  named(item: DesiredItem): void {
    const live = this.world.matched.live.get(item.address);
    if (item.external || live === undefined) return;
    const { names, comes } = this.#compare(item.address, live, item);
    if (names.length === 0) return;
    const { file } = item.at;
    const taking = comes
      ? '"docs pull --only drift" writes it into the file'
      : '"docs pull" takes it as it is now';
    const message = `Changed on the platform since the last pull or apply, and not named in ${file}: ${names.join(', ')}.`;
    const hint = `${taking}; to revert it, name it in ${file} and apply.`;
    this.#add(item, live, names, message, hint);
  }

  /** An item that the lock knows and no file names. */
  left(address: Address, live: LiveItem | undefined): void {
    if (live === undefined) return void this.unknown.push(address);
    const { names } = this.#compare(address, live, undefined);
    if (names.length === 0) return;
    const item = { kind: live.kind, address, key: this.world.callOf(live) };
    const message = `No longer in the files, and changed on the platform since the last pull or apply: ${names.join(', ')}.`;
    const hint = '"docs pull" takes it as it is now; to manage it, put it back into the files.';
    this.#add(item, live, names, message, hint);
  }

  told(): PlanNote {
    const kinds = [...this.#kinds].map((name) => pluralOf(this.world.kind(name).one));
    const what = `${counted(this.#items, 'item')} and ${counted(this.#fields, 'field')}`;
    const message = `Compared ${what} with the last pull or apply: ${kinds.join(', ') || 'nothing'}.`;
    const hint = '"docs help guide organization-as-code" names what no drift shows.';
    return { code: 'watched', item: lockItem.key, message, hint, count: this.#items };
  }

  /** @returns the fields that no file names and that differ; whether pull writes all of them into the file */
  #compare(
    address: Address,
    live: LiveItem,
    item: DesiredItem | undefined,
  ): { names: string[]; comes: boolean } {
    const { world } = this;
    this.#kinds.add(live.kind);
    this.#items += 1;
    const entry = item === undefined ? world.lock?.items[address] : world.entry(address);
    const parts = entry?.id === live.id ? partsToWatch(world, live, item, entry.applied) : undefined;
    let isKnown = parts !== undefined;
    const names: string[] = [];
    let comes = true;
    for (const part of parts ?? []) {
      this.#fields += 1;
      if (part.entry === undefined) isKnown = false;
      else if (this.#isAsApplied(part)) continue;
      else if (part.named === undefined) {
        names.push(part.name);
        comes &&= part.field !== undefined && isUnsetEntry(part.field, part.entry);
      }
      // Files and platform agree on something else: the lock is older than that.
      else if (part.named === 'equal') isKnown = false;
    }
    if (!isKnown) this.unknown.push(address);
    return { names, comes };
  }

  #isAsApplied({ entry, value, field }: Part): boolean {
    return isEntryOf(this.world.matched.former, entry, value, field);
  }

  #add(item: Difference['item'], { fields }: LiveItem, names: string[], message: string, hint: string): void {
    const shown = names.map((name) => [name, { before: shownValue(fields, name) }]);
    const { kind, address, key } = item;
    this.changed.push({ item: { kind, address, key }, fields: Object.fromEntries(shown), message, hint });
  }
}

/** What the platform has now: of `fields.owner` the part of the map. */
function shownValue(fields: LiveItem['fields'], name: string): unknown {
  if (name in fields) return fields[name] ?? null;
  const [map = '', part = ''] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)];
  return (fields[map] as Readonly<Record<string, unknown>> | undefined)?.[part] ?? null;
}

function noteOf({ item, message, hint }: Difference): PlanNote {
  return { code: 'unnamed', item: item.address, message, hint };
}

function lackOf(unknown: readonly Address[]): { message: string; hint: string } {
  const first = unknown.slice(0, 3).join(', ');
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
  return {
    message:
      `docs.lock.json does not say what was last pulled or applied of ${counted(unknown.length, 'item')}, ` +
      `so changes made by hand may go unseen: ${first}${more}.`,
    hint: 'Commit the docs.lock.json of the last apply; if there is none, "docs pull" writes down how things are now.',
  };
}
