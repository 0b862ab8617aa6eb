import fs from 'node:fs';
import { dirname } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { derivedIo, type Io } from '../../base/io.js';
import { inTurn } from '../../base/lock.js';
import { datasync, writeWhole } from '../../base/log-file.js';
import { redactQuery, redactText } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import { chainsOfJournal, JournalFolder } from '../../jobs/journal-folder.js';
import { readableDigest, type Trail } from '../../jobs/trail.js';
import { cannotWrite } from '../../settings/own-files.js';
import type { Actor } from '../actor.js';
import { chainPlaces, isUserPlace, lockPlace, makePlace, openPlaceLog, userPlace } from '../place.js';
import type { Cause } from '../policy.js';
import {
  type ChainLine,
  chainPath,
  type Happened,
  linesBackwards,
  noHash,
  parseLine,
  unwritable,
} from './chain.js';
import type { Refused } from './shape.js';

/** The end of the chain, from which it goes on. */
interface Tail {
  /** The last line; undefined where there is none. */
  last?: ChainLine;
  /** Of the last line; zeros where there is none. */
  hash: string;
  /** What has to be written first: the line feed that a crash kept from the file. */
  closing: '' | '\n';
  /** What follows the last line, with a line feed at its end. */
  torn?: { bytes: number; sha256: string };
}

/** Reads no more of the file than its last line needs. */
function readTail(fd: number, size: number): Tail {
  const isClosed = size === 0 || readAt(fd, size - 1, 1).toString('latin1') === '\n';
  const closing = isClosed ? '' : '\n';
  for (const { bytes, at } of linesBackwards(fd, size)) {
    const last = parseLine(bytes.toString('utf8'));
    // A line that lacks its line feed alone is whole.
    if (last !== undefined)
      return { last, hash: sha256(bytes), closing, ...tornIn(fd, at + bytes.length + 1, size, closing) };
  }
  return { hash: noHash, closing, ...tornIn(fd, 0, size, closing) };
}

function tornIn(fd: number, from: number, to: number, closing: Tail['closing']): Pick<Tail, 'torn'> {
  if (from >= to) return {};
  const whole = Buffer.concat([readAt(fd, from, to - from), Buffer.from(closing)]);
  return { torn: { bytes: whole.length, sha256: sha256(whole) } };
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, position));
}

/** What was denied. */
export interface Denial {
  actor: Actor;
  /** Words of the command, without ids and flags. */
  command: string;
  /** `DELETE /v1/spaces/x`; none where the command was denied as a whole. */
  request?: string;
  /** Id of the plan that holds the request, where it is planned or approved. */
  plan?: string;
  cause: Cause;
}

/** The longest request that is kept, in characters. */
const longest = 2000;

/**
 * Adds a denial to the audit chain of this machine.
 * @returns why it could not be written, where it could not: what was denied stays denied, so nothing is thrown
 */
export async function recordDenial(io: Io, denial: Denial): Promise<DocsError | undefined> {
  const { actor, command, cause, plan } = denial;
  const request = denial.request && redactQuery(denial.request).slice(0, longest);
  const told = { ...cause, rule: redactText(cause.rule) };
  return tried(io, { event: 'denied', actor, command, ...defined({ request, plan }), cause: told });
}

/** An approval that was given. */
interface ApprovalGiven {
  actor: Actor;
  /** Id and hash of the plan. */
  plan: string;
  hash: string;
  /** Email of who gave it, and the fingerprint of the key. */
  approver: string;
  key: string;
}

/**
 * Adds an approval to the audit chain, before it is written beside its plan: one that nobody can trace is not given.
 * @throws DocsError local-io `audit_unwritable`; configuration `unsafe_path`
 */
export async function recordApproval(io: Io, { approver, ...facts }: ApprovalGiven): Promise<void> {
  await appendEvents(io, [
    { event: 'approved', command: 'plan approve', ...facts, approver: redactText(approver) },
  ]);
}

/** A plan that was not applied, or not approved. */
interface Refusal {
  actor: Actor;
  /** Words of the command: `apply`, `approve`. */
  command: string;
  /** Id and hash of the plan, as its file has them; the file may say anything. */
  plan?: string;
  hash?: string;
  reasons: readonly Refused[];
}

/** Reasons that are kept; the first is the code of the error. */
const mostReasons = 10;

/**
 * Adds a plan that was refused to the audit chain.
 * @returns why it could not be written, where it could not: what was refused stays refused
 */
export async function recordRefusal(io: Io, refusal: Refusal): Promise<DocsError | undefined> {
  const { actor, command, plan, hash } = refusal;
  const short = (text: string) => redactText(text).slice(0, longest);
  const reasons = refusal.reasons
    .slice(0, mostReasons)
    .map(({ code, message }) => ({ code, message: short(message) }));
  const named = { plan: plan && short(plan), hash: hash && short(hash) };
  return tried(io, { event: 'refused', actor, command, ...defined(named), reasons });
}

