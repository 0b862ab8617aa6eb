import { isObject } from '../../base/values.js';

/**
 * What the platform told of a resource and the sandbox would answer otherwise: fields it does not know, values
 * it computes in its own way, addresses, the order of keys. A value that the platform told stands in for the
 * sandbox's own only as long as that one is what it was then, so that a change in the copy shows. Of a number,
 * which counts something, the difference is kept: the copy may hold fewer than the platform has.
 */
interface PlatformValues {
  fields: Record<string, Difference>;
  /** The order of the keys, where it differs. */
  keys?: string[];
}

/** An own or a told value that is absent means that the field is. */
type Difference = { own?: unknown; told?: unknown } | { by: number } | { in: PlatformValues };

/** Not in backups, since they depend on who reads. */
const ofReader = 'permissions';

/**
 * The JSON that `withTold` reads.
 * @param own what the sandbox answers without it
 * @param except fields that have a record of their own, and stay as the sandbox has them
 * @returns null if nothing differs
 */
export function toldJson(own: object, told: object, except: readonly string[] = []): string | null {
  const found = differences(own, told, [ofReader, ...except]);
  return found === undefined ? null : JSON.stringify(found);
}

/** The resource as the platform told it. @param json of `toldJson` */
export function withTold<T extends object>(own: T, json: string | null | undefined): T {
  return json === null || json === undefined ? own : (applied(own, JSON.parse(json) as PlatformValues) as T);
}

function differences(own: object, told: object, except: readonly string[]): PlatformValues | undefined {
  const [mine, theirs] = [own as Record<string, unknown>, told as Record<string, unknown>];
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const fields: PlatformValues['fields'] = {};
  for (const name of names.filter((one) => !except.includes(one))) {
    const difference = differenceOf(mine[name], theirs[name]);
    if (difference !== undefined) fields[name] = difference;
  }
  const shown = Object.keys(applied(own, { fields })).filter((name) => name !== ofReader);
  const keys = Object.keys(told).filter((name) => name !== ofReader);
  const known = shown.filter((name) => keys.includes(name));
  const differs = known.join('\n') !== keys.filter((name) => known.includes(name)).join('\n');
  if (Object.keys(fields).length === 0 && !differs) return undefined;
  return differs ? { fields, keys } : { fields };
}

function differenceOf(own: unknown, told: unknown): Difference | undefined {
  if (isPlain(own) && isPlain(told)) {
    const inside = differences(own, told, [ofReader]);
    return inside && { in: inside };
  }
  if (own === told || JSON.stringify(withoutReader(own)) === JSON.stringify(told)) return undefined;
  if (typeof own === 'number' && typeof told === 'number') return { by: told - own };
  return { own: withoutReader(own), told };
}

function applied(own: object, { fields, keys }: PlatformValues): object {
  const result: Record<string, unknown> = { ...own };
  for (const [name, difference] of Object.entries(fields)) {
    const value = result[name];
    if ('in' in difference) {
      if (isPlain(value)) result[name] = applied(value, difference.in);
    } else if ('by' in difference) {
      if (typeof value === 'number') result[name] = Math.max(0, value + difference.by);
    } else if (JSON.stringify(withoutReader(value)) === JSON.stringify(difference.own)) {
      if (difference.told === undefined) delete result[name];
      else result[name] = difference.told;
    }
  }
  return keys === undefined ? result : inOrder(result, keys);
}

function inOrder(item: Record<string, unknown>, keys: readonly string[]): object {
  const others = Object.keys(item).filter((key) => !keys.includes(key));
  const given = keys.filter((key) => key in item);
  return Object.fromEntries([...given, ...others].map((key) => [key, item[key]]));
}

function withoutReader(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReader);
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([key]) => key !== ofReader);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutReader(member)]));
}

/** Numbers kept as digits are not plain objects. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** URLs of resources, on reserved hosts: responses must not depend on the port of the sandbox. */
export const apiUrl = (path: string): string => `https://api.sandbox.example/v1${path}`;
export const appUrl = (path: string): string => `https://app.sandbox.example${path}`;
