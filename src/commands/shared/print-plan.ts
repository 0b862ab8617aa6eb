import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, pageColumnsOf, wantsRows } from '../../cli/run/output.js';
import { approvalsOf } from '../../cli/run/plan-approval.js';
import type { ReportPage } from '../../cli/run/report-page.js';
import type { Report } from '../../cli/run/run-report.js';
import { kinds } from '../../organization/kinds/index.js';
import type { Column, View } from '../../output/printer.js';
import { colorLevel } from '../../output/terminal.js';
import { refusal, refuseApplied, refusedText } from '../../plans/check.js';
import { loadPlan } from '../../plans/file.js';
import { sends } from '../../plans/operation.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import type { ApprovalsOfPlan } from '../../plans/show/approvals.js';
import { changeText, fieldChanges } from '../../plans/show/summary.js';
import type { PlanLook } from '../../plans/show/text.js';
import type { PlanAround } from './plan-page.js';

/** Prints a plan: a picture, Markdown, the plan itself as JSON, or a row for each operation. */

/** The fields of a row: those of an operation, and `change` in words. */
const columns: readonly Column[] = [
  { path: 'action' },
  { path: 'kind' },
  { path: 'key', keep: true },
  { path: 'change' },
  { path: 'undo' },
  { path: 'risk' },
  { path: 'finding.message', label: 'FINDING' },
  { path: 'id', keep: true },
];

const rowView: View = {
  columns,
  fields: [
    ...['id', 'action', 'kind', 'key', 'address', 'change', 'fields', 'undo', 'why', 'risk', 'after'],
    ...['request', 'request.operation', 'request.method', 'request.path', 'request.body'],
    ...['finding', 'finding.code', 'finding.message', 'finding.hint', 'reads', 'lock'],
  ],
  open: ['fields', 'request', 'finding', 'reads', 'lock'],
  empty: 'Nothing to do.',
};

/** What `--jq` and the formats of whole values get is the plan itself. */
const whole: View = { columns: [], fields: [] };

/** Refuses unknown fields and the like before anything is read. @throws DocsError usage `unknown_field`, `bad_jq` */
export async function checkPrinting(session: Session): Promise<void> {
  await session.printer.check(wantsRows(session) ? rowView : { ...rowView, open: [''] });
}

/** Loads what shows a plan as a picture, where that is what will be printed. */
export async function loadPicture(session: Session): Promise<void> {
  const { output } = session.settings;
  if (output?.value === 'markdown' || wantsRows(session) || isStructured(session)) return;
  await import('../../plans/show/text.js');
}

/** Prints a plan that was made now. */
export async function printPlan(session: Session, plan: Plan, look: Pick<PlanLook, 'full'>): Promise<void> {
  const { printer, settings } = session;
  if (settings.output?.value === 'markdown') return printer.text(await planMarkdownOf(session, plan));
  if (wantsRows(session)) {
    await printer.list(plan.operations.map(rowOf), rowView);
    return;
  }
  if (isStructured(session)) return printer.whole().one(plan, whole);
  await printer.painted(await planTextOf(session, plan, look));
}

/** Warns where it is longer than a comment. */
async function planMarkdownOf({ printer }: Session, plan: Plan, approval?: ApprovalsOfPlan): Promise<string> {
  const [{ longestComment }, { planMarkdown }] = await Promise.all([
    import('../../document/markdown.js'),
    import('../../plans/show/markdown.js'),
  ]);
  const page = planMarkdown(plan, approval);
  if (page.length > longestComment)
    printer.warn(
      `The plan is longer than a comment on GitHub, which holds ${longestComment} characters; --html writes a page.`,
    );
  return page;
}

/** The picture of a plan, with who approved it. */
async function planTextOf(
  session: Session,
  plan: Plan,
  look: Pick<PlanLook, 'full' | 'made'>,
  approval?: ApprovalsOfPlan,
): Promise<string> {
  const { io, globals } = session;
  const { planText } = await import('../../plans/show/text.js');
  const colour = colorLevel(io, globals, 'stdout') > 0;
  // Only what the organization as code makes comes from files.
  const file = plan.lock && fileOf;
  const text = planText(plan, { columns: pageColumnsOf(session), colour, ...look, ...defined({ file }) });
  const told = approval && (await approvalText(approval, pageColumnsOf(session), colour));
  // A blank line separates the notes that follow.
  const isLong = plan.operations.length > 0 || plan.notes !== undefined;
  const apart = io.stdout.isTTY === true && isLong;
  return [text, told].filter(Boolean).join('\n') + (apart ? '\n' : '');
}

