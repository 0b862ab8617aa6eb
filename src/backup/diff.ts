import { createHash } from 'node:crypto';
import { isJsonObject } from '../api/transport/json-text.js';
import { DocsError } from '../base/errors.js';
import { asText, defined } from '../base/values.js';
import { stringify } from '../output/json.js';
import { jsonOf, linesOf, textOf } from './folder.js';
import type { FileEntry } from './manifest.js';
import type { StoredFiles } from './reader.js';
import type { Difference, FieldChange } from './shapes.js';

/** Fields that nobody sets or that follow from others, and counts of what is compared on its own. */
const passing = new Set(['lastSeenAt', 'createdAt', 'updatedAt', 'urls', 'url', 'photoURL', 'outdated']);
const counts = /^(?:spaces|teams|members|siteSpaces|comments|changeRequests(?:Open|Draft)?)$/;

/** The part of a resource that is compared: without those fields. */
export function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(
    ([key, member]) => !passing.has(key) && !(counts.test(key) && typeof member === 'number'),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, essenceOf(member)]));
}

/**
 * What differs between two values, field by field. Elements of lists are matched by their ids or names;
 * of texts of several lines, only the lines that differ are listed.
 * @param at where the values are: `user.displayName`
 */
export function fieldsOf(before: unknown, after: unknown, at = ''): FieldChange[] {
  if (stringify(before) === stringify(after) && (before === undefined) === (after === undefined)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return fieldsOfRecords(before, after, at);
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
    const key = isJsonObject(element) ? keyOf(element) : undefined;
    if (key === undefined || found.has(key) || !isJsonObject(element)) return undefined;
    found.set(key, element);
  }
  return found;
}

function keyOf(element: Readonly<Record<string, unknown>>): string | undefined {
  const { id, name, emoji, customField, user } = element;
  const key = id ?? name ?? emoji;
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  return asText(isJsonObject(customField) ? customField.name : isJsonObject(user) ? user.id : undefined);
}

/** What people call the elements; their keys where two have one name. */
function namesOf(elements: Keyed): Map<string, string> {
  const names = new Map([...elements].map(([key, element]) => [key, calledOf(element) ?? key]));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...names].map(([key, name]) => [key, (counts.get(name) ?? 0) > 1 ? key : name]));
}

function calledOf({ title, name, user }: Readonly<Record<string, unknown>>): string | undefined {
  const called = title ?? name ?? (isJsonObject(user) ? user.displayName : undefined);
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
  if (!isJsonObject(value)) return undefined;
  const { body } = value;
  return asText((isJsonObject(body) ? body.markdown : undefined) ?? calledOf(value));
}

interface ItemsOf {
  kind: string;
  titleOf?(files: readonly FileEntry[]): string | undefined;
  /** What differs in a thing whose files differ; nothing if that does not matter. */
  fields(before: readonly FileEntry[], after: readonly FileEntry[]): Promise<FieldChange[]>;
}

/** Differences of things with several files each. */
export async function* diffItems(
  before: ReadonlyMap<string, readonly FileEntry[]>,
  after: ReadonlyMap<string, readonly FileEntry[]>,
  { kind, titleOf = ([first]) => first?.title, fields }: ItemsOf,
): AsyncGenerator<Difference> {
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) yield defined({ change: 'removed' as const, kind, id, title: titleOf(files) });
    else if (hashesOf(files) !== hashesOf(now))
      yield* changed({ kind, id, title: titleOf(now) }, await fields(files, now));
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield defined({ change: 'added' as const, kind, id, title: titleOf(files) });
}

type Thing = Pick<Difference, 'kind' | 'id'> & { [K in 'title' | 'path']?: string | undefined };

/** The difference of a thing with these fields; none without fields. */
export function* changed(thing: Thing, fields: FieldChange[]): Generator<Difference> {
  if (fields.length > 0)
    yield { change: 'changed' as const, ...defined(thing), detail: wordsOf(fields), fields };
}

