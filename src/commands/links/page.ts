import type { ReadGraph } from '../../access/links/graph-state.js';
import type { LinkStatus } from '../../access/links/reference.js';
import type { Document, TablePart } from '../../document/document.js';
import { unreadWords } from '../../reading/reading.js';
import { type Finding, pageName, spaceName } from '../../workflows/link-check/finding.js';
import { type Tally, tallyWords } from '../../workflows/link-check/report.js';
import { graphPart } from './graph-part.js';

/** What a check has found, for its page. */
export interface Checked {
  findings: readonly Finding[];
  tally: Tally;
  /** What was looked for. */
  statuses: readonly LinkStatus[];
  graph: ReadGraph;
}

/**
 * A check of links as a page: what was found as a table, then all links as a graph.
 * @param facts where it was read, and what was asked for
 */
export function checkReport(
  { findings, tally, statuses, graph }: Checked,
  facts: Document['facts'],
): Document {
  const { known } = tally;
  const part = graphPart(graph);
  const hidden = known > 0 ? ' Those of the baseline are among them.' : '';
  return {
    title: 'Link check',
    about: [tallyWords(tally, statuses)],
    missing: graph.unread.map((one) => `Not read: ${unreadWords(one)}`),
    facts,
    parts: [tableOf(findings, statuses), { ...part, note: `${part.note}${hidden}` }],
  };
}

function tableOf(findings: readonly Finding[], statuses: readonly LinkStatus[]): TablePart {
  return {
    kind: 'table',
    title: statuses.join() === 'broken' ? 'Broken links' : 'Links found',
    columns: [
      { label: 'State', as: 'state' },
      { label: 'Space', as: 'text' },
      { label: 'Page', as: 'text' },
      { label: 'Link', as: 'text' },
      { label: 'Why', as: 'text' },
      { label: 'Address of the page', as: 'text' },
    ],
    rows: findings.map((finding) => {
      const { status, space, page, link } = finding;
      return [status, spaceName(space), pageName(finding), link, whyOf(finding), page?.url ?? null];
    }),
    empty: `No ${statuses.join(' or ')} links found.`,
  };
}

/** The platform gives no reason; what a link leads to tells it. */
function whyOf({ status, target: { url, page, file, space } }: Finding): string | null {
  if (status === 'in-app')
    return 'It leads into the app, which readers of the published page may not be able to open.';
  if (status === 'ok') return null;
  if (page !== undefined) return 'The page does not exist.';
  if (file !== undefined) return 'The file does not exist.';
  if (space !== undefined && url === undefined) return 'The space does not exist.';
  const isPath = url !== undefined && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return isPath ? 'Nothing has this path.' : 'The target of the link does not exist.';
}
