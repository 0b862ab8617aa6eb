import type { Impact } from '../../access/impact/change.js';
import { summaryOf } from '../../access/impact/summary.js';
import type { Report, TablePart } from '../../reports/report.js';
import { notReadLines } from '../../snapshot/unread.js';
import { type Section, sectionsOf, titleOf, unreadTitle } from './sections.js';

/**
 * An impact as a page: a table for each section; what could not be read stands above all of them.
 * @param facts where it was read
 */
export function impactReport(impact: Impact, facts: Report['facts']): Report {
  const told = new Set(['irreversible'] as const);
  const found = summaryOf({ ...impact, unknown: [] }, { told });
  return {
    title: titleOf(impact),
    about: [
      'What this would break. It was only looked up; nothing was changed.',
      ...(found.length > 0 ? found : ['Nothing was found.']),
    ],
    missing: notReadLines(impact.unknown),
    facts: [...facts, ['Looked for', impact.looked.join(', ')]],
    parts: sectionsOf(impact)
      .filter(({ title }) => title !== unreadTitle)
      .map(tableOf),
  };
}

function tableOf({ title, columns, rows, none }: Section): TablePart {
  return {
    kind: 'table',
    title,
    columns: columns.map((label) => ({ label: label || 'Note', as: 'text' })),
    rows,
    empty: none || 'Nothing was found.',
  };
}
