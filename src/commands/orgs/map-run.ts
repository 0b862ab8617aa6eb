import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { someOf, wholeNumber } from '../../cli/parse/values.js';
import { printDocument, wantsText, warnOfMost } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { originOf } from '../../cli/run/session-job.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { grouped } from '../../output/text.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';
import { platformName, type ReportPage, reportPage } from '../shared/report-page.js';
import { type MapPart, type MapRow, mapParts, rowsOf } from './map-nodes.js';
import { type OrganizationParts, readMap, type UnreadPart } from './map-read.js';
import { mapOf } from './map-tree.js';

/** `docs orgs map`: a drawn tree on a terminal, a row for each node elsewhere, or a diagram. */

interface MapRequest {
  parts: ReadonlySet<MapPart>;
  /** Levels below the organization. */
  depth: number | undefined;
  pages: boolean;
  /** Where `--html` goes. */
  html: ReportPage | undefined;
}

/** @throws DocsError usage; partial `not_all_read` (exit 3) where something could not be read; as `readMap` */
export async function printMap(session: Session, input: ManualInput, view: View): Promise<void> {
  const request = { ...requestOf(input), html: await reportPage(session, input) };
  await session.printer.check(view);
  const { found, nowMs } = await read(session, input, request);
  const rows = [...rowsOf(mapOf(found, request.parts), request.depth)];
  await print(session, rows, { view, nowMs });
  if (request.html !== undefined) await writeHtml(session, request.html, found, rows);
  refuseMissing(session, found.missing);
}

/** @throws DocsError usage `contradiction` */
function requestOf({ options }: ManualInput): Omit<MapRequest, 'html'> {
  const only = someOf('--only', options.only, mapParts);
  const parts = new Set(only.length === 0 ? mapParts : only);
  const pages = options.pages === true;
  if (pages && !parts.has('spaces'))
    throw usageError('contradiction', '--pages counts the pages of spaces, which --only leaves out.');
  const depth = options.depth === undefined ? undefined : wholeNumber('--depth', options.depth);
  return { parts, pages, depth };
}

async function read(
  session: Session,
  input: ManualInput,
  { parts, pages, html }: MapRequest,
): Promise<{ found: OrganizationParts; nowMs: number }> {
  const { io, globals } = session;
  const reading = await checkedReadingOf(session, input);
  const progress = startProgress(io, { text: 'Reading the organization', quiet: globals.quiet ?? false });
  const found = await readMap(reading, { parts, pages, people: html !== undefined }).finally(() =>
    progress.stop(),
  );
  return { found, nowMs: reading.client.platformNowMs ?? io.now() };
}

async function writeHtml(
  session: Session,
  page: ReportPage,
  found: OrganizationParts,
  rows: readonly MapRow[],
): Promise<void> {
  const { mapReport } = await import('./map-report.js');
  await page.write(mapReport(found, rows, platformName(originOf(session))));
}

async function print(
  session: Session,
  rows: readonly MapRow[],
  { view, nowMs }: { view: View; nowMs: number },
): Promise<void> {
  const { printer, settings } = session;
  const format = settings.output?.value;
  if (format === 'mermaid' || format === 'dot') {
    const [{ mostMermaidEdges, renderDot, renderMermaid }, { mapDiagram }] = await Promise.all([
      import('../../document/diagram.js'),
      import('./map-report.js'),
    ]);
    const draw = format === 'dot' ? renderDot : renderMermaid;
    await printer.text([...draw(mapDiagram(rows))].join(''));
    const edges = rows.length - 1;
    if (format === 'mermaid' && edges > mostMermaidEdges)
      printer.warn(
        `The map has ${grouped(edges)} edges; Mermaid draws ${mostMermaidEdges} unless its maxEdges is raised. ` +
          'Use --only or --depth.',
      );
  } else if (wantsText(session)) {
    const { treePart } = await import('./map-report.js');
    await printDocument(session, { title: '', parts: [treePart(rows)] }, { nowMs });
  } else await printer.list(rows, { ...view, depth: 'depth' });
}

/** What was not read, a line each; then the failure. */
function refuseMissing(session: Session, missing: readonly UnreadPart[]): void {
  if (missing.length === 0) return;
  const unread = missing.map((one) => one.unread);
  warnOfMost(session, notReadLines(unread));
  const parts = mapParts.filter((part) => missing.some((one) => one.parts.includes(part)));
  const names = missing.some((one) => one.parts.length === 0) ? ['organization', ...parts] : parts;
  throw notAllRead(`The map lacks what could not be read: ${names.join(', ')}.`, {
    unread,
    details: { parts: names, unread: unread.map(unreadFacts) },
    hint: 'docs auth status',
  });
}
