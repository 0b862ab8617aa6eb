import { usageError } from '../../base/errors.js';
import { safeLine } from '../../output/text.js';
import type { SpaceRequest } from '../../snapshot/change-requests.js';
import { markerIn, markerLine, usualWords } from './marker.js';

/** The text of a warning. */

export const placeholders = ['author', 'date', 'days', 'subject'] as const;

const usual = `Hello {author},

${usualWords} {days} days. If nothing happens, it will be archived after {date}.

To keep it, push a new revision, or answer here. An archived change request can be opened again.`;

/** Of `--message`, in characters: what nobody reads is a file given by mistake. */
const longest = 10_000;

/**
 * Checks the text of `--message`.
 * @throws DocsError usage `bad_message` where it is empty, too long, has an open block or an unknown placeholder, or ends like a warning
 */
export function checkMessage(text: string): void {
  const bad = (what: string) => {
    const known = placeholders.map((name) => `{${name}}`).join(', ');
    const message = `--message ${what}; the placeholders are ${known}. Nothing was changed.`;
    return usageError('bad_message', message, { hint: 'docs change-requests stale --help' });
  };
  if (text.trim() === '') throw bad('is empty');
  if (text.length > longest) throw bad(`is longer than ${longest} characters`);
  const open = openIn(text);
  if (open !== undefined) throw bad(`has ${open} that is not closed, which would hide the marker line`);
  if (markerIn(text) !== undefined) throw bad('ends with the marker line, which docs adds');
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unknown = names.find((name) => !placeholders.some((known) => known === name));
  if (unknown !== undefined) throw bad(`has the unknown placeholder {${unknown}}`);
}

/** What would swallow the lines that follow a text in Markdown; undefined where nothing would. */
function openIn(text: string): string | undefined {
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, run = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (run === '') continue;
    if (fence === undefined) fence = run.startsWith('`') && rest.includes('`') ? undefined : run;
    else if (run.startsWith(fence) && rest.trim() === '') fence = undefined;
  }
  if (fence !== undefined) return 'a code block';
  return text.lastIndexOf('<!--') > text.lastIndexOf('-->') ? 'an HTML comment' : undefined;
}

export interface Warned {
  request: SpaceRequest;
  nowMs: number;
  lastMs: number;
  /** ISO 8601, a day. */
  archiveAfter: string;
}

/** The Markdown of a warning, its marker last. @param text of `--message` */
export function warningText({ request, nowMs, lastMs, archiveAfter }: Warned, text = usual): string {
  const values: Readonly<Record<string, string>> = {
    author: request.createdBy === undefined ? 'author' : plain(request.createdBy.displayName),
    date: archiveAfter,
    days: String(Math.floor((nowMs - lastMs) / 86_400_000)),
    subject: plain(request.subject),
  };
  const filled = text.trim().replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return `${filled}\n\n${markerLine(request, nowMs, archiveAfter)}`;
}

/** A text that is only itself in Markdown. */
function plain(text: string): string {
  return safeLine(text).replace(/[\\`*_[\]<>#|~&!@]/g, '\\$&');
}
