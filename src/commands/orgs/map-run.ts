import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { someOf, wholeNumber } from '../../cli/parse/values.js';
import { firstLines } from '../../cli/run/output.js';
import { checkedReadingOf, showProgress } from '../../cli/run/reading-of.js';
import { platformName } from '../../cli/run/report-page.js';
import type { Report, ReportEnding, ReportForm } from '../../cli/run/run-report.js';
import { originOf } from '../../cli/run/session-job.js';
import { tooManyEdges } from '../../document/diagram.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';
import { type MapPart, type MapRow, mapParts, rowsOf } from './map-nodes.js';
import { type OrganizationParts, readMap } from './map-read.js';
import { mapDiagram, mapPage, treePart } from './map-report.js';
import { mapOf } from './map-tree.js';

/** `docs orgs map`: a drawn tree on a terminal, a row for each node elsewhere, or a diagram. */

interface MapRead {
  found: OrganizationParts;
  rows: readonly MapRow[];
}

/** Partial `not_all_read` (exit 3) where something could not be read. */
export const mapReport: Report<MapRead> = {
  async read({ session, input, page }) {
    const { parts, depth, pages } = questionOf(input);
    const reading = await checkedReadingOf(session, input);
    const found = await showProgress(session, 'Reading the organization', () =>
      readMap(reading, { parts, pages, people: page }),
    );
    return { found, rows: [...rowsOf(mapOf(found, parts), depth)] };
  },
  document: ({ rows }) => ({ title: '', parts: [treePart(rows)] }),
  page: ({ found, rows }, { session }) => mapPage(found, rows, platformName(originOf(session))),
  diagram: ({ rows }) => mapDiagram(rows),
  rows: ({ rows }) => rows,
  rowView: ({ view }) => ({ ...view, depth: 'depth' }),
  end: ({ found, rows }, { form }) => endOf(found, rows.length - 1, form),
};

/** @throws DocsError usage `contradiction` */
function questionOf({ options }: ManualInput) {
  const only = someOf('--only', options.only, mapParts);
  const parts: ReadonlySet<MapPart> = new Set(only.length === 0 ? mapParts : only);
  const pages = options.pages === true;
  if (pages && !parts.has('spaces'))
    throw usageError('contradiction', '--pages counts the pages of spaces, which --only leaves out.');
  const depth = options.depth === undefined ? undefined : wholeNumber('--depth', options.depth);
  return { parts, pages, depth };
}

function endOf({ missing }: OrganizationParts, edges: number, form: ReportForm): ReportEnding {
  const tooMany = form === 'mermaid' ? tooManyEdges('map', edges) : undefined;
  const drawn = tooMany === undefined ? [] : [`${tooMany} Use --only or --depth.`];
  if (missing.length === 0) return { warnings: drawn };
  const unread = missing.map((one) => one.unread);
  const parts = mapParts.filter((part) => missing.some((one) => one.parts.includes(part)));
  const names = missing.some((one) => one.parts.length === 0) ? ['organization', ...parts] : parts;
  return {
    warnings: [...drawn, ...firstLines(notReadLines(unread))],
    failure: notAllRead(`The map lacks what could not be read: ${names.join(', ')}.`, {
      unread,
      details: { parts: names, unread: unread.map(unreadFacts) },
      hint: 'docs auth status',
    }),
  };
}
