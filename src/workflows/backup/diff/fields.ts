import { defined, isObject } from '../../../base/values.js';
import { isRawNumber, stringify } from '../../../output/json.js';
import type { FieldChange } from '../report.js';

/**
 * What differs between two values, field by field. Elements of lists are told apart by their ids or names;
 * of texts of several lines, only the lines that differ are told.
 * @param at where the values are: `user.displayName`
 */
export function fieldsOf(before: unknown, after: unknown, at = ''): FieldChange[] {
  if (stringify(before) === stringify(after) && (before === undefined) === (after === undefined)) return [];
  if (isRecord(before) && isRecord(after)) return fieldsOfRecords(before, after, at);
  if (Array.isArray(before) && Array.isArray(after)) {
    const lists = [keyed(before), keyed(after)] as const;
    if (lists[0] !== undefined && lists[1] !== undefined) return fieldsOfLists(lists[0], lists[1], at);
  }
  if (typeof before === 'string' && typeof after === 'string') return [fieldOfTexts(before, after, at)];
  return [defined({ field: at || 'value', before, after })];
}

function fieldsOfRecords(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  at: string,
): FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => fieldsOf(own(before, key), own(after, key), below(at, key)));
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Elements by what tells them apart. */
type Keyed = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function fieldsOfLists(before: Keyed, after: Keyed, at: string): FieldChange[] {
  const names = namesOf(new Map([...before, ...after]));
  const keys = [...names.keys()];
  const changes = keys.flatMap((key) =>
    fieldsOf(before.get(key), after.get(key), below(at, names.get(key) ?? key)),
  );
  if (changes.length > 0) return changes;
  const order = (list: Keyed) => [...list.keys()].map((key) => names.get(key) ?? key);
  return [{ field: below(at, 'order'), before: order(before), after: order(after) }];
}

/** undefined if an element has nothing to tell it by, or two have the same. */
function keyed(list: readonly unknown[]): Keyed | undefined {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const element of list) {
    const key = isRecord(element) ? keyOf(element) : undefined;
    if (key === undefined || found.has(key) || !isRecord(element)) return undefined;
    found.set(key, element);
  }
  return found;
}

function keyOf(element: Readonly<Record<string, unknown>>): string | undefined {
  const { id, name, emoji, customField, user } = element;
  const key = id ?? name ?? emoji;
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  const nested = isRecord(customField) ? customField.name : isRecord(user) ? user.id : undefined;
  return typeof nested === 'string' ? nested : undefined;
}

/** What people call the elements; their keys where two have one name. */
function namesOf(elements: Keyed): Map<string, string> {
  const names = new Map([...elements].map(([key, element]) => [key, calledOf(element) ?? key]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...names].map(([key, name]) => [key, (counts.get(name) ?? 0) > 1 ? key : name]));
}

function calledOf({ title, name, user }: Readonly<Record<string, unknown>>): string | undefined {
  const called = title ?? name ?? (isRecord(user) ? user.displayName : undefined);
  return typeof called === 'string' && called !== '' ? called : undefined;
}

/** The lines between the first and the last that differ. */
function fieldOfTexts(before: string, after: string, at: string): FieldChange {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const field = at || 'value';
  if (old.length === 1 && now.length === 1) return { field, before, after };
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const between = (lines: readonly string[]) => lines.slice(head, lines.length - tail).join('\n');
  return { field, before: between(old), after: between(now) };
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !isRawNumber(value);
}

/** Fields that are named before the rest is only counted. */
const mostFields = 4;
/** Characters of a value. */
const mostCharacters = 40;

/** `role: read → edit; title: Guide → Handbook`. */
export function wordsOf(fields: readonly FieldChange[]): string {
  const named = fields.slice(0, mostFields).map(({ field, before, after }) => {
    return `${field}: ${valueWords(before)} → ${valueWords(after)}`;
  });
  const more = fields.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function valueWords(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = typeof value === 'string' ? value : (saidIn(value) ?? stringify(value));
  const characters = [...text.trim().replaceAll(/\s+/g, ' ')];
  if (characters.length === 0) return '""';
  return characters.length > mostCharacters
    ? `${characters.slice(0, mostCharacters - 1).join('')}…`
    : characters.join('');
}

/** Of a resource, what a person knows it by. */
function saidIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { body } = value;
  const said = (isRecord(body) ? body.markdown : undefined) ?? calledOf(value);
  return typeof said === 'string' ? said : undefined;
}
