import { isObject } from '../../base/values.js';

/** Values as YAML text, one style for one value, so that the same organization gives the same bytes. */

/** What a file says instead of a value. */
export class FileReference {
  constructor(readonly path: string) {}
}

/** A list or map on one line: the teams of a person. */
export class Inline {
  constructor(readonly value: unknown) {}
}

/** A scalar on one line. @param flow whether it stands inside of brackets */
export function scalarText(value: unknown, flow = false): string {
  if (value instanceof FileReference) return `!file ${scalarText(value.path, flow)}`;
  if (typeof value !== 'string') return String(value);
  return isPlain(value, flow) ? value : quoted(value);
}

/** What YAML, in this version or an older one, takes for something else than a text. */
const special =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?[\d.][\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?\.\d+|0[xob][\da-f]+|[-+]?\.(?:inf|nan)|\d{4}-\d.*|[\d:]+)$/i;

function isPlain(text: string, flow: boolean): boolean {
  if (!/^[\p{L}\p{N}_/.+(][\p{L}\p{N}\p{P}\p{S} ]*$/u.test(text) || special.test(text)) return false;
  if (/: |:$| #| $|^---|^\.\.\./.test(text)) return false;
  return !flow || !/[,[\]{}]/.test(text);
}

function quoted(text: string): string {
  return isPrintable(text) ? `'${text.replaceAll("'", "''")}'` : doubleQuoted(text);
}

function isPrintable(text: string): boolean {
  return !/[\p{C}\u2028\u2029\u0085]/u.test(text);
}

export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** In the style in which the former text was written, where that can hold it. */
export function styledText(
  value: unknown,
  style: 'plain' | 'single' | 'double' | 'block',
  flow: boolean,
): string {
  if (typeof value !== 'string') return scalarText(value, flow);
  if (style === 'double') return doubleQuoted(value);
  return style === 'single' && isPrintable(value) ? quoted(value) : scalarText(value, flow);
}

export function flowText(value: unknown): string {
  if (value instanceof Inline) return flowText(value.value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isPlainObject(value)) return scalarText(value, true);
  const parts = Object.entries(value).map(([key, part]) => `${scalarText(key, true)}: ${flowText(part)}`);
  return `{${parts.join(', ')}}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof FileReference) && !(value instanceof Inline);
}

/** `key: value` as lines without line breaks, indented. */
export function entryLines(key: string, value: unknown, indent: string): string[] {
  const head = `${indent}${scalarText(key)}:`;
  if (value instanceof Inline) return [`${head} ${flowText(value)}`];
  if (Array.isArray(value) && value.length > 0) return [head, ...listLines(value, `${indent}  `)];
  if (isPlainObject(value) && Object.keys(value).length > 0) return [head, ...mapLines(value, `${indent}  `)];
  if (Array.isArray(value) || isPlainObject(value)) return [`${head} ${flowText(value)}`];
  const block = typeof value === 'string' ? literal(value, `${indent}  `) : undefined;
  return block === undefined ? [`${head} ${scalarText(value)}`] : [`${head} ${block[0]}`, ...block.slice(1)];
}

export function mapLines(value: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(value).flatMap(([key, part]) => entryLines(key, part, indent));
}

export function listLines(items: readonly unknown[], indent: string): string[] {
  return items.flatMap((item) => {
    if (!isPlainObject(item) || Object.keys(item).length === 0) return [`${indent}- ${flowText(item)}`];
    return dashed(mapLines(item, `${indent}  `), indent);
  });
}

/** Lines of a map as an item of a list. */
export function dashed([first = '', ...rest]: readonly string[], indent: string): string[] {
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
}

/** A text of several lines as a literal block; undefined where quotes are needed. */
function literal(text: string, indent: string): string[] | undefined {
  if (!text.includes('\n') || !isPrintable(text.replaceAll('\n', ''))) return undefined;
  const lines = text.replace(/\n+$/, '').split('\n');
  const ends = text.length - text.replace(/\n+$/, '').length;
  if (
    /^\s/.test(lines[0] ?? '') ||
    lines[0] === '' ||
    lines.some((line) => line !== '' && line.trim() === '')
  )
    return undefined;
  if (ends > 1) return undefined;
  return [ends === 1 ? '|' : '|-', ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))];
}
