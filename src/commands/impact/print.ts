import type { Impact } from '../../access/impact/change.js';
import type { Session } from '../../cli/declare/session.js';
import { pageColumnsOf, printDocument } from '../../cli/run/for-reading.js';
import { isStructured, wantsRows, warnReader } from '../../cli/run/output-flags.js';
import { writeAskedFile } from '../../files/asked-file.js';
import type { View } from '../../output/printer.js';
import { unreadFacts } from '../../reading/reading.js';
import { notReadLines } from '../../snapshot/unread.js';

/** Prints an impact: a summary, Markdown, HTML, the whole as JSON, or a row for each thing found. */

const rowView: View = {
  columns: [
    { path: 'aspect' },
    { path: 'kind' },
    { path: 'what', keep: true },
    { path: 'where' },
    { path: 'becomes' },
    { path: 'id', as: 'id' },
  ],
  fields: ['aspect', 'kind', 'what', 'where', 'becomes', 'id'],
  empty: 'Nothing was found.',
};

const seeAll = 'To see all, add -o csv, -o markdown, -o html or --json.';

/** What `--jq` and the formats of whole values get is the impact itself. */
const whole: View = { columns: [], fields: [] };

/** Refuses unknown fields and the like before anything is read. @throws DocsError usage `unknown_field`, `bad_jq` */
export async function checkPrinting(session: Session): Promise<void> {
  await session.printer.check(wantsRows(session) ? rowView : { ...rowView, open: [''] });
}

/** @param reportFile where the report goes instead, absolute @throws DocsError local-io */
export async function printImpact(session: Session, impact: Impact, reportFile?: string): Promise<void> {
  const { printer, settings, globals } = session;
  const report = await reportOf(impact, settings.output?.value);
  if (report !== undefined && reportFile !== undefined) {
    if (globals.dryRun) return printer.note(`Dry run: did not write ${reportFile}.`);
    await writeAskedFile(session.io, reportFile, report);
    return printer.note(`Wrote ${reportFile}.`);
  }
  if (report !== undefined) return printer.text(report);
  if (wantsRows(session)) {
    const { rowsOf } = await import('./rows.js');
    await printer.list(rowsOf(impact), rowView);
    warnReader(session, notReadLines(impact.unknown));
    return;
  }
  if (isStructured(session)) return printer.whole().one(factsOf(impact), whole);
  const { impactDocument } = await import('./document.js');
  const columns = Math.max(40, pageColumnsOf(session));
  await printDocument(session, impactDocument(impact), { columns, seeAll });
}

async function reportOf(impact: Impact, format: string | undefined): Promise<string | undefined> {
  if (format === 'markdown') {
    const [{ renderMarkdown }, { impactDocument }] = await Promise.all([
      import('../../document/markdown.js'),
      import('./document.js'),
    ]);
    return renderMarkdown(impactDocument(impact));
  }
  if (format === 'html') return (await import('./html.js')).impactHtml(impact);
  return undefined;
}

/** The impact as JSON. */
function factsOf(impact: Impact): Record<string, unknown> {
  return { ...impact, unknown: impact.unknown.map(unreadFacts) };
}
