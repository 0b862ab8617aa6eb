import { platformName } from '../../cli/run/report-page.js';
import { type Cell, type ChangedItem, type Document, type Need, tablePart } from '../../document/document.js';
import { counted } from '../../output/text.js';
import type { Rehearsed } from '../../rehearsal/report.js';

/** A rehearsal as a page: what it would change, before and after; what was refused and what undo cannot restore first. */

const titles = { changes: 'Changes', refused: 'Refused', gaps: 'Not in the copy' } as const;

export function rehearsalPage(report: Rehearsed): Document {
  const { command, exitCode, organization, changes, failed, gaps, calls, next, source, backup } = report;
  const what = changes.length === 0 ? 'No changes' : counted(changes.length, 'change');
  return {
    title: `Rehearsal on a copy of ${organization.title}`,
    headline: `${what} to ${organization.title}; the command exited with ${exitCode}`,
    needs: needsOf(report),
    about: [
      'This is a copy of the organization; the platform was not changed.',
      ...(next === undefined ? [] : [`To make these changes: ${next}`]),
    ],
    missing: gaps,
    facts: [
      ['Command', command.join(' ')],
      ['Copy of', source === 'backup' ? `the backup ${backup ?? ''}` : platformName(report.origin)],
      ['Requests', String(calls.total)],
    ],
    parts: [
      { kind: 'changes', title: titles.changes, items: changes.map(itemOf), empty: 'No changes.' },
      ...(failed.length === 0 ? [] : [refusedPart(failed)]),
    ],
  };
}

function needsOf({ failed, undo }: Rehearsed): Need[] {
  const gone = undo.items.filter((item) => item.undo === 'none');
  return [
    ...gone.map(
      ({ command, id, why }): Need => ({
        severity: 'irreversible',
        text: `${command} ${id}: cannot be undone${why === undefined ? '' : `: ${why}`}`,
        part: titles.changes,
      }),
    ),
    ...failed.map(
      ({ method, path, status }): Need => ({
        severity: 'attention',
        text: `${method} ${path} was refused with ${status}`,
        part: titles.refused,
      }),
    ),
  ];
}

function itemOf({
  action,
  kind,
  operation,
  id,
  title,
  method,
  path,
  fields,
  ...change
}: Rehearsed['changes'][number]): ChangedItem {
  // What is deleted takes all of its fields along.
  const named = action === 'delete' ? [] : Object.entries(fields ?? {});
  return {
    action: action === 'update' ? 'change' : action === 'other' ? method : action,
    as: kind ?? operation?.split('.')[0] ?? path,
    title: title ?? id,
    id,
    notes: [`${method} ${path}`, ...(change.in === undefined ? [] : [`In ${change.in}`])],
    fields: named.map(([name, { before, after }]) => ({
      name,
      before: cellOf(before),
      after: cellOf(after),
    })),
  };
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('\n') ? text.split('\n') : text;
}

function refusedPart(failed: Rehearsed['failed']) {
  const rows = failed.map(({ method, path, status }): Cell[] => [`${method} ${path}`, status]);
  return tablePart(titles.refused, { Request: 'text', Status: 'count' }, { rows, empty: '' });
}