/** Records what changed nothing. @returns why it could not be written */
async function tried(io: Io, event: Happened): Promise<DocsError | undefined> {
  try {
    await appendEvents(io, [event]);
    return undefined;
  } catch (error) {
    if (error instanceof DocsError) return error;
    throw error;
  }
}

/**
 * Appends events to each chain that is in force, under its lock: two processes never link to the same line. What a crash left torn is
 * closed first, and jobs whose process is dead are ended.
 * @param options.places default: those in force
 * @param options.sync whether they must be on the disk when this resolves; default: true. `alone` where nothing else goes
 *   on meanwhile
 * @throws DocsError local-io `audit_unwritable`; configuration `unsafe_path`
 */
export async function appendEvents(
  io: Io,
  events: readonly Happened[],
  { sync = true, places = chainPlaces(io) }: { sync?: Sync; places?: readonly string[] } = {},
): Promise<void> {
  for (const place of places) {
    const path = chainPath(place);
    // So that this process never polls for a lock of its own.
    await inTurn(path, () => appendNow(io, path, events, sync));
  }
}

type Sync = boolean | 'alone';

/** With a signal that is made where the lock has to be waited for. */
const neverEnding: Pick<Io, 'signal' | 'ending'> = {
  get signal() {
    return new AbortController().signal;
  },
  ending: undefined,
};

