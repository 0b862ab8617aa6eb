import type { Impact } from '../../access/impact/change.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, pageColumnsOf, printDocument, wantsRows, warnReader } from '../../cli/run/output.js';
import type { View } from '../../output/printer.js';
import { unreadFacts } from '../../reading/reading.js';
import { notReadLines } from '../../snapshot/unread.js';

/** Prints an impact: a summary, Markdown, the whole as JSON, or a row for each thing found. */

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

const seeAll = 'To see all, add -o csv, -o markdown, --html <file> or --json.';

/** What `--jq` and the formats of whole values get is the impact itself. */
const whole: View = { columns: [], fields: [] };

/** Refuses unknown fields and the like before anything is read. @throws DocsError usage `unknown_field`, `bad_jq` */
export async function checkPrinting(session: Session): Promise<void> {
  await session.printer.check(wantsRows(session) ? rowView : { ...rowView, open: [''] });
}

export async function printImpact(session: Session, impact: Impact): Promise<void> {
  const { printer, settings } = session;
  if (settings.output?.value === 'markdown') {
    const [{ renderMarkdown }, { impactDocument }] = await Promise.all([
      import('../../document/markdown.js'),
      import('./document.js'),
    ]);
    return printer.text(renderMarkdown(impactDocument(impact)));
  }
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

/** The impact as JSON. */
function factsOf(impact: Impact): Record<string, unknown> {
  return { ...impact, unknown: impact.unknown.map(unreadFacts) };
}
