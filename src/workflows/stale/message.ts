import { usageError } from '../../errors.js';
import { safeLine } from '../../output/safe-text.js';
import type { SpaceRequest } from '../../reading/change-requests.js';
import { markerIn, markerLine, usualWords } from './marker.js';

/** The text of a warning. */

export const placeholders = ['author', 'date', 'days', 'subject'] as const;

const usual = `Hello {author},

${usualWords} {days} days. If nothing happens, it will be archived after {date}.

To keep it, push a new revision, or answer here. An archived change request can be opened again.`;

/**
 * Checks the text of `--message`.
 * @throws DocsError usage `bad_message` where it is empty, has an unknown placeholder, or ends like a warning
 */
export function checkMessage(text: string): void {
  const bad = (what: string) => {
    const known = placeholders.map((name) => `{${name}}`).join(', ');
    const message = `--message ${what}; the placeholders are ${known}. Nothing was changed.`;
    return usageError('bad_message', message, { hint: 'docs change-requests stale --help' });
  };
  if (text.trim() === '') throw bad('is empty');
  if (markerIn(text) !== undefined) throw bad('ends with the marker line, which docs adds');
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unknown = names.find((name) => !placeholders.some((known) => known === name));
  if (unknown !== undefined) throw bad(`has the unknown placeholder {${unknown}}`);
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
