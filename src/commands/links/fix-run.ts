import { redactText } from '../../base/redaction.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { noteSaid } from '../../cli/run/note-checked.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import type { Reading } from '../../reading/reading.js';
import { notReadLines } from '../../snapshot/unread.js';
import { openReader } from '../../workflows/backup/reader.js';
import { type SpaceFix, spaceFixes } from '../../workflows/link-fix/archives.js';
import { type FoundLinks, findLinks } from '../../workflows/link-fix/find.js';
import { formerTargets } from '../../workflows/link-fix/former.js';
import type { FoundLink } from '../../workflows/link-fix/found-link.js';
import { failureOf, reasonsLeft, summaryOf } from '../../workflows/link-fix/report.js';
import { correctedPages, rowOf } from '../../workflows/link-fix/rows.js';
import { settleWaiting } from '../../workflows/link-fix/waiting.js';
import { beginProposal } from '../plan/propose.js';
import { writeArchives } from './fix-archives.js';
import { type Choices, chooseTargets } from './fix-choices.js';
import { proposeFixes } from './fix-propose.js';
import { type FixRequest, fixRequestOf } from './fix-request.js';

/** `docs links fix`: reads, reports, writes corrected pages, and proposes them. */

/**
 * @throws DocsError findings (exit 17), partial (exit 3); usage; as `findLinks`, `openReader`, `writeArchives`,
 *   `proposeFixes`
 */
export async function fixLinks(
  session: Session,
  input: ManualInput,
  view: View,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { printer, globals } = session;
  const request = fixRequestOf(session, input);
  const { out, importBase, proposes } = request;
  if (proposes) await beginProposal(session);
  else await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const found = await foundLinks(session, reading, request);
  const chosen: Choices =
    proposes || out !== undefined ? await chooseTargets(session, found.links, request) : new Map();
  for (const [link, choice] of chosen)
    if (link.found.is !== 'one' || link.found.candidate !== choice.candidate)
      link.found = { is: 'one', ...choice };
  const fixes = await spaceFixes(correctedPages(found.links, (link) => chosen.get(link)));
  if (out !== undefined && globals.dryRun !== true && fixes.length > 0)
    await writeArchives(session, out, fixes);
  if (!proposes) await printer.list(found.links.map(rowOf), view);
  if (out !== undefined) await tellWritten(session, out, fixes);
  if (proposes)
    await proposeFixes(session, input, groups, { base: importBase, found, fixes, chosen, reading });
  tell(session, found, request, { chosen, proposes });
}

async function foundLinks(
  session: Session,
  reading: Reading,
  { scope, backup }: FixRequest,
): Promise<FoundLinks> {
  const { io, globals } = session;
  const former =
    backup === undefined ? undefined : formerTargets(await openReader(backup, { nowMs: io.now() }));
  const progress = startProgress(io, { text: 'Reading links', quiet: globals.quiet ?? false });
  try {
    const found = await findLinks(reading, { scope, former, onSpace: (read) => progress.count(read, 0) });
    const unread = await settleWaiting(reading, found.links);
    return { ...found, unread: [...found.unread, ...unread] };
  } finally {
    progress.stop();
  }
}

async function tellWritten(session: Session, out: string, fixes: readonly SpaceFix[]): Promise<void> {
  const { printer, globals } = session;
  const links = fixes.reduce((sum, fix) => sum + fix.links, 0);
  if (fixes.length === 0) printer.note('No link to correct; nothing was written.');
  else if (globals.dryRun) printer.note('Dry run: nothing was written.');
  else
    await noteSaid(
      session,
      `Wrote ${counted(fixes.length, 'archive')} with ${counted(links, 'corrected link')} to ${out}.`,
    );
}

/** What was not read, one a line; then the sum, as a failure if there is one. */
function tell(
  session: Session,
  found: FoundLinks,
  { failOn }: FixRequest,
  { chosen, proposes }: { chosen: Choices; proposes: boolean },
): void {
  const { io, printer } = session;
  warnReader(session, notReadLines([...found.tally.unread, ...found.unread]));
  const isPlanned = (link: FoundLink) => proposes && chosen.has(link);
  const failure = failureOf(found, { failOn, isPlanned, platform: io.platform });
  if (failure !== undefined) throw failure;
  printer.note(summaryOf(found));
  for (const sentence of reasonsLeft(found)) printer.note(redactText(sentence));
  const isUnused = (link: FoundLink) => {
    const { status, by } = rowOf(link);
    return status === 'proposed' && by === 'title' && !chosen.has(link);
  };
  if (found.links.some(isUnused)) printer.note('Targets found by title are used with --match-titles only.');
}
