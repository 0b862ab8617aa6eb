import { isObject } from '../../../src/base/values.js';

/** Damages answers as a platform may that keeps to no specification. */

export const kinds = [
  ...(['drop', 'null', 'type', 'self', 'word', 'null-item'] as const),
  ...(['duplicate', 'truncate', 'array', 'text', 'loop'] as const),
];

export interface Damage {
  kind: (typeof kinds)[number];
  /** Which item of a list and which of its fields, counted round. */
  item: number;
  field: number;
}

const inFields: ReadonlySet<Damage['kind']> = new Set(['drop', 'null', 'type', 'self', 'word']);

/** The answer with the damage, or undefined where it has nothing of that kind. */
export function damaged(answer: unknown, { kind, item, field }: Damage): unknown {
  if (kind === 'array') return isObject(answer) && Array.isArray(answer.items) ? answer.items : [answer];
  if (kind === 'text') return 'maintenance';
  const copy: unknown = structuredClone(answer);
  if (!isObject(copy)) return undefined;
  const items = Array.isArray(copy.items) ? (copy.items as unknown[]) : undefined;
  if (kind === 'loop') return items && { ...copy, next: { page: 'again' } };
  if (inFields.has(kind)) {
    const found = items === undefined ? copy : pick(items, item);
    return isObject(found) && damageField(found, { kind, field }) ? copy : undefined;
  }
  if (items === undefined || items.length === 0) return undefined;
  const at = item % items.length;
  if (kind === 'null-item') items[at] = null;
  else if (kind === 'duplicate') items.push(items[at]);
  else items.length = at;
  return copy;
}

/** The fields of a resource, and those of the resources in it. */
function damageField(
  found: Record<string, unknown>,
  { kind, field }: Pick<Damage, 'kind' | 'field'>,
): boolean {
  const places = [...placesIn(found)];
  const place = pick(places, field);
  if (place === undefined) return false;
  const [holder, name] = place;
  const value = holder[name];
  if (kind === 'drop') delete holder[name];
  else if (kind === 'null') holder[name] = null;
  // A collection in itself, a role that is none of the six, a section group that is not there.
  else if (kind === 'self') holder[name] = found.id ?? 'self';
  else if (kind === 'word') holder[name] = 'owner';
  else holder[name] = isObject(value) || Array.isArray(value) ? 'text' : { id: value };
  return true;
}

function* placesIn(found: Record<string, unknown>): Generator<[Record<string, unknown>, string]> {
  for (const [name, value] of Object.entries(found)) {
    yield [found, name];
    for (const inner of Array.isArray(value) ? value : [value]) if (isObject(inner)) yield* placesIn(inner);
  }
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}
