import type { Address, Desired, DesiredItem, KindName } from '../../../src/organization/model.js';
import { files, wanted } from './build.js';
import { lastOf } from './seeded.js';

/** Edits of files at random: titles, roles, places, orders, paths that change places, items that come and go. */

export class Editing {
  readonly #random: () => number;
  readonly #scopes: Desired['scopes'];
  items: DesiredItem[];
  #count = 0;

  /** @param seed of the edits; the same one gives the same edits */
  constructor(desired: Desired, seed: number) {
    this.items = [...desired.items.values()];
    this.#scopes = desired.scopes;
    this.#random = randomFrom(seed);
  }

  get desired(): Desired {
    return files(this.items, { scopes: this.#scopes });
  }

  edit(times: number): this {
    const edits = [
      this.#retitle,
      this.#role,
      this.#add,
      this.#shuffle,
      this.#shuffle,
      this.#regroup,
      this.#collect,
      this.#swap,
      this.#remove,
      this.#membership,
      this.#place,
      this.#anew,
      this.#show,
    ];
    for (let count = 0; count < times; count += 1) this.#pick(edits)?.call(this);
    return this;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #of(...kinds: KindName[]): DesiredItem[] {
    return this.items.filter(({ kind }) => kinds.includes(kind));
  }

  #put(item: DesiredItem | undefined, more: Partial<DesiredItem>): void {
    this.items = this.items.map((one) => (one.address === item?.address ? { ...one, ...more } : one));
  }

  #set(item: DesiredItem | undefined, fields: Readonly<Record<string, unknown>>): void {
    this.#put(item, { fields: { ...item?.fields, ...fields } });
  }

