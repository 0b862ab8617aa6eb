import { isObject } from '../../base/values.js';
import { type Resource, type ResourceName, resourceOfField, resources } from '../../model/resources.js';
import { safeLine } from '../../output/text.js';

/** What people call a resource that was changed: its title, with the id that commands take. */

/** Titles that are texts of people's own: in quotes. */
const quoted: readonly string[] = ['subject', 'body.markdown'];

/** Characters of such a text. */
const mostQuoted = 60;

/** What an object has at a dotted path. */
export function valueAt(value: unknown, path: string): unknown {
  if (isObject(value) && path in value) return value[path];
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

export function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

export function kindNamed(field: string | undefined): Resource | undefined {
  const name: ResourceName | undefined = resourceOfField(field);
  return name === undefined ? undefined : resources[name];
}

/** What a kind calls one of its own, from the first of several objects that tells: `Writers`, `#12 "Fix typos"`. */
export function titleIn(kind: Resource | undefined, sources: readonly unknown[]): string | undefined {
  for (const path of kind?.titles ?? ['title']) {
    const found = sources.map((source) => textAt(source, path)).find((text) => text !== undefined);
    if (found !== undefined) return quoted.includes(path) ? inQuotes(found) : safeLine(found).trim();
  }
  return undefined;
}

/** A title that was typed or chosen, in quotes where its kind has them. */
export function typedTitle(kind: Resource | undefined, title: string | undefined): string | undefined {
  return title !== undefined && quoted.includes(kind?.titles[0] ?? '') ? inQuotes(title) : title;
}

function inQuotes(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const first = safeLine(line.replace(/^#+ /, '')).trim();
  const characters = [...first];
  if (characters.length <= mostQuoted) return `"${first}${line === text.trim() ? '' : '…'}"`;
  const cut = characters.slice(0, mostQuoted).join('');
  return `"${cut.replace(/\s+\S*$/, '')}…"`;
}

/** `#12`, where people name this kind by its number and an object tells it. */
export function numberIn(kind: Resource | undefined, sources: readonly unknown[]): string | undefined {
  if (kind === undefined || kind.command.id === kind.id) return undefined;
  const found = sources.map((source) => valueAt(source, kind.command.id));
  const number = found.find((value) => typeof value === 'number');
  return number === undefined ? undefined : `#${number}`;
}

/** `team Writers (t1)`, `change request #12 "Fix typos" (c1)`; without a title, `team t1`. */
export function nameOf(
  noun: string,
  id: string,
  { title, number }: { title?: string | undefined; number?: string | undefined } = {},
): string {
  const isNumber = /^\d{1,9}$/.test(id) && noun === 'change request';
  const shownId = safeLine(isNumber ? `#${id}` : id);
  const own = isNumber ? shownId : undefined;
  const words = new Set([own ?? number, title].filter((word) => word !== undefined && word !== ''));
  words.delete(isNumber ? '' : shownId);
  if (words.size === 0) return `${noun} ${shownId}`.trim();
  const last = shownId === '' || isNumber ? '' : ` (${shownId})`;
  return `${noun} ${[...words].join(' ')}${last}`;
}
