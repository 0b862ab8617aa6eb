import { emailKey, exactKey } from '../base/name.js';
import type { Field, Kind } from './kind.js';
import type { DesiredItem, LiveItem } from './model.js';

/** The live items of a kind by what items of files are matched by. Ids and names count within the kind's scope. */
export class Candidates {
  readonly #kind: Kind;
  readonly #items: readonly LiveItem[];
  #ids?: ReadonlyMap<string, LiveItem>;
  #naturals?: ReadonlyMap<string, LiveItem[]>;
  #titles?: ReadonlyMap<string, LiveItem[]>;
  readonly #titleField: Field | undefined;
  readonly #unique: readonly Field[];

  constructor(kind: Kind, items: readonly LiveItem[]) {
    this.#kind = kind;
    this.#items = items;
    this.#titleField = titleField(kind);
    this.#unique = kind.fields.filter(({ unique }) => unique !== undefined);
  }

  withId(scope: string, id: string): LiveItem | undefined {
    this.#ids ??= new Map(this.#items.map((item) => [within(this.#scopeOf(item), item.id), item]));
    return this.#ids.get(within(scope, id));
  }

  /** @param natural as `folded` gives it; of a kind that names another, the id of the other */
  withNatural(scope: string, natural: string): readonly LiveItem[] {
    const { names } = this.#kind;
    this.#naturals ??= this.#by(({ natural: own }) =>
      own === undefined || names !== undefined ? own : folded(own),
    );
    return this.#naturals.get(within(scope, natural)) ?? [];
  }

  withUnique(scope: string, item: DesiredItem, parent: LiveItem | undefined): readonly LiveItem[] {
    for (const { key, unique } of this.#unique) {
      const value = item.fields[key];
      if (typeof value !== 'string') continue;
      const found = this.#items.filter((one) => one.fields[key] === value && this.#scopeOf(one) === scope);
      const beside = unique === 'siblings' ? found.filter((one) => one.parent === parent) : found;
      if (beside.length > 0) return beside;
    }
    return [];
  }

  withTitle(scope: string, item: DesiredItem, isFree: (item: LiveItem) => boolean): LiveItem[] {
    const title = this.titleOf(item);
    if (title === undefined) return [];
    this.#titles ??= this.#by(({ title: own }) => exactKey(own));
    return (this.#titles.get(within(scope, title)) ?? []).filter(isFree);
  }

  titleOf({ fields }: DesiredItem): string | undefined {
    const title = this.#titleField && fields[this.#titleField.key];
    return typeof title === 'string' ? exactKey(title) : undefined;
  }

  #by(key: (item: LiveItem) => string | undefined): ReadonlyMap<string, LiveItem[]> {
    const found = new Map<string, LiveItem[]>();
    for (const item of this.#items) {
      const own = key(item);
      if (own === undefined) continue;
      const name = within(this.#scopeOf(item), own);
      const list = found.get(name);
      if (list === undefined) found.set(name, [item]);
      else list.push(item);
    }
    return found;
  }

  #scopeOf(item: LiveItem): string {
    const { scope } = this.#kind;
    if (scope === undefined) return '';
    let parent = item.parent;
    while (parent !== undefined && parent.kind !== scope) parent = parent.parent;
    return parent?.id ?? '';
  }
}

function within(scope: string, name: string): string {
  return scope === '' ? name : `${scope} ${name}`;
}

/** The field that holds what people call an item of the kind. */
export function titleField({ fields }: Pick<Kind, 'fields'>): Field | undefined {
  return fields.find(({ key }) => key === 'title') ?? fields.find(({ key }) => key === 'label');
}

/** A natural key as it is compared. */
export function folded(key: string): string {
  return key.includes('@') ? emailKey(key) : exactKey(key);
}
