import { grouped } from '../../output/text.js';
import type { ContentChange, Place } from './change.js';

/** What is said of a change, in whatever form. */

/** What a page or file is called where there is room for one text: its path in the space, or its name. */
export function labelOf({ kind, path, title }: ContentChange): string {
  return kind === 'page' ? (path ?? title) : title;
}

/** `page`, `file`, `reusable content`. */
export function kindWords({ kind }: ContentChange): string {
  return kind.replaceAll('-', ' ');
}

/** What happened, in one place: `moved, edited`. */
export function changeText({ changes }: ContentChange): string {
  return changes.map((word) => (word === 'unknown' ? 'not compared' : word)).join(', ');
}

/** Where something was and is: each as a sentence without its end. */
export function placeLines({ changes, from, to }: ContentChange): string[] {
  if (from === undefined || to === undefined) return [];
  const lines: string[] = [];
  if (changes.includes('renamed')) {
    if (from.title !== to.title) lines.push(`renamed from "${from.title}" to "${to.title}"`);
    else lines.push(`renamed from ${from.path ?? ''} to ${to.path ?? ''}`);
  }
  if (changes.includes('moved')) lines.push(moveLine(from, to));
  return lines;
}

function moveLine(from: Place, to: Place): string {
  if (from.parent === to.parent) return `moved from position ${from.position} to ${to.position}`;
  if (from.path === to.path) return `moved ${to.parent === undefined ? 'to the top' : 'below another page'}`;
  return `moved from ${from.path ?? from.title} to ${to.path ?? to.title}`;
}

/** Properties that differ, with both values. */
export function fieldLines({ fields = [] }: ContentChange): { field: string; from: string; to: string }[] {
  return fields.map(({ field, from, to }) => ({ field, from: valueText(from), to: valueText(to) }));
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Why the text of a change is not there, or not compared word by word. */
export function sizeNote({ compared, error }: ContentChange): string | undefined {
  if (error !== undefined) return `Not compared: ${error.message}`;
  if (compared === 'counted') return 'The text is too large to show; its words are counted.';
  return compared === 'lines'
    ? 'The text is too large to compare word by word; whole lines are shown.'
    : undefined;
}

/** `+12 -3 words`. */
export function wordCounts({ added, removed }: NonNullable<ContentChange['words']>): string {
  return `+${grouped(added)} -${grouped(removed)} words`;
}
