import { createHash } from 'node:crypto';
import type { ChangeRequest } from '../../api/resources/change-requests.js';

/**
 * The last line of a warning, by which later runs know it again (decision 034). It is inline code: what handles
 * Markdown may remove HTML comments, but changes nothing within code.
 */

export interface Marker {
  /** The day after which the author was told that the change request would be archived, ISO 8601. */
  archiveAfter: string;
  /** The revision that the change request had. */
  revision: string;
  /** What `stateOf` said of it. */
  state: string;
}

type Marked = Pick<ChangeRequest, 'revision' | 'subject' | 'status'>;

const day = /\d{4}-\d\d-\d\d/.source;
const pattern = new RegExp(
  `^docs-stale: warned ${day}, archive after (${day}), revision ([\\w.~-]{1,100}), state ([0-9a-f]{16})$`,
);

/** What stands for subject, status and revision. */
export function stateOf({ revision, subject, status }: Marked): string {
  const text = JSON.stringify([revision, subject, status]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The revision as a marker names it; an odd one is in the state alone. */
export function namedRevision({ revision }: Pick<Marked, 'revision'>): string {
  return /^[\w.~-]{1,100}$/.test(revision) ? revision : '-';
}

export function markerLine(request: Marked, nowMs: number, archiveAfter: string): string {
  const revision = namedRevision(request);
  const facts = `warned ${dayOf(nowMs)}, archive after ${archiveAfter}, revision ${revision}`;
  return `\`docs-stale: ${facts}, state ${stateOf(request)}\``;
}

/** The marker of a warning, which is the last line of its text; undefined where there is none. */
export function markerIn(markdown: string | undefined): Marker | undefined {
  const last = markdown?.trimEnd().split('\n').at(-1)?.trim() ?? '';
  // Some handlers of Markdown escape characters, or unwrap code.
  const plain = last.replace(/\\/g, '').replace(/^`+|`+$/g, '');
  const [, archiveAfter, revision, state] = pattern.exec(plain) ?? [];
  if (archiveAfter === undefined || revision === undefined || state === undefined) return undefined;
  return Number.isNaN(Date.parse(archiveAfter)) ? undefined : { archiveAfter, revision, state };
}

/** What the usual text of a warning says, however its subject is called. */
export const usualWords = 'nothing has happened on this change request for';

/** Whether a text was a warning once, although its marker may have been changed or removed since. */
export function wasWarning(markdown: string | undefined): boolean {
  const plain = (markdown ?? '').replace(/\\/g, '').replace(/\s+/g, ' ');
  return plain.includes('docs-stale: warned') || plain.includes(usualWords);
}

/** The day of a moment in UTC, ISO 8601. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
