import type { Io } from '../../base/io.js';
import { noHash } from './chain.js';
import { type JournalFinding, Journals } from './journals.js';
import { linesOf, type Position, type RawLine, start } from './lines.js';
import { type LinkFinding, Links } from './links.js';

export type Finding = LinkFinding | JournalFinding | { is: 'head-unknown'; message: string };

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
}

/** How often journals that do not fit are looked at again: somebody may be at work on them. */
const mostLooks = 3;

/**
 * Reads the whole chain, once and in pieces, and the journals that it tells of.
 * @param head the hash of a line that was the last one at some time; without it a rewritten end goes unseen
 * @param onFinding called for each finding, in the order of the chain; then those of journals
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export function verifyChain(
  io: Io,
  head: string | undefined,
  onFinding: (finding: Finding) => void,
): Verified {
  const [links, journals] = [new Links(), new Journals(io)];
  let [at, isHeadSeen]: [Position, boolean] = [start, false];
  function* watched(): Generator<RawLine> {
    for (const line of linesOf(io, at)) {
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
      else journals.take(one);
    }
  };
  readOn();
  let found: JournalFinding[] = [];
  for (let look = 0; look < mostLooks; look += 1) {
    found = [...journals.findings(links.events > 0)];
    if (found.length === 0) break;
    journals.look();
    readOn();
  }
  for (const finding of found) onFinding(finding);
  if (head !== undefined && !isHeadSeen && head !== noHash) onFinding(headUnknown(head));
  const { events, torn, isCut } = links;
  const { removed, unfinished } = journals;
  return { events, head: links.head, torn, isCut, removed, unfinished };
}

function headUnknown(head: string): Finding {
  const message = `no line has the hash ${head}: the end of the chain was removed or rewritten`;
  return { is: 'head-unknown', message };
}
