import { createHash, type Hash } from 'node:crypto';
import type { Static } from '../../api/type.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { beginning, chainsOfJournal, journalsIn } from '../../jobs/journal-folder.js';
import { digestOf } from '../../jobs/trail.js';
import { claimedPlans } from '../../plans/check.js';
import { userPlace } from '../place.js';
import { type ChainLine, linesOf, noHash, type Position, type RawLine, start } from './chain.js';
import type { AuditFinding } from './shape.js';

/** Whether each line holds the one before, and where not, which line was removed, changed or added. */

/** A finding; of a removed line `line` is where it would follow, and `seq` is missing for what is no event. */
export type Finding = Static<typeof AuditFinding>;

/** A line as far as links go; a run of lines that are no events counts as one. */
interface Link {
  number: number;
  hash: string;
  line?: ChainLine;
  /** Of a run: what a `torn` event says of it. */
  torn?: { bytes: number; sha256: string };
  /** Whether the file ends within it. */
  isCut: boolean;
}

interface Held {
  hash: string;
  seq: number;
  number: number;
}

/** Follows the chain; may go on where an earlier following ended. */
class Links {
  /** Events that link. */
  events = 0;
  /** Torn lines that an event names. */
  torn = 0;
  /** Whether the file ends within a line: the next writer closes it. */
  isCut = false;
  #last: Held = { hash: noHash, seq: 0, number: 0 };
  #before: string | undefined;

  /** Hash of the last line; zeros where there is none. */
  get head(): string {
    return this.#last.hash;
  }

  /** Yields each event as it stands, and each finding. */
  *follow(lines: Iterable<RawLine>): Generator<ChainLine | Finding> {
    this.isCut = false;
    let current: Link | undefined;
    for (const next of linksOf(lines)) {
      if (current !== undefined) yield* this.#take(current, next);
      current = next;
    }
    if (current !== undefined) yield* this.#take(current, undefined);
  }

  *#take(link: Link, next: Link | undefined): Generator<ChainLine | Finding> {
    const { line } = link;
    if (line === undefined) return yield* this.#garbage(link, next);
    const { hash, seq } = this.#last;
    if (line.prev !== hash || line.seq !== seq + 1) yield* this.#broken({ ...link, line }, next);
    else this.#hold(link, line.seq);
    this.events += 1;
    yield line;
  }

  /** What is no event: torn by a crash and named by the next writer, at the end of the file, or of somebody else. */
  *#garbage(link: Link, next: Link | undefined): Generator<Finding> {
    const { line } = next ?? {};
    const isNamed =
      line?.event === 'torn' && line.sha256 === link.torn?.sha256 && line.bytes === link.torn?.bytes;
    if (isNamed && line.prev === this.#last.hash) {
      this.torn += 1;
      return;
    }
    if (link.isCut) {
      this.isCut = true;
      return;
    }
    if (line === undefined || line.prev === this.#last.hash) {
      yield added(link);
      return;
    }
    yield changed(link.number, this.#last.seq + 1);
    this.#trust(link.number, this.#last.seq + 1, line.prev);
  }

  *#broken(link: Link & { line: ChainLine }, next: Link | undefined): Generator<Finding> {
    const { line, number, hash } = link;
    const last = this.#last;
    const following = next?.line;
    if (following?.prev === last.hash && following.seq === last.seq + 1) return yield added(link);
    if (line.prev === last.hash) {
      // It follows, but its number is another one.
      yield changed(number, last.seq + 1);
      return this.#trust(number, last.seq + 1, following?.prev ?? hash);
    }
    if (line.prev === this.#before && line.seq === last.seq) {
      yield added({ number: last.number, line: { seq: last.seq } });
      return this.#replace(link);
    }
    if (line.seq > last.seq + 1) {
      yield* removed(last.seq + 1, line.seq - 1, last.number + 1);
      return this.#hold(link, line.seq);
    }
    if (line.seq <= last.seq) return yield added(link);
    if (following !== undefined && following.seq === line.seq + 1 && following.prev !== hash) {
      yield changed(number, line.seq);
      return this.#trust(number, line.seq, following.prev);
    }
    yield changed(last.number, last.seq, following === undefined ? number : undefined);
    this.#hold(link, line.seq);
  }

  #hold({ hash, number }: Link, seq: number): void {
    this.#before = this.#last.hash;
    this.#last = { hash, seq, number };
  }

  /** The line before was no part of the chain. */
  #replace({ hash, number, line }: Link & { line: ChainLine }): void {
    this.#last = { hash, seq: line.seq, number };
  }

  /** A changed line counts as the one that the next line holds, so that one change is one finding. */
  #trust(number: number, seq: number, hash: string): void {
    this.#before = this.#last.hash;
    this.#last = { hash, seq, number };
  }
}

