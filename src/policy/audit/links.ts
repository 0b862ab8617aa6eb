import { createHash, type Hash } from 'node:crypto';
import { type ChainLine, noHash } from './chain.js';
import type { RawLine } from './lines.js';

/** Whether each line holds the one before, and where not, which line was removed, changed or added. */

export interface LinkFinding {
  is: 'line-removed' | 'line-changed' | 'line-added';
  /** In the file, from 1; of a removed line, where it would follow. */
  line: number;
  /** Of the event; undefined for what is no event. */
  seq?: number;
  message: string;
}

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
export class Links {
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
  *follow(lines: Iterable<RawLine>): Generator<ChainLine | LinkFinding> {
    this.isCut = false;
    let current: Link | undefined;
    for (const next of linksOf(lines)) {
      if (current !== undefined) yield* this.#take(current, next);
      current = next;
    }
    if (current !== undefined) yield* this.#take(current, undefined);
  }

  *#take(link: Link, next: Link | undefined): Generator<ChainLine | LinkFinding> {
    const { line } = link;
    if (line === undefined) return yield* this.#garbage(link, next);
    const { hash, seq } = this.#last;
    if (line.prev !== hash || line.seq !== seq + 1) yield* this.#broken({ ...link, line }, next);
    else this.#hold(link, line.seq);
    this.events += 1;
    yield line;
  }

  /** What is no event: torn by a crash and named by the next writer, at the end of the file, or of somebody else. */
  *#garbage(link: Link, next: Link | undefined): Generator<LinkFinding> {
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

  *#broken(link: Link & { line: ChainLine }, next: Link | undefined): Generator<LinkFinding> {
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

function added({ number, line }: { number: number; line?: Pick<ChainLine, 'seq'> }): LinkFinding {
  const seq = line === undefined ? {} : { seq: line.seq };
  return { is: 'line-added', line: number, ...seq, message: `line ${number} was added` };
}

/** @param or the line after it, where it may be that one as well */
function changed(line: number, seq: number, or?: number): LinkFinding {
  const message = or === undefined ? `line ${line} was changed` : `line ${line} or line ${or} was changed`;
  return { is: 'line-changed', line, seq, message };
}

/** Lines in a row are one finding. */
function* removed(from: number, to: number, line: number): Generator<LinkFinding> {
  const events = from === to ? `event ${from}` : `events ${from} to ${to}`;
  const which =
    from === to ? `line ${line} was removed` : `${to - from + 1} lines were removed from line ${line} on`;
  yield { is: 'line-removed', line, seq: from, message: `${which} (${events})` };
}
