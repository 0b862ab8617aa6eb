import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { drawingOf, isStructured, pageColumnsOf, wantsRows } from '../../cli/run/output.js';
import type { Report, ReportRequest } from '../../cli/run/run-report.js';
import { kinds } from '../../organization/kinds/index.js';
import type { Column, View } from '../../output/printer.js';
import { colorLevel } from '../../output/terminal.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import type { PlanAround } from './plan-page.js';

/**
 * Prints a plan: a picture, Markdown, the plan itself as JSON, or a row for each operation. What only some forms need is
 * loaded for them.
 */

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

/** A plan, and what is shown with it. */
export interface ShownPlan extends Pick<PlanAround, 'approval' | 'missed' | 'reasons'> {
  plan: Plan;
  /** Whether it says who made it, when and how. */
  made?: boolean;
  /** Whether equal operations stay apart: not every command that makes a plan has `--full`. */
  isWhole?: true;
}

type Asked = Pick<ReportRequest, 'session' | 'input'>;

/** The forms of every plan. */
export const planForms = {
  formOf(session: Session) {
    if (session.settings.output?.value === 'markdown') return 'markdown';
    if (wantsRows(session)) return 'rows';
    return isStructured(session) ? 'value' : 'text';
  },

  async text({ plan, approval, made, isWhole }: ShownPlan, { session, input }: Asked) {
    const { io, globals } = session;
    const drawn = await drawingOf(session);
    const colour = colorLevel(io, globals, 'stdout') > 0;
    const { planTextOf } = await import('../../plans/show/plan-text.js');
    const full = input.options.full === true;
    // Who reads a file of someone else sees each request.
    const folds = !full && made !== true && isWhole !== true;
    const look = { colour, full, folds, file: fileIn(plan), made, approval };
    const text = await planTextOf(plan, { columns: pageColumnsOf(session), drawn, ...look });
    // A blank line separates the notes that follow.
    const isLong = plan.operations.length > 0 || plan.notes !== undefined;
    const apart = drawn !== undefined && isLong;
    return { items: [apart ? `${text}\n` : text], paged: false };
  },

  /** Warns where it is longer than a comment. */
  async markdown({ plan, approval }: ShownPlan, { session }: Asked) {
    const [{ longestComment }, { planMarkdown }] = await Promise.all([
      import('../../document/markdown.js'),
      import('../../plans/show/markdown.js'),
    ]);
    const page = planMarkdown(plan, approval);
    if (page.length > longestComment)
      session.printer.warn(
        `The plan is longer than a comment on GitHub, which can have ${longestComment} characters; --html writes a page.`,
      );
    return page;
  },

  async rows({ plan }: ShownPlan) {
    const { changeText, fieldChanges } = await import('../../plans/show/summary.js');
    return plan.operations.map((operation) => {
      const change = fieldChanges(operation).map(changeText).join(', ');
      const { lock, kind, key } = operation;
      return { ...operation, address: lock?.item ?? `${kind}/${key}`, change };
    });
  },
  rowView,
  value: ({ plan, approval }: ShownPlan) => ({ ...plan, ...defined({ approval }) }),

  async page({ plan, ...around }: ShownPlan) {
    const { planReport } = await import('./plan-page.js');
    return planReport(plan, { ...around, file: fileIn(plan) });
  },
} satisfies Omit<Report<ShownPlan>, 'read' | 'end'>;

/** Prints a plan that was made now, in the middle of what makes it. */
export async function printPlan(session: Session, plan: Plan, input: ManualInput): Promise<void> {
  const { printer } = session;
  const asked = { session, input };
  switch (planForms.formOf(session)) {
    case 'markdown':
      return printer.text(await planForms.markdown({ plan }, asked));
    case 'rows':
      await printer.list(await planForms.rows({ plan }), rowView);
      return;
    case 'value':
      return printer.whole().one(plan, whole);
    default:
      for (const text of (await planForms.text({ plan, isWhole: true }, asked)).items)
        await printer.painted(text);
  }
}

/** Only what the organization as code makes comes from files. */
function fileIn({ lock }: Plan) {
  return lock && fileOf;
}

/** The file that an operation comes from, by its kind; of a part of a site that of the site. */
export function fileOf({ kind, key, lock }: PlanOperation): string | undefined {
  const file = kinds.find(({ name }) => name === kind)?.spot.file;
  const item = lock?.item.slice(kind.length + 1) ?? key;
  return file?.replace('*', () => item.split('/')[0] ?? '*');
}

/** `docs plan show`: a plan from its file. Sends nothing, and needs neither settings nor the platform. */

interface SavedPlan extends ShownPlan {
  /** Whether it was applied, and what to run next. */
  standing: string | undefined;
}

export const savedPlanReport: Report<SavedPlan> = {
  ...planForms,
  async read({ session, input }) {
    const file = String(input.args.file);
    const [{ loadPlan }, { refusal }, { approvalsOf }] = await Promise.all([
      import('../../plans/file.js'),
      import('../../plans/check.js'),
      import('../../cli/run/plan-approval.js'),
    ]);
    const { plan, reasons, untrue, bytes } = await loadPlan(session.io, file);
    if (reasons.some(({ code }) => code === 'plan_version')) throw refusal(reasons);
    if (untrue.length > 0) throw refusal(untrue);
    const edited = reasons.length > 0;
    const approval = await approvalsOf(session, plan, { path: file, bytes, edited });
    const unfit = reasons.map(({ message }) => `${message} It cannot be applied.`);
    const wanting = approval?.approved === false;
    const standing = await standingOf(session, plan, file, { edited, wanting });
    return { plan, made: true, reasons: unfit, standing, ...defined({ approval }) };
  },
  end({ reasons = [], standing }, { session }) {
    for (const sentence of reasons) session.printer.warn(sentence);
    return { note: standing };
  },
};

/** Whether a plan was applied on this machine, and what to run next. */
async function standingOf(
  session: Session,
  plan: Plan,
  file: string,
  { edited, wanting }: { edited: boolean; wanting: boolean },
): Promise<string | undefined> {
  const [{ refuseApplied, refusedText }, { sends }] = await Promise.all([
    import('../../plans/check.js'),
    import('../../plans/operation.js'),
  ]);
  const { io } = session;
  const at = (command: string) => atPlace(command, placeOf(session, plan), io.platform);
  const [applied] = refuseApplied(io, plan.id);
  if (applied !== undefined) return `${applied.message} See "${at(applied.hint)}".`;
  if (edited) return undefined;
  if (!plan.operations.some(sends)) return 'Nothing in this plan can be applied.';
  const refused = refusedText(plan);
  if (refused !== undefined) return refused;
  if (wanting)
    return `Not applied on this machine; to approve it, run "${at(`docs plan approve ${shellWord(file, io.platform)}`)}".`;
  return `Not applied on this machine; "${at(`docs apply ${shellWord(file, io.platform)}`)}" applies it.`;
}

/** The flags that say where a plan belongs, where the session says something else. */
function placeOf({ globals, settings }: Session, { profile }: Plan): Parameters<typeof atPlace>[1] {
  if (profile === 'sandbox') return { ...globals, sandbox: true };
  return profile === settings.profile.value ? globals : { ...globals, profile };
}
