import { createHash } from 'node:crypto';
import type { ChangeRequest } from '../api/resources/change-requests.js';
import type { Comment, CommentReply } from '../api/resources/comments.js';
import { type Static, Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import { closed, maybe, stateOf, text } from '../output/printed-shapes.js';
import { safeLine } from '../output/text.js';
import { parseSpan } from '../settings/duration.js';
import type { SpaceRequest } from '../snapshot/change-requests.js';

/** What becomes of a change request, from what was read of it alone; and the text of a warning. */

const placeholders = ['author', 'date', 'days', 'subject'] as const;

/** What the usual text of a warning says, however its subject is called. */
const usualWords = 'nothing has happened on this change request for';

const usual = `Hello {author},

${usualWords} {days} days. If nothing happens, it will be archived after {date}.

To keep it, push a new revision, or answer here. An archived change request can be opened again.`;

/** Of `--message`, in characters: what nobody reads is a file given by mistake. */
export const longest = 10_000;

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

/** @throws DocsError usage `bad_span` */
export function spanOf(flag: string, typed: unknown): number {
  const ms = parseSpan(String(typed));
  if (ms !== undefined && ms > 0) return ms;
  const message = `invalid ${flag} ${JSON.stringify(typed)}; expected a span such as 60d, 2w or 36h`;
  throw usageError('bad_span', message, { hint: 'docs change-requests stale --help' });
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

interface Warned {
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

/**
 * The last line of a warning, by which later runs know it again (decision 034). It is inline code: what handles
 * Markdown may remove HTML comments, but changes nothing within code.
 */

interface Marker {
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
export function markedState({ revision, subject, status }: Marked): string {
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
  return `\`docs-stale: ${facts}, state ${markedState(request)}\``;
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

/** Whether a text was a warning once, although its marker may have been changed or removed since. */
function wasWarning(markdown: string | undefined): boolean {
  const plain = (markdown ?? '').replace(/\\/g, '').replace(/\s+/g, ' ');
  return plain.includes('docs-stale: warned') || plain.includes(usualWords);
}

/** The day of a moment in UTC, ISO 8601. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * warn: gets its warning; archive: was warned long enough ago; due: would be archived with `--archive`; warned: its
 * time runs; spared: something is new since its warning; damaged: its warning has lost its marker, so it is left
 * alone; exempt: it would be one of these, but for the list.
 */
const staleActions = ['warn', 'archive', 'due', 'warned', 'spared', 'damaged', 'exempt'] as const;
export type StaleAction = (typeof staleActions)[number];

/** A change request that is stale, or was warned. */
export const StaleRow = closed({
  space: closed({ id: text, title: text }),
  number: Type.Number(),
  id: text,
  subject: text,
  author: Type.Optional(closed({ id: text, displayName: text, email: maybe })),
  updatedAt: text,
  lastActivityAt: Type.String({ description: 'The newest change, comment, reply or reaction' }),
  age: Type.Integer({ minimum: 0, description: 'Days since the last activity' }),
  action: stateOf(...staleActions),
  why: text,
  archiveAfter: Type.Optional(
    Type.String({ description: 'The day after which it will be archived, or could be' }),
  ),
  url: Type.Optional(Type.String({ description: 'Its page on the platform' })),
});
export type StaleRow = Static<typeof StaleRow>;

/** Unless flags say otherwise; `docs overview` counts by them. */
export const usualDays = { olderThan: 60, warn: 14 } as const;
export const usualSpans = { olderThan: `${usualDays.olderThan}d`, warn: `${usualDays.warn}d` } as const;

export interface Terms {
  nowMs: number;
  olderThanMs: number;
  warnMs: number;
  archive: boolean;
  /** Whose comments count as warnings; undefined where no comment carries a marker. */
  warner: string | undefined;
}

type Dated = Pick<ChangeRequest, 'revision' | 'subject' | 'status' | 'createdAt' | 'updatedAt' | 'createdBy'>;

export interface Decision {
  action: StaleAction;
  why: string;
  /** The newest thing that happened on it. */
  lastMs: number;
  /** The day after which it will be, or would be, archived, ISO 8601. */
  archiveAfter?: string;
  /** The comment whose marker is damaged. */
  comment?: string;
}

/** The warning itself may move `updatedAt`; a change of subject or status within this time shows in the marker. */
const warningMovesMs = 60_000;

const dayMs = 86_400_000;

/**
 * @param exemption why it is exempt
 * @returns undefined where it is not stale and has no warning
 */
export function decide(
  request: Dated,
  discussion: Discussion,
  terms: Terms,
  exemption?: string,
): Decision | undefined {
  const found = decided(request, discussion, terms);
  if (found === undefined || exemption === undefined) return found;
  return { action: 'exempt', why: exemption, lastMs: found.lastMs };
}

function decided(request: Dated, discussion: Discussion, terms: Terms): Decision | undefined {
  const { nowMs, olderThanMs, warnMs } = terms;
  const activities = activitiesIn(discussion, nowMs);
  const warning = newestWarning(discussion.comments, terms);
  const times = [request.createdAt, request.updatedAt].map((moment) => msOf(moment, nowMs));
  times.push(...activities.map(({ atMs }) => atMs));
  const news = warning && newSince(warning, request, activities, nowMs);
  if (warning !== undefined && news === undefined) return warnedBefore(warning, times, terms);
  const lastMs = latest(times);
  const ageMs = nowMs - lastMs;
  const damaged = damagedWarning(discussion.comments, terms, warning);
  if (ageMs >= olderThanMs && damaged !== undefined) {
    const why = `the warning of ${dayOf(msOf(damaged.postedAt, nowMs))} has lost its marker`;
    return { action: 'damaged', why, lastMs, comment: damaged.id };
  }
  if (ageMs >= olderThanMs) {
    const days = Math.floor(ageMs / dayMs);
    const why = `nothing new for ${days === 1 ? '1 day' : `${days} days`}`;
    return { action: 'warn', why, lastMs, archiveAfter: dayOf(nowMs + warnMs) };
  }
  if (warning === undefined) return undefined;
  return { action: 'spared', why: `${news} since the warning of ${dayOf(warning.atMs)}`, lastMs };
}

/** Nothing is new since the warning, so its time runs, or is up. Both the span and what it promised must be over. */
function warnedBefore(
  { atMs, marker }: Warning,
  times: readonly number[],
  { nowMs, warnMs, archive }: Terms,
): Decision {
  const dueMs = Math.max(atMs + warnMs, Date.parse(marker.archiveAfter));
  const archiveAfter = dayOf(dueMs);
  const before = times.filter((ms) => ms < atMs);
  const lastMs = before.length === 0 ? atMs : latest(before);
  const why = `warned on ${dayOf(atMs)}`;
  if (nowMs < dueMs) return { action: 'warned', why, lastMs, archiveAfter };
  return {
    action: archive ? 'archive' : 'due',
    why: `${why}, and nothing new since`,
    lastMs,
    archiveAfter,
  };
}

function latest(times: readonly number[]): number {
  return times.reduce((newest, ms) => Math.max(newest, ms), Number.NEGATIVE_INFINITY);
}

interface Warning {
  comment: Comment;
  marker: Marker;
  atMs: number;
}

/** An edited comment may have become a warning later than its time says, so it does not count. */
function newestWarning(comments: readonly Comment[], { warner, nowMs }: Terms): Warning | undefined {
  let newest: Warning | undefined;
  for (const comment of comments) {
    const marker = markerOf(comment);
    if (marker === undefined || comment.postedBy.id !== warner) continue;
    const atMs = msOf(comment.postedAt, nowMs);
    if (newest === undefined || atMs > newest.atMs) newest = { comment, marker, atMs };
  }
  return newest;
}

/** The marker of a comment that may be a warning, whoever wrote it. */
export function markerOf(comment: Comment): Marker | undefined {
  return editOf(comment) === undefined ? markerIn(comment.body.markdown) : undefined;
}

/**
 * A warning that the platform, or whoever handled its text, did not keep whole. Another one would meet the same fate,
 * so the author would be commented on for ever. A resolved comment is settled.
 * @param known the newest warning whose marker is whole: what came before it does not matter
 */
function damagedWarning(
  comments: readonly Comment[],
  { warner, nowMs }: Terms,
  known: Warning | undefined,
): Comment | undefined {
  return comments.find(
    (comment) =>
      isDamaged(comment) &&
      comment.postedBy.id === warner &&
      comment.status !== 'resolved' &&
      msOf(comment.postedAt, nowMs) > (known?.atMs ?? Number.NEGATIVE_INFINITY),
  );
}

/** Whether a comment may be a warning whose marker is damaged, whoever wrote it. Edits are the work of people. */
function isDamaged(comment: Comment): boolean {
  const { markdown } = comment.body;
  return editOf(comment) === undefined && markerIn(markdown) === undefined && wasWarning(markdown);
}

/** Whether it matters whose comment this is. */
export function mayBeWarning(comment: Comment): boolean {
  return markerOf(comment) !== undefined || isDamaged(comment);
}

/** What happened since a warning; undefined where nothing did. */
function newSince(
  { comment, marker, atMs }: Warning,
  request: Dated,
  activities: readonly Activity[],
  nowMs: number,
): string | undefined {
  if (namedRevision(request) !== marker.revision) return 'a new revision';
  if (markedState(request) !== marker.state) return 'another subject or status';
  if (comment.status === 'resolved') return 'a resolved comment';
  if (comment.replies > 0) return 'a reply';
  const posted = ({ what, comment: id }: Activity) => what === 'a comment' && id === comment.id;
  // What has the very time of the warning may have come after it.
  const since = activities.find((activity) => activity.atMs >= atMs && !posted(activity));
  if (since !== undefined) return since.what;
  return msOf(request.updatedAt, nowMs) > atMs + warningMovesMs ? 'an update' : undefined;
}

interface Activity {
  atMs: number;
  /** What it was, with its article: `a reply`. */
  what: string;
  /** The comment that it is about. */
  comment: string;
}

export interface Discussion {
  comments: readonly Comment[];
  /** By the id of their comment. */
  replies: ReadonlyMap<string, readonly CommentReply[]>;
}

/** @param nowMs stands for times that cannot be read, so that what is unknown counts as new */
function activitiesIn({ comments, replies }: Discussion, nowMs: number): Activity[] {
  return comments.flatMap((comment) => {
    const about = (what: string, moment: string | undefined): Activity[] =>
      moment === undefined ? [] : [{ atMs: msOf(moment, nowMs), what, comment: comment.id }];
    return [
      ...about('a comment', comment.postedAt),
      ...about('an edited comment', editOf(comment)),
      ...about('a resolved comment', comment.resolvedAt),
      ...reactedAt(comment).flatMap((moment) => about('a reaction', moment)),
      ...(replies.get(comment.id) ?? []).flatMap((reply) => [
        ...about('a reply', reply.postedAt),
        ...about('an edited reply', editOf(reply)),
        ...reactedAt(reply).flatMap((moment) => about('a reaction', moment)),
      ]),
    ];
  });
}

/** When a text was changed after it was posted; undefined where it was not. */
function editOf({ postedAt, editedAt }: Pick<Comment, 'postedAt' | 'editedAt'>): string | undefined {
  return editedAt === postedAt ? undefined : editedAt;
}

function reactedAt({ reactions }: Pick<Comment, 'reactions'>): string[] {
  return reactions.flatMap(({ users }) => users.map(({ reactedAt: moment }) => moment));
}

export function msOf(moment: string, nowMs: number): number {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? nowMs : ms;
}
