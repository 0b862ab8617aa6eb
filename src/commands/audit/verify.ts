import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Report, Session } from '../../cli/run/run-report.js';
import { counted } from '../../output/text.js';
import { type Finding, type Verified, verifyChain } from '../../policy/audit/verify.js';
import { isUserPlace, recordPlaces } from '../../policy/place.js';

/** Findings that are listed; more are only counted. */
const mostListed = 100;

/** A chain as it was found. */
interface Chain extends Verified {
  /** Its folder. */
  place: string;
  state: 'whole' | 'broken' | 'none';
}

interface AuditRead {
  /** Of the place in force, or of the first of several; then the others. */
  chains: readonly [Chain, ...Chain[]];
  findings: readonly Finding[];
  count: number;
  isHeadGiven: boolean;
}

/**
 * `docs audit verify`: whether the chains and the journals are as they were written. Findings (exit 17) `audit_findings`;
 * usage `invalid_head`.
 */
export const verifyReport: Report<AuditRead> = {
  async read({ session: { io }, input }) {
    const head = headOf(input.options.head);
    const findings: Finding[] = [];
    let count = 0;
    const find = (finding: Finding) => {
      count += 1;
      if (findings.length < mostListed) findings.push(finding);
    };
    const chains = verifyAll(io, head, find);
    return { chains, findings, count, isHeadGiven: head !== undefined };
  },
  value({ chains, count, findings }) {
    const [{ place, unfinished, isCut: _, ...known }] = chains;
    const state = count > 0 ? 'broken' : chains.every((one) => one.state === 'none') ? 'none' : 'whole';
    const all = chains.map(({ place: of, state: its, events, head }) => ({
      place: of,
      state: its,
      events,
      head,
    }));
    return { ...known, state, unfinished: unfinished.length, count, findings, place, chains: all };
  },
  notes: ({ chains }, { session }) =>
    chains.flatMap((chain) => knownWords(session, chain).map((words) => ofChain(chain, chains, words))),
  end({ chains, findings, count, isHeadGiven }) {
    if (count > 0) return { failure: found(findings, count) };
    const told = chains.filter(({ state }, at) => state !== 'none' || at === 0);
    const words = told.map((chain) => ofChain(chain, told, headWords(chain)));
    return isHeadGiven ? undefined : { note: words.join('\n') };
  },
};

/** Says of which chain words are, where there are several. */
function ofChain({ place }: Chain, { length }: readonly Chain[], words: string): string {
  return length > 1 ? named(place, words) : words;
}

/** Each chain in its turn; a head is that of one of them. */
function verifyAll(
  io: Io,
  head: string | undefined,
  find: (finding: Finding) => void,
): readonly [Chain, ...Chain[]] {
  const places = recordPlaces(io);
  const unknown: Finding[] = [];
  const verify = (place: string) =>
    verifyPlace(io, place, head, (one) => {
      if (one.is === 'head-unknown') unknown.push(one);
      else find(places.length > 1 ? { ...one, place, message: named(place, one.message) } : one);
    });
  const [first = '', ...others] = places;
  const chains: [Chain, ...Chain[]] = [verify(first), ...others.map(verify)];
  if (unknown.length === chains.length) for (const one of unknown.slice(0, 1)) find(one);
  return chains;
}

function named(place: string, words: string): string {
  return words.includes(place) ? words : `${place}: ${words}`;
}

/**
 * A chain that a policy demands and that is not there proves nothing, so it is a finding: whoever watches the exit code must
 * not take an empty folder for a whole chain. Where no policy names a place, nothing may have been changed yet.
 */
function verifyPlace(
  io: Io,
  place: string,
  head: string | undefined,
  find: (finding: Finding) => void,
): Chain {
  let count = 0;
  const findHere = (finding: Finding) => {
    if (finding.is !== 'head-unknown') count += 1;
    find(finding);
  };
  const verified = verifyChain(io, head, findHere, place);
  if (verified.events === 0 && !isUserPlace(io, place))
    findHere({ is: 'chain-missing', message: `there is no audit chain in ${place}, which a policy names` });
  const state = count > 0 ? 'broken' : verified.events === 0 ? 'none' : 'whole';
  return { ...verified, place, state };
}

function headOf(typed: unknown): string | undefined {
  if (typed === undefined) return undefined;
  if (typeof typed === 'string' && /^[0-9a-f]{64}$/i.test(typed)) return typed.toLowerCase();
  const message = `--head must be the 64 hexadecimal digits that docs audit verify prints, not ${JSON.stringify(typed)}`;
  throw usageError('invalid_head', message, { hint: 'docs audit verify' });
}

/** What is known and no finding, a sentence each. */
function knownWords(
  { globals, io }: Session,
  { unfinished, isCut, torn, removed, elsewhere }: Verified,
): string[] {
  const [job] = unfinished;
  const which = unfinished.length === 1 ? `Job ${job} is` : `${unfinished.length} jobs are`;
  const next = atPlace(`docs jobs resume ${job}`, globals, io.platform);
  return [
    ...(torn > 0 ? [`${counted(torn, 'line')} torn by a crash, and recorded as such.`] : []),
    ...(isCut ? ['The last line is torn; the next command that changes something records it.'] : []),
    ...(removed > 0
      ? [`${counted(removed, 'journal')} removed by docs jobs prune or discard, or after 90 days.`]
      : []),
    ...(elsewhere > 0
      ? [`The journals of ${counted(elsewhere, 'job')} belong to other accounts and were not read.`]
      : []),
    ...(job === undefined
      ? []
      : [`${which} unfinished, so the chain does not cover the journal yet; ${next} goes on.`]),
  ];
}

function headWords({ head, events, place }: Chain): string {
  return events === 0
    ? `There is no audit chain in ${place}: nothing was verified. The first change begins it.`
    : `Without --head, lines that were removed or rewritten at the end go unseen. Keep this elsewhere, and run docs audit verify --head ${head}`;
}

function found(findings: readonly Finding[], count: number): DocsError {
  const shown = findings.slice(0, 20).map(({ message }) => `  ${message}`);
  const lines = count > shown.length ? [...shown, `  and ${count - shown.length} more`] : shown;
  const [first] = findings;
  const message = `${counted(count, 'finding')} in the audit chain: ${first?.message}`;
  return new DocsError('findings', 'audit_findings', message, {
    ...(count > 1 && { lines }),
    details: { count, findings },
    hint: 'docs audit list --limit 20',
  });
}
