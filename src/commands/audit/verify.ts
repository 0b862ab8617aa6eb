import { DocsError, usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { type Finding, type Verified, verifyChain } from '../../policy/audit/verify.js';

/** Findings that are listed; more are only counted. */
const mostListed = 100;

/**
 * `docs audit verify`: whether the chain and the journals are as they were written.
 * @throws DocsError findings (exit 17) `audit_findings`; usage `invalid_head`
 */
export async function verify(session: Session, { options }: ManualInput, view: View): Promise<void> {
  const { io, printer } = session;
  const head = headOf(options.head);
  await printer.check(view);
  const findings: Finding[] = [];
  let count = 0;
  const verified = verifyChain(io, head, (finding) => {
    count += 1;
    if (findings.length < mostListed) findings.push(finding);
  });
  const { unfinished, isCut, ...known } = verified;
  const state = count === 0 ? 'whole' : 'broken';
  const result = { state, ...known, unfinished: unfinished.length, count, findings };
  await printer.one(result, view);
  tell(session, verified);
  if (count > 0) throw found(findings, count);
  if (head === undefined) tellHead(session, verified);
}

function headOf(typed: unknown): string | undefined {
  if (typed === undefined) return undefined;
  if (typeof typed === 'string' && /^[0-9a-f]{64}$/i.test(typed)) return typed.toLowerCase();
  const message = `--head must be the 64 hexadecimal digits that docs audit verify prints, not ${JSON.stringify(typed)}`;
  throw usageError('invalid_head', message, { hint: 'docs audit verify' });
}

/** What is known and no finding. */
function tell({ printer, globals, io }: Session, { unfinished, isCut, torn, removed }: Verified): void {
  if (torn > 0) printer.note(`${counted(torn, 'line')} torn by a crash, and recorded as such.`);
  if (isCut) printer.note('The last line is torn; the next command that changes something records it.');
  if (removed > 0)
    printer.note(`${counted(removed, 'journal')} removed by docs jobs prune or discard, or after 90 days.`);
  const [job] = unfinished;
  if (job === undefined) return;
  const which = unfinished.length === 1 ? `Job ${job} is` : `${unfinished.length} jobs are`;
  const next = atPlace(`docs jobs resume ${job}`, globals, io.platform);
  printer.note(`${which} unfinished, so nothing holds the journal yet; ${next} goes on.`);
}

function tellHead({ printer }: Session, { head, events }: Verified): void {
  printer.note(
    events === 0
      ? 'There is no chain yet: the first change begins it.'
      : `Without --head, lines that were removed or rewritten at the end go unseen. Keep this elsewhere, and run docs audit verify --head ${head}`,
  );
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
