import { platformFact } from '../../cli/run/report-page.js';
import {
  type Cell,
  type Columns,
  type Document,
  type Labelled,
  type Need,
  type RowMark,
  type Severity,
  tablePart,
} from '../../document/document.js';
import type { summarizeJob } from '../../jobs/job-summary.js';
import { commandWords, type Job, titleOfItem } from '../../jobs/journal.js';
import { counted, doneOf, utcText } from '../../output/text.js';

/** A job as a page: what failed and what undo cannot restore first, then each item with its request. */

/** What `jobs show` prints of an item. */
export interface ShownItem {
  index: number;
  id: string;
  status: string;
  undo?: string | undefined;
  why?: string | undefined;
  undone?: boolean | undefined;
  at?: string | undefined;
  requestId?: string | undefined;
  before?: unknown;
  error?: Record<string, unknown> | undefined;
}

const columns: Columns = {
  Item: 'count',
  Title: 'text',
  ID: 'id',
  Outcome: 'state',
  Undo: 'state',
  At: 'time',
};
const itemsTitle = 'Items';

/** @param around.at makes a command one of the place where the job ran */
export function jobPage(
  job: Job,
  head: ReturnType<typeof summarizeJob>,
  { items, at }: { items: readonly ShownItem[]; at: (command: string) => string },
): Document {
  const { ok, total, failed, unknown, left } = head;
  const marks = items.map(markOf);
  const rows = items.map((item, index): Cell[] => {
    const record = job.items[index];
    const title = (record && titleOfItem(record)) ?? null;
    return [item.index, title, item.id, item.status, item.undo ?? null, item.at ?? null];
  });
  const segments = [
    { label: 'done', count: ok, tone: 'add' },
    { label: 'failed', count: failed, tone: 'del' },
    { label: 'unknown', count: unknown, tone: 'r5' },
    { label: 'left', count: left, tone: 'r0' },
  ];
  return {
    title: `Job ${head.id}`,
    headline: `${commandWords(job)}: ${doneOf(ok, total)}`,
    needs: needsOf(head, job, items, at),
    facts: factsOf(head),
    parts: [
      { kind: 'bar', title: 'Outcome', segments: segments.filter(({ count }) => count > 0) },
      tablePart(itemsTitle, columns, { rows, empty: 'No items.', marks }),
    ],
  };
}

/** Failures one by one, which `jobs resume` tries again; what undo cannot restore as a number. */
function needsOf(
  { id, state }: ReturnType<typeof summarizeJob>,
  job: Job,
  items: readonly ShownItem[],
  at: (command: string) => string,
): Need[] {
  const command = at(`docs jobs resume ${id}`);
  const failures = items.flatMap(({ error, id: item }, index): Need[] => {
    const record = job.items[index];
    const name = (record && titleOfItem(record)) ?? item;
    return error === undefined
      ? []
      : [{ severity: 'attention', text: `${name}: ${String(error.message)}`, part: itemsTitle, command }];
  });
  const lost = items.filter(({ status, undo }) => status === 'ok' && undo === 'none').length;
  const gone: Need = {
    severity: 'irreversible',
    text: `${counted(lost, 'change')} cannot be undone.`,
    part: itemsTitle,
  };
  const open: Need = { severity: 'attention', text: 'The job has not finished.', command };
  return [...(lost > 0 ? [gone] : []), ...(state === 'unfinished' ? [open] : []), ...failures];
}

function markOf({ status, undo, why, error, requestId, before, undone }: ShownItem): RowMark | undefined {
  const said = [
    error?.message,
    why,
    undone === true && 'Undone since.',
    requestId !== undefined && `Request id: ${requestId}`,
    before !== undefined && `Before: ${JSON.stringify(before)}`,
  ];
  const evidence = said.filter((line) => typeof line === 'string');
  const severity: Severity | undefined =
    error !== undefined || status === 'unknown'
      ? 'attention'
      : status === 'ok' && undo === 'none'
        ? 'irreversible'
        : undefined;
  return evidence.length === 0 && severity === undefined ? undefined : { severity, evidence };
}

function factsOf({ id, at, actor, origin, org, plan, undoes }: ReturnType<typeof summarizeJob>): Labelled[] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Job', id],
    ['Started', utcText(at)],
    ['By', actor?.name],
    ['Organization', org],
    ...platformFact(origin),
    ['Plan', plan],
    ['Undoes', undoes],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}
