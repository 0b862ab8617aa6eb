/** Whether a value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is a text; undefined for any other. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value of a JSON text; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Adds to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The items by a key, in their order. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    addTo(groups, keyOf(item), item);
  }
  return groups;
}

/** The keys of T that may be undefined become optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} extends infer O
  ? { [K in keyof O]: O[K] }
  : never;

/** The object without the keys whose value is undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  const isWhole = !Object.values(object).includes(undefined);
  const kept = () => Object.entries(object).filter(([, value]) => value !== undefined);
  return (isWhole ? { ...object } : Object.fromEntries(kept())) as Defined<T>;
}

/** The parts of a JSON value that are meant, in their order. */
export function findParts<P>(value: unknown, isMeant: (part: unknown) => part is P): P[] {
  if (isMeant(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part) => findParts(part, isMeant));
}

/** A copy of a JSON value with the parts that are meant replaced; what has none stays the same object. */
export function replaceParts<P>(
  value: unknown,
  isMeant: (part: unknown) => part is P,
  by: (part: P) => unknown,
): unknown {
  if (isMeant(value)) return by(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceParts(item, isMeant, by));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const keys = Object.keys(value);
  const parts = keys.map((key) => replaceParts(value[key], isMeant, by));
  if (keys.every((key, at) => parts[at] === value[key])) return value;
  return Object.fromEntries(keys.map((key, at) => [key, parts[at]]));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A text without its percent escapes; as it is if these are not whole. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A pattern that is the text itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