/** The same for the same files, whatever their paths. */
export function hashesOf(files: readonly FileEntry[]): string {
  return files
    .map(({ kind, id, sha256 }) => `${kind} ${id} ${sha256}`)
    .sort()
    .join('\n');
}

/** An item as it is compared. */
export interface Listed {
  id: string;
  title?: string;
  value: unknown;
}

/**
 * Compares two lists item by item. Only ids and hashes of the earlier one are held, and what changed; its
 * items that changed are read again.
 * @throws DocsError configuration `bad_list` if a line is not JSON
 */
export async function* compareLists(
  before: StoredFiles,
  after: StoredFiles,
  { kind, name }: { kind: string; name: string },
  item: (value: unknown) => Listed,
): AsyncGenerator<Difference> {
  const [was, is] = [before, after].map((side) => side.find(kind));
  if (was?.sha256 === is?.sha256) return;
  const old = new Map<string, { hash: string; title: string | undefined }>();
  for await (const { id, title, value } of itemsOf(before, kind, item))
    old.set(id, { hash: hashOf(value), title });
  const now = new Map<string, Listed>();
  for await (const listed of itemsOf(after, kind, item)) {
    const { id, title } = listed;
    const known = old.get(id);
    old.delete(id);
    if (known === undefined) yield defined({ change: 'added' as const, kind: name, id, title });
    else if (known.hash !== hashOf(listed.value)) now.set(id, listed);
  }
  if (now.size > 0)
    for await (const { id, value } of itemsOf(before, kind, item)) {
      const later = now.get(id);
      if (later !== undefined)
        yield* changed({ kind: name, id, title: later.title }, fieldsOf(value, later.value));
    }
  for (const [id, { title }] of old) yield defined({ change: 'removed' as const, kind: name, id, title });
}

async function* itemsOf(
  files: StoredFiles,
  kind: string,
  item: (value: unknown) => Listed,
): AsyncGenerator<Listed> {
  for await (const line of linesIn(files, kind)) yield item(line);
}

/** The lines of the list of a kind; none if there is no such file. @throws DocsError configuration `bad_list` */
export async function* linesIn(files: StoredFiles, kind: string): AsyncGenerator<unknown> {
  const entry = files.find(kind);
  const bytes = entry && (await files.read(entry));
  if (bytes === undefined) return;
  try {
    yield* linesOf(bytes);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${files.source.root}/${files.at}${entry?.path} is damaged: not valid JSON`;
    throw new DocsError('configuration', 'bad_list', message, { outcome: 'not-sent' });
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('base64');
}

/** A value as it is compared. @param kind of the file it is in */
type Compared = (value: unknown, kind: string) => unknown;

/**
 * What differs in the files of one thing, by kind of file. Files with the same hash are not read.
 * @param main the kind whose fields are named without their file: `team`, but `team-members.…`
 */
export async function fieldsOfFiles(
  before: StoredFiles,
  after: StoredFiles,
  main: string,
  compared: Compared = essenceOf,
): Promise<FieldChange[]> {
  const kinds = new Set([...before.entries, ...after.entries].map(({ kind }) => kind));
  const changes: FieldChange[] = [];
  for (const kind of kinds) {
    const [old, now] = [before, after].map((files) => files.find(kind));
    if (old?.sha256 === now?.sha256) continue;
    const values = [await valueIn(before, old), await valueIn(after, now)].map((value) =>
      compared(value, kind),
    );
    changes.push(...fieldsOf(values[0], values[1], kind === main ? '' : kind));
  }
  return changes;
}

/** The JSON of a file, or its text if it is not JSON; undefined if there is no such file. */
async function valueIn(files: StoredFiles, file: FileEntry | undefined): Promise<unknown> {
  const bytes = file && (await files.read(file));
  const text = bytes && (await textOf(bytes));
  if (text === undefined || !file?.path.endsWith('.json')) return text;
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