async function approvalText(approval: ApprovalsOfPlan, columns: number, colour: boolean): Promise<string> {
  const [{ approvalsText }, { penOf }] = await Promise.all([
    import('../../plans/show/approvals.js'),
    import('../../plans/show/text.js'),
  ]);
  return approvalsText(approval, columns, penOf(colour));
}

function rowOf(operation: PlanOperation): Record<string, unknown> {
  const change = fieldChanges(operation).map(changeText).join(', ');
  const { lock, kind, key } = operation;
  return { ...operation, address: lock?.item ?? `${kind}/${key}`, change };
}

/** The file that an operation comes from, by its kind; of a part of a site that of the site. */
export function fileOf({ kind, key, lock }: PlanOperation): string | undefined {
  const file = kinds.find(({ name }) => name === kind)?.spot.file;
  const item = lock?.item.slice(kind.length + 1) ?? key;
  return file?.replace('*', () => item.split('/')[0] ?? '*');
}

/**
 * Writes the page of a plan; nothing without `--html`. Also to be called where the reader of the output has left, since
 * the plan is whole by then.
 * @throws DocsError as `writeReport`
 */
export async function writePage(page: ReportPage | undefined, plan: Plan, around: PlanAround): Promise<void> {
  if (page === undefined) return;
  const { planReport } = await import('./plan-page.js');
  await page.write(planReport(plan, around));
}

/** `docs plan show`: a plan from its file. Sends nothing, and needs neither settings nor the platform. */

interface SavedPlan {
  plan: Plan;
  approval: ApprovalsOfPlan | undefined;
  /** Why it cannot be applied: it was edited. */
  unfit: string[];
  /** Whether it was applied, and what to run next. */
  standing: string | undefined;
}

export const savedPlanReport: Report<SavedPlan> = {
  formOf(session) {
    if (session.settings.output?.value === 'markdown') return 'markdown';
    if (wantsRows(session)) return 'rows';
    return isStructured(session) ? 'value' : 'text';
  },
  async read({ session, input }) {
    const file = String(input.args.file);
    const { plan, reasons, untrue, bytes } = await loadPlan(session.io, file);
    if (reasons.some(({ code }) => code === 'plan_version')) throw refusal(reasons);
    if (untrue.length > 0) throw refusal(untrue);
    const edited = reasons.length > 0;
    const approval = await approvalsOf(session, plan, { path: file, bytes, edited });
    const unfit = reasons.map(({ message }) => `${message} It cannot be applied.`);
    const wanting = approval?.approved === false;
    return { plan, approval, unfit, standing: standingOf(session, plan, file, { edited, wanting }) };
  },
  async text({ plan, approval }, { session, input }) {
    const look = { full: input.options.full === true, made: true };
    return { items: [await planTextOf(session, plan, look, approval)], paged: false };
  },
  markdown: ({ plan, approval }, { session }) => planMarkdownOf(session, plan, approval),
  rows: ({ plan }) => plan.operations.map(rowOf),
  rowView,
  value: ({ plan, approval }) => ({ ...plan, ...defined({ approval }) }),
  async page({ plan, approval, unfit: reasons }) {
    const { planReport } = await import('./plan-page.js');
    return planReport(plan, { reasons, ...defined({ approval, file: plan.lock && fileOf }) });
  },
  end({ unfit, standing }, { session }) {
    for (const sentence of unfit) session.printer.warn(sentence);
    return { note: standing };
  },
};

/** Whether a plan was applied on this machine, and what to run next. */
function standingOf(
  session: Session,
  plan: Plan,
  file: string,
  { edited, wanting }: { edited: boolean; wanting: boolean },
): string | undefined {
  const { io } = session;
  const at = (command: string) => atPlace(command, placeOf(session, plan), io.platform);
  const [applied] = refuseApplied(io, plan.id);
  if (applied !== undefined) return `${applied.message} See "${at(applied.hint)}".`;
  if (edited) return undefined;
  if (!plan.operations.some(sends)) return 'Nothing in this plan can be applied.';
  const refused = refusedText(plan);
  if (refused !== undefined) return refused;
  if (wanting)
    return `Not applied on this machine; to approve it, run "${at(`docs approve ${shellWord(file, io.platform)}`)}".`;
  return `Not applied on this machine; "${at(`docs apply ${shellWord(file, io.platform)}`)}" applies it.`;
}

/** The flags that say where a plan belongs, where the session says something else. */
function placeOf({ globals, settings }: Session, { profile }: Plan): Parameters<typeof atPlace>[1] {
  if (profile === 'sandbox') return { ...globals, sandbox: true };
  return profile === settings.profile.value ? globals : { ...globals, profile };
}
