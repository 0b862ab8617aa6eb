import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Report, Session } from '../../cli/run/run-report.js';
import { counted } from '../../output/text.js';
import { type Finding, type Verified, verifyChain } from '../../policy/audit/verify.js';
import { chainPlaces, isUserPlace } from '../../policy/place.js';

/** Findings that are listed; more are only counted. */
const mostListed = 100;

interface AuditRead {
  /** The folder of the chain. */
  place: string;
  verified: Verified;
  findings: readonly Finding[];
  count: number;
  isHeadGiven: boolean;
}

/**
 * `docs audit verify`: whether the chain and the journals are as they were written. Findings (exit 17) `audit_findings`;
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
    const [place = '', ...others] = chainPlaces(io);
    const verified = verifyPlace(io, place, head, find);
    for (const other of others)
      verifyPlace(io, other, undefined, (one) => find({ ...one, message: `${other}: ${one.message}` }));
    return { place, verified, findings, count, isHeadGiven: head !== undefined };
  },
  value({ place, verified: { unfinished, isCut: _, ...known }, count, findings }) {
    const state = count > 0 ? 'broken' : known.events === 0 ? 'none' : 'whole';
    return { state, ...known, unfinished: unfinished.length, count, findings, place };
  },
  notes: ({ verified }, { session }) => knownWords(session, verified),
  end({ place, verified, findings, count, isHeadGiven }) {
    if (count > 0) return { failure: found(findings, count) };
    return isHeadGiven ? undefined : { note: headWords(verified, place) };
  },
};

/**
 * A chain that a policy demands and that is not there proves nothing, so it is a finding: whoever watches the exit code must
 * not take an empty folder for a whole chain. Where no policy names a place, nothing may have been changed yet.
 */
function verifyPlace(
  io: Io,
  place: string,
  head: string | undefined,
  find: (finding: Finding) => void,
): Verified {
  const verified = verifyChain(io, head, find, place);
  if (verified.events === 0 && !isUserPlace(io, place))
    find({ is: 'chain-missing', message: `there is no audit chain in ${place}, which a policy names` });
  return verified;
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
    ...(job === undefined ? [] : [`${which} unfinished, so nothing holds the journal yet; ${next} goes on.`]),
  ];
}

function headWords({ head, events }: Verified, place: string): string {
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