  #name(): string {
    this.#count += 1;
    return `new-${this.#count}-${Math.floor(this.#random() * 1000)}`;
  }

  #retitle(): void {
    const item = this.#pick(
      this.#of('teams', 'collections', 'spaces', 'groups', 'sections', 'sites', 'translations'),
    );
    this.#set(item, { title: `Title ${this.#name()}` });
  }

  #role(): void {
    this.#set(this.#pick(this.#of('people').filter(({ fields }) => fields.role !== 'admin')), {
      role: this.#pick(['edit', 'review', 'read', 'guest', 'admin']),
    });
  }

  #add(): void {
    const kind = this.#pick([
      'teams',
      'translations',
      'collections',
      'fields',
      'groups',
      'sites',
      'sections',
    ] as const);
    const key = this.#name();
    const title = `Title ${key}`;
    if (kind === 'fields') this.items.push(wanted(`fields/${key}`, { type: 'text', title }));
    else if (kind === 'collections') {
      const parent = this.#random() < 0.5 ? this.#pick(this.#of('collections'))?.address : undefined;
      this.items.push(wanted(`collections/${key}`, { title, description: key }, parent ? { parent } : {}));
    } else if (kind === 'sites') this.#addSite(key, title);
    else if (kind === 'groups') {
      const parent = this.#pick(
        this.#of('sites').filter(({ address }) => this.#hasSections(address)),
      )?.address;
      if (parent) this.items.push(wanted(`groups/${lastOf(parent)}/${key}`, { title }, { parent }));
    } else if (kind === 'sections') this.#addSection(key, title);
    else if (kind !== undefined) this.items.push(wanted(`${kind}/${key}`, { title }));
  }

  #hasSections(site: Address): boolean {
    return this.items.some(({ address }) => address.startsWith(`sections/${lastOf(site)}/`));
  }

  #addSite(key: string, title: string): void {
    const site: Address = `sites/${key}`;
    this.items.push(wanted(site, { title, visibility: 'unlisted' }));
    for (const space of this.#of('spaces').filter(() => this.#random() < 0.5)) {
      const own = { path: `p-${space.key}` };
      this.items.push(wanted(`site-spaces/${key}/${space.key}`, own, { parent: site }));
    }
  }

  #addSection(key: string, title: string): void {
    const site = this.#pick(this.#of('sites').filter(({ address }) => this.#hasSections(address)))?.address;
    const free = this.#of('spaces').filter(
      (space) =>
        !this.items.some(({ address }) => address === `site-spaces/${lastOf(site ?? '')}/${space.key}`),
    );
    const space = this.#pick(free);
    if (site === undefined || space === undefined) return;
    const group = this.#pick(this.#of('groups').filter(({ parent }) => parent === site));
    const parent = this.#random() < 0.5 && group ? group.address : site;
    const section: Address = `sections/${lastOf(site)}/${key}`;
    this.items.push(wanted(section, { title, path: key }, { parent }));
    this.items.push(
      wanted(`site-spaces/${lastOf(site)}/${space.key}`, { path: 'start' }, { parent: section }),
    );
  }

  /** Puts the children of one parent into another order. */
  #shuffle(): void {
    const parents = [
      ...new Set(
        this.#of('collections', 'sections', 'groups', 'site-spaces', 'spaces').map((one) => one.parent),
      ),
    ];
    const parent = this.#pick(parents);
    const inside = this.items.filter((one) => one.parent === parent);
    const others = this.items.filter((one) => one.parent !== parent);
    this.items = [...others, ...inside.sort(() => this.#random() - 0.5)];
  }

  #regroup(): void {
    const section = this.#pick(this.#of('sections'));
    if (section === undefined) return;
    const site: Address = `sites/${section.address.split('/')[1]}`;
    const groups = this.#of('groups').filter(({ parent }) => parent === site);
    this.#put(section, { parent: this.#random() < 0.4 ? site : (this.#pick(groups)?.address ?? site) });
  }

  #collect(): void {
    const item = this.#pick(this.#of('spaces', 'collections'));
    const into = this.#random() < 0.3 ? undefined : this.#pick(this.#of('collections'));
    for (let at = into; at !== undefined; at = this.items.find(({ address }) => address === at?.parent))
      if (at.address === item?.address) return;
    if (item === undefined) return;
    const { parent: _, ...rest } = item;
    const moved = into === undefined ? rest : { ...rest, parent: into.address };
    this.items = this.items.map((one) => (one.address === item.address ? moved : one));
  }

  /** Two paths, or three, change places. */
  #swap(): void {
    const kind = this.#pick(['sections', 'site-spaces'] as const) ?? 'sections';
    const first = this.#pick(this.#of(kind).filter(({ fields }) => fields.path !== undefined));
    const scope = first?.address.split('/')[1];
    const beside = this.#of(kind).filter(({ address, parent, fields }) =>
      fields.path === undefined
        ? false
        : kind === 'sections'
          ? address.split('/')[1] === scope
          : parent === first?.parent,
    );
    const some = beside.sort(() => this.#random() - 0.5).slice(0, 3);
    some.forEach((item, at) => {
      this.#set(item, { path: some[(at + 1) % some.length]?.fields.path });
    });
  }

  #remove(): void {
    const item = this.#pick(
      this.#of('teams', 'translations', 'groups', 'collections', 'memberships', 'fields'),
    );
    if (item === undefined) return;
    const gone = item.address;
    const isNamed = this.items.some(({ fields }) => JSON.stringify(fields).includes(`"${gone}"`));
    if (isNamed || this.items.some(({ parent, kind }) => parent === gone && kind !== 'memberships')) return;
    this.items = this.items.filter(({ address, parent }) => address !== gone && parent !== gone);
    if (item.kind !== 'fields') return;
    for (const space of this.#of('spaces')) {
      const { [item.key]: _, ...values } = (space.fields.fields ?? {}) as Record<string, unknown>;
      this.#set(space, { fields: values });
    }
  }

  #membership(): void {
    const [team, person] = [this.#pick(this.#of('teams')), this.#pick(this.#of('people'))];
    if (team === undefined || person === undefined) return;
    const address: Address = `memberships/${team.key}/${person.key}`;
    const known = this.items.find((one) => one.address === address);
    if (known !== undefined) this.#set(known, { role: 'owner' });
    else
      this.items.push(wanted(address, { role: this.#pick(['owner', 'member']) }, { parent: team.address }));
  }

  /** A value of a text field on a space. */
  #place(): void {
    const field = this.#pick(this.#of('fields').filter(({ fields }) => fields.type === 'text'));
    const space = this.#pick(this.#of('spaces'));
    if (field === undefined || space === undefined) return;
    this.#set(space, {
      fields: { ...(space.fields.fields as object), [field.key]: `value ${this.#name()}` },
    });
  }

  /** A site space comes into another section. */
  #anew(): void {
    const item = this.#pick(this.#of('site-spaces').filter(({ parent }) => parent?.startsWith('sections/')));
    const beside = this.items.filter(({ parent }) => parent === item?.parent);
    const scope = item?.address.split('/')[1];
    const into = this.#pick(this.#of('sections').filter(({ address }) => address.split('/')[1] === scope));
    if (item === undefined || into === undefined || beside.length < 2) return;
    const taken = this.items.some(
      ({ parent, fields }) => parent === into.address && fields.path === item.fields.path,
    );
    if (taken || this.items.some(({ fields }) => JSON.stringify(fields).includes(`"${item.address}"`)))
      return;
    this.#put(item, { parent: into.address });
  }

  /** What a site or a section shows first. */
  #show(): void {
    const parent = this.#pick(this.#of('sites', 'sections'));
    const inside = this.items.filter((one) => one.parent === parent?.address && one.kind !== 'groups');
    const shown = this.#pick(inside);
    if (parent !== undefined && shown !== undefined) this.#set(parent, { default: { $ref: shown.address } });
  }
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