async function appendNow(io: Io, path: string, events: readonly Happened[], sync: Sync): Promise<void> {
  let opened: number | undefined;
  try {
    makePlace(io, dirname(path));
    const chain = openPlaceLog(io, path);
    opened = chain;
    // What happened is recorded even where the run is being interrupted.
    const patient = derivedIo(io, neverEnding);
    const failed = (cause: unknown) => cannotWrite(io, `${path}.lock`, cause);
    const append = (held: () => boolean) => appendTo({ io, place: dirname(path) }, chain, events, held);
    const isNew = await lockPlace(patient, path, append, failed);
    // Outside of the lock: nobody waits for somebody else's disk.
    if (sync !== false) await datasync(chain, sync === 'alone');
    if (sync !== false && isNew) await (await import('../../base/write-file.js')).syncFolder(dirname(path));
  } catch (cause) {
    throw unwritable(io, path, cause);
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

/** @returns whether the chain begins here */
async function appendTo(
  { io, place }: { io: Io; place: string },
  chain: number,
  events: readonly Happened[],
  held: () => boolean,
): Promise<boolean> {
  const { size } = fs.fstatSync(chain);
  const tail = readTail(chain, size);
  const isOwn = isUserPlace(io, place);
  // Journals are read only where the chain begins: that of a long job is larger than all else that a change reads.
  const first = () => (isOwn ? begun(io, events) : [{ event: 'chain-begun' as const }]);
  const before = tail.last === undefined ? first() : dead(io, tail.last, events, isOwn);
  const all = [...before, ...events].map((one) => (isOwn ? one : signedBy(io, one)));
  const torn = tail.torn === undefined ? [] : [{ event: 'torn' as const, ...tail.torn }];
  const text = tail.closing + linked(tail, [...torn, ...all], new Date(io.now()).toISOString());
  // After a long suspend another process may have taken the lock over.
  if (!held()) throw Object.assign(new Error('the lock of the audit chain was lost'), { code: 'EAGAIN' });
  try {
    writeWhole(chain, text);
  } catch (cause) {
    // Half a line would be closed by the next writer; better there is none.
    if (held()) cutBack(chain, size);
    throw cause;
  }
  return tail.last === undefined;
}

/** What cannot be cut off is a torn line for the next writer. */
function cutBack(chain: number, size: number): void {
  try {
    fs.ftruncateSync(chain, size);
  } catch {
    // A full disk refuses even that.
  }
}

/** A chain that several people share says whose account wrote a line, and where the journal of a job lies. */
function signedBy(io: Io, event: Happened): Happened {
  const uid = process.getuid?.();
  const journals = event.job === undefined ? undefined : new JournalFolder(io).path;
  return { ...event, ...defined({ uid, journals }) };
}

/** The lines of events, each with the hash of the one before. */
function linked(tail: Tail, events: readonly Happened[], at: string): string {
  let seq = tail.last?.seq ?? 0;
  const open = new Set(tail.last?.open ?? []);
  const lines: string[] = [];
  for (const { event, ...more } of events) {
    seq += 1;
    const { job } = more;
    if (job !== undefined && opening.has(event)) open.add(job);
    if (job !== undefined && closing.has(event)) open.delete(job);
    const before = lines.at(-1);
    const prev = before === undefined ? tail.hash : sha256(before);
    const line: ChainLine = { seq, at, event, ...more, ...(open.size > 0 && { open: [...open] }), prev };
    lines.push(JSON.stringify(line));
  }
  return lines.map((line) => `${line}\n`).join('');
}

const opening = new Set<string>(['job-begun', 'job-resumed', 'settled']);
const closing = new Set<string>(['job-ended', 'journal-pruned', 'discarded']);

/** The first lines of a chain: the journals that were there before it, so that those, too, are held. */
function begun(io: Io, events: readonly Happened[]): Happened[] {
  const own = new Set(events.map(({ job }) => job));
  const folder = new JournalFolder(io);
  const isOurs = ({ job, path }: { job: string; path: string }) =>
    !own.has(job) && chainsOfJournal(io, path).includes(userPlace(io));
  const entries = folder.entries().filter(isOurs);
  const workers = entries.length === 0 ? undefined : folder.workers();
  const found = entries.reverse().flatMap(({ job, path }): Happened[] => {
    const digest = readableDigest(path);
    // That of a job at work changes.
    const sha256 = workers?.has(job) ? undefined : digest?.sha256;
    return digest === undefined ? [] : [{ event: 'journal-found', job, ...defined({ sha256 }) }];
  });
  return [{ event: 'chain-begun' }, ...found];
}

/** Ends the jobs whose process died before it could; in a chain that is shared, those whose journal is here. */
function dead(io: Io, { open = [] }: ChainLine, events: readonly Happened[], isOwn: boolean): Happened[] {
  const own = new Set(events.map(({ job }) => job));
  const others = open.filter((job) => !own.has(job));
  if (others.length === 0) return [];
  const folder = new JournalFolder(io);
  const workers = folder.workers();
  const paths = new Map(folder.entries().map(({ job, path }) => [job, path]));
  return others
    .filter((job) => !workers.has(job) && (isOwn || paths.has(job)))
    .map((job) => {
      const path = paths.get(job);
      const end = { event: 'job-ended', job, interrupted: true } as const;
      return path === undefined ? { ...end, missing: true } : { ...end, ...readableDigest(path) };
    });
}

/**
 * The audit chain as jobs write it. Under a policy nothing begins that cannot be recorded; without one a warning says
 * that it was not. The end of a job is never refused: what was sent was sent.
 * @param actor who acts now; its policies are those in force
 * @param warn shows a sentence on stderr; called once
 * @param isAlone whether its jobs send one request after the other
 */
export function auditTrail(io: Io, actor: Actor, warn: (line: string) => void, isAlone = false): Trail {
  const isStrict = (actor.policy ?? []).length > 0;
  let warned = false;
  const begunHere = new Set<string>();
  return {
    async record(events, use = {}) {
      const isEnd = events.every(({ event }) => event === 'job-ended');
      const happened = events.map((one) => ({ ...one, actor: ('actor' in one && one.actor) || actor }));
      for (const { event, job } of events) if (event === 'job-begun') begunHere.add(job);
      try {
        // The line of an end is on the disk with the next one; lost with the power, it is written again.
        await appendEvents(io, happened, { sync: isEnd ? false : isAlone ? 'alone' : true });
        await tellOthers(
          io,
          happened.filter(({ job }) => !begunHere.has(job)),
        );
        return true;
      } catch (cause) {
        if (!(cause instanceof DocsError)) throw cause;
        if (isStrict && !isEnd) throw refused(cause);
        if (!warned && use.quiet === undefined) warn(`${cause.message}; docs audit verify will say so.`);
        warned ||= use.quiet === undefined;
        return false;
      }
    },
  };
}

/**
 * A job that goes on where other policies are in force: the chain in which it began hears of it, too, so that its journal
 * still fits there. That it cannot be written keeps nothing back, since it is none of those in force.
 */
async function tellOthers(io: Io, events: readonly Happened[]): Promise<void> {
  const going = events.filter(({ job }) => job !== undefined);
  if (going.length === 0) return;
  const inForce = chainPlaces(io);
  const isMeant = (name: string) => going.some(({ job }) => name.startsWith(`${job}.`));
  const journals = new Map(new JournalFolder(io).entries(isMeant).map(({ job, path }) => [job, path]));
  for (const event of going) {
    const path = journals.get(event.job ?? '');
    const places = path === undefined ? [] : chainsOfJournal(io, path);
    for (const place of places.filter((one) => !inForce.includes(one)))
      await appendEvents(io, [event], { sync: false, places: [place] }).catch(onlyDocsErrors);
  }
}

function onlyDocsErrors(cause: unknown): void {
  if (!(cause instanceof DocsError)) throw cause;
}

function refused(cause: DocsError): DocsError {
  const why = 'under a policy nothing is changed without a record';
  return cause.changed({}, `${cause.message}; ${why}, so nothing was sent`);
}
