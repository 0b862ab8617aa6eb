import { propertiesOf } from '../kinds/declare.js';
import { type Field, holderOf, type Kind, type LiveItem } from '../model.js';
import { comparable, detourOf } from '../value.js';
import { type Drafting, type ItemDraft, shown } from './drafting.js';

/** Values that no two items may share: they are freed before they are taken. */

export function freeNames(drafting: Drafting): void {
  for (const kind of drafting.world.kinds.values())
    for (const field of kind.fields) if (field.unique !== undefined) new Names(drafting, kind, field).free();
}

class Names {
  readonly #drafting: Drafting;
  readonly #kind: Kind;
  readonly #field: Field;
  /** Who has a value now, by its domain and the value. */
  readonly #holders = new Map<string, LiveItem>();
  /** The operations that set the field, by the live item that they change. */
  readonly #changes = new Map<LiveItem, ItemDraft>();
  /** What must come before each: the change that frees its name. */
  readonly #waiting = new Map<ItemDraft, ItemDraft>();

  constructor(drafting: Drafting, kind: Kind, field: Field) {
    this.#drafting = drafting;
    this.#kind = kind;
    this.#field = field;
  }

  free(): void {
    const { operations, world } = this.#drafting;
    const takers = operations.filter(({ kind, fields, action }) => {
      const after = kind === this.#kind.name && action !== 'delete' && fields[this.#field.key]?.after;
      return after !== undefined && after !== null && after !== false;
    });
    if (takers.length === 0) return;
    for (const live of world.live.items.get(this.#kind.name) ?? []) {
      const value = shown(comparable(this.#field, live.fields[this.#field.key], world.addressOf));
      if (value !== null) this.#holders.set(this.#key(live, value), live);
    }
    for (const taker of takers) if (taker.live !== undefined) this.#changes.set(taker.live, taker);
    for (const taker of takers) this.#wait(taker);
    for (const taker of takers) this.#breakCircle(taker);
  }

  #wait(taker: ItemDraft): void {
    const { removals, about } = this.#drafting;
    const value = taker.fields[this.#field.key]?.after;
    const holder = this.#holders.get(this.#domainOf(taker) + JSON.stringify(value));
    if (holder === undefined || holder === taker.live) return;
    const address = this.#drafting.world.matched.named.get(holder);
    const moved = (address && about.get(address))?.find(({ fields }) => fields.parent !== undefined);
    const change = this.#changes.get(holder);
    if (change !== undefined) this.#waiting.set(taker, change);
    const first = change ?? removals.get(holder) ?? moved;
    if (first === undefined) this.#taken(taker, holder, value);
    else taker.after.add(first);
  }

  /** Of changes that wait for each other, one goes through a temporary name. */
  #breakCircle(start: ItemDraft): void {
    const seen = new Set<ItemDraft>();
    let at: ItemDraft | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      at = this.#waiting.get(at);
    }
    if (at !== start || start.live === undefined) return;
    const waiter = [...seen].find((one) => this.#waiting.get(one) === start);
    if (waiter === undefined) return;
    const { key, name } = this.#field;
    const own = start.fields[key]?.before;
    const temporary = this.#temporary(start, String(own));
    const { op, input } = start.change;
    const { action, cause, live } = start;
    const detour = this.#drafting.add(start, {
      ...{ action, cause, live, op },
      path: input.path ?? {},
      fields: { [key]: { before: own, after: temporary } },
      body: { [name]: temporary },
      rank: [...start.rank.slice(0, -1), -1],
    });
    start.fields = { ...start.fields, [key]: { before: temporary, after: start.fields[key]?.after } };
    start.after.add(detour);
    waiter.after.delete(start);
    waiter.after.add(detour);
    this.#waiting.delete(waiter);
  }

  #temporary(operation: ItemDraft, own: string): string {
    const most = Number(propertiesOf(operation.change.op)[this.#field.name]?.maxLength ?? 100);
    for (let count = 0; ; count += 1) {
      const name = detourOf(own, most, count);
      if (!this.#holders.has(this.#domainOf(operation) + JSON.stringify(name))) return name;
    }
  }

  /** Another item keeps the name, so the platform would refuse the request. */
  #taken(taker: ItemDraft, holder: LiveItem, value: unknown): void {
    const { operations, world, about, creations } = this.#drafting;
    const { address, cause } = taker;
    if (creations.get(address) === taker) return;
    operations.splice(operations.indexOf(taker), 1);
    about.set(
      address,
      (about.get(address) ?? []).filter((one) => one !== taker),
    );
    const other = `the ${this.#kind.one} ${world.callOf(holder)}`;
    this.#drafting.find(taker, {
      cause,
      code: 'taken',
      message: `${this.#field.key} of ${address} cannot become ${String(value)}: ${other} has it.`,
      hint: 'Choose another value, or change the other one first.',
      fields: taker.fields,
    });
  }

  #domainOf({ live, address }: ItemDraft): string {
    const { world } = this.#drafting;
    const parent = world.item(address)?.parent;
    if (this.#field.unique === 'organization') return '';
    if (this.#field.unique === 'site') return `${address.split('/')[1]} `;
    if (parent !== undefined) return `${parent} `;
    return live?.parent === undefined ? '' : `${world.nameOf(live.parent)} `;
  }

  #key(live: LiveItem, value: unknown): string {
    const { world } = this.#drafting;
    const text = JSON.stringify(value);
    if (this.#field.unique === 'organization') return text;
    if (this.#field.unique === 'siblings')
      return (live.parent === undefined ? '' : `${world.nameOf(live.parent)} `) + text;
    const around = holderOf(live, 'sites');
    return `${around === undefined ? '' : world.nameOf(around).split('/')[1]} ${text}`;
  }
}