/** Gathers what is no event between two events. */
function* linksOf(lines: Iterable<RawLine>): Generator<Link> {
  let run: Run | undefined;
  for (const raw of lines) {
    // An event that lacks its line feed alone is whole.
    if (raw.line === undefined) {
      run ??= new Run(raw);
      run.add(raw);
      continue;
    }
    if (run !== undefined) yield run.link;
    run = undefined;
    const { number, hash, line } = raw;
    yield { number, hash, line, isCut: false };
  }
  if (run !== undefined) yield run.link;
}

/** Lines in a row that are no events. */
class Run {
  readonly #first: RawLine;
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;
  #isCut = false;

  constructor(first: RawLine) {
    this.#first = first;
  }

  add({ bytes, whole }: RawLine): void {
    this.#hash.update(bytes).update('\n');
    this.#bytes += bytes.length + 1;
    this.#isCut = !whole;
  }

  get link(): Link {
    const { number, hash } = this.#first;
    const torn = { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
    return { number, hash, torn, isCut: this.#isCut };
  }
}

function added({ number, line }: { number: number; line?: Pick<ChainLine, 'seq'> }): Finding {
  const seq = line === undefined ? {} : { seq: line.seq };
  return { is: 'line-added', line: number, ...seq, message: `line ${number} was added` };
}

/** @param or the line after it, where it may be that one as well */
function changed(line: number, seq: number, or?: number): Finding {
  const message = or === undefined ? `line ${line} was changed` : `line ${line} or line ${or} was changed`;
  return { is: 'line-changed', line, seq, message };
}

/** Lines in a row are one finding. */
function* removed(from: number, to: number, line: number): Generator<Finding> {
  const events = from === to ? `event ${from}` : `events ${from} to ${to}`;
  const which =
    from === to ? `line ${line} was removed` : `${to - from + 1} lines were removed from line ${line} on`;
  yield { is: 'line-removed', line, seq: from, message: `${which} (${events})` };
}

/** What of the chain is known once it has been read. */
export interface Verified {
  /** Events that were read. */
  events: number;
  /** Hash of the last line; zeros where there is no chain. */
  head: string;
  /** Torn lines that are accounted for. */
  torn: number;
  /** Whether the last line is torn; the next writer closes it. */
  isCut: boolean;
  /** Journals that were removed on the record. */
  removed: number;
  /** Jobs that have begun and not ended. */
  unfinished: readonly string[];
  /** Jobs of other accounts, whose journals cannot be read from this one. */
  elsewhere: number;
}

/** How often journals that do not fit are looked at again: somebody may be at work on them. */
const mostLooks = 3;

/**
 * Reads the whole chain, once and in pieces, and the journals that it tells of.
 * @param head the hash of a line that was the last one at some time; without it a rewritten end goes unseen
 * @param onFinding called for each finding, in the order of the chain; then those of journals
 * @param place the folder of the chain
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export function verifyChain(
  io: Io,
  head: string | undefined,
  onFinding: (finding: Finding) => void,
  place: string = userPlace(io),
): Verified {
  const [links, journals, plans] = [new Links(), new Journals(io, place), new AppliedPlans()];
  let [at, isHeadSeen]: [Position, boolean] = [start, false];
  function* watched(): Generator<RawLine> {
    for (const line of linesOf(place, at)) {
      // What is being written is read again; of a whole event only the line feed can follow.
      if (line.whole) at = line;
      else if (line.line !== undefined) at = { ...line, end: line.end + 1 };
      isHeadSeen ||= line.hash === head;
      yield line;
    }
  }
  const readOn = () => {
    for (const one of links.follow(watched())) {
      if ('is' in one) onFinding(one);
      else {
        journals.take(one);
        plans.take(one);
      }
    }
  };
  readOn();
  let found: Finding[] = [];
  for (let look = 0; look < mostLooks; look += 1) {
    found = [...journals.findings(links.events > 0)];
    if (found.length === 0) break;
    journals.look();
    readOn();
  }
  for (const finding of found) onFinding(finding);
  for (const finding of plans.findings(io)) onFinding(finding);
  if (head !== undefined && !isHeadSeen && head !== noHash) onFinding(headUnknown(head));
  const { events, torn, isCut } = links;
  const { removed, unfinished, elsewhere } = journals;
  return { events, head: links.head, torn, isCut, removed, unfinished, elsewhere: elsewhere.size };
}

function headUnknown(head: string): Finding {
  const message = `no line has the hash ${head}: the end of the chain was removed or rewritten`;
  return { is: 'head-unknown', message };
}

/** Whether the journals are those that the chain tells of. */

/** What the chain says of a journal. */
interface JournalRecord {
  is: 'open' | 'ended' | 'removed' | 'found';
  sha256?: string;
  /** Its folder, where the chain names it. */
  folder?: string;
}

/** Follows jobs through the chain; keeps only those whose journals are there, or should be. */
class Journals {
  /** Journals that were removed by `docs jobs prune` or `discard`, or after 90 days. */
  removed = 0;
  /** Jobs of other accounts, whose journals cannot be read. */
  readonly elsewhere = new Set<string>();
  readonly #io: Io;
  readonly #place: string;
  readonly #own: JobFolder;
  readonly #told = new Map<string, JournalRecord>();
  /** By folder, the journals in it by job; undefined where they cannot be read. */
  #paths = new Map<string, ReadonlyMap<string, string> | undefined>();

  constructor(io: Io, place: string) {
    this.#io = io;
    this.#place = place;
    this.#own = new JobFolder(io);
    this.look();
  }

  /** Reads again which journals are there. */
  look(): void {
    this.#paths = new Map([
      [this.#own.path, new Map(this.#own.entries().map(({ job, path }) => [job, path]))],
    ]);
  }

  #in(folder = this.#own.path): ReadonlyMap<string, string> | undefined {
    if (!this.#paths.has(folder)) this.#paths.set(folder, journalsIn(folder));
    return this.#paths.get(folder);
  }

  take({ event, job, sha256, missing, journals: folder }: ChainLine): void {
    if (job === undefined) return;
    const paths = this.#in(folder);
    if (paths === undefined) return void this.elsewhere.add(job);
    const record = defined({ sha256, folder });
    if (event === 'journal-pruned' || event === 'discarded') {
      this.removed += 1;
      // It stays known only where it is still there.
      if (paths.has(job)) this.#told.set(job, { is: 'removed', ...record });
      else this.#told.delete(job);
    }
    if (event === 'journal-found') this.#told.set(job, { is: 'found', ...record });
    if (event === 'job-begun' || event === 'job-resumed' || event === 'settled')
      this.#told.set(job, { is: 'open', ...defined({ folder }) });
    if (event !== 'job-ended') return;
    const hasNone = sha256 === undefined && missing !== true && !paths.has(job);
    if (hasNone) this.#told.delete(job);
    else this.#told.set(job, { is: 'ended', ...record });
  }

  /** Jobs that have begun and not ended: they are at work, or their process died. */
  get unfinished(): string[] {
    return [...this.#told].flatMap(([job, { is }]) => (is === 'open' ? [job] : []));
  }

  /** @param hasChain whether there is a chain at all */
  *findings(hasChain: boolean): Generator<Finding> {
    const before: string[] = [];
    const removed: string[] = [];
    for (const [job, path] of this.#in() ?? []) {
      const told = this.#told.get(job);
      const isEarlier = told === undefined || told.is === 'found';
      if (isEarlier && isRecorded(path) && chainsOfJournal(this.#io, path).includes(this.#place)) {
        if (told === undefined && hasChain) yield unrecorded(job);
        else before.push(job);
      }
      if (told !== undefined && told.folder === undefined) yield* changes(job, path, told);
    }
    for (const [job, told] of this.#told) {
      const path = this.#in(told.folder)?.get(job);
      if (path === undefined) removed.push(job);
      else if (told.folder !== undefined) yield* changes(job, path, told);
    }
    if (before.length > 0) yield chainRemoved(before, hasChain);
    for (const job of removed)
      yield { is: 'journal-removed', job, message: `the journal of job ${job} was removed without a record` };
  }
}

function* changes(job: string, path: string, told: JournalRecord): Generator<Finding> {
  if (told.sha256 !== undefined && told.is !== 'open' && digestOf(path)?.sha256 !== told.sha256)
    yield { is: 'journal-changed', job, message: `the journal of job ${job} was changed after its end` };
  if (told.is === 'ended' && told.sha256 === undefined && digestOf(path) !== undefined)
    yield { is: 'journal-changed', job, message: `the journal of job ${job} was written after its end` };
}

/** A job of a plan. */
interface PlanJob {
  plan: string | undefined;
  /** Whether it changed something, as far as the chain tells: one that did not leaves its plan to another job. */
  applied: boolean;
}

/** A plan is applied once, and its claim beside the journals says by which job. */
class AppliedPlans {
  readonly #jobs = new Map<string, PlanJob>();

  take({ event, job, plan, counts, interrupted }: ChainLine): void {
    if (job === undefined) return;
    if (event === 'job-begun') this.#jobs.set(job, { plan, applied: true });
    const known = this.#jobs.get(job);
    if (event !== 'job-ended' || known === undefined || interrupted === true) return;
    const { ok = 0, unknown = 0 } = counts ?? {};
    this.#jobs.set(job, { ...known, applied: ok + unknown > 0 });
  }

  *findings(io: Io): Generator<Finding> {
    const byPlan = new Map<string, string[]>();
    for (const [job, { plan, applied }] of this.#jobs)
      if (plan !== undefined && applied) byPlan.set(plan, [...(byPlan.get(plan) ?? []), job]);
    for (const [plan, jobs] of byPlan) {
      const [, job] = jobs;
      if (job === undefined) continue;
      const message = `plan ${plan} was applied ${jobs.length} times, by the jobs ${jobs.join(' and ')}`;
      yield { is: 'plan-applied-twice', job, message };
    }
    for (const { plan, job } of claimedPlans(io)) {
      const known = this.#jobs.get(job);
      if (known === undefined || known.plan === plan) continue;
      const message = `the claim of plan ${plan} names job ${job}, which applied ${known.plan ?? 'no plan'}`;
      yield { is: 'claim-changed', job, message };
    }
  }
}

function unrecorded(job: string): Finding {
  const message = `job ${job} has a journal and no line: it could not be recorded, or its lines were removed`;
  return { is: 'journal-unrecorded', job, message };
}

function chainRemoved(jobs: readonly string[], hasChain: boolean): Finding {
  const [first = ''] = jobs.toSorted();
  const which = jobs.length === 1 ? `job ${first}` : `${jobs.length} jobs, the first of them ${first},`;
  const now = hasChain ? 'is in an earlier chain and was removed' : 'is in the chain and was removed';
  return { is: 'chain-removed', job: first, message: `there are journals of ${which} that ${now}` };
}

/** Whether the journal is of a version that keeps a chain: its header says who began it. */
function isRecorded(path: string): boolean {
  const [header = ''] = beginning(path).split('\n');
  return header.includes('"actor":{"kind":');
}
