import { platformFact } from '../../cli/run/report-page.js';
import {
  type Cell,
  type ChangedItem,
  type ChangesPart,
  type Columns,
  type Document,
  type Labelled,
  type PagePart,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { kinds } from '../../organization/kinds/index.js';
import { counted, safeText, utcText } from '../../output/text.js';
import { guardCode } from '../../plans/check.js';
import { sends } from '../../plans/operation.js';
import type { Action, Plan, PlanOperation } from '../../plans/plan.js';
import { changesTitle, conflictsTitle, needsOf, severityOf, undoText } from '../../plans/show/needs.js';
import {
  type ApprovalsOfPlan,
  type FieldChange,
  fieldChanges,
  isConflict,
  makerText,
  nameOf,
  requestText,
  riskOf,
  type Section,
  sectionsOf,
  summaryOf,
  titleOf,
  valueText,
} from '../../plans/show/summary.js';

/** What is known of a plan beside its file. */
export interface PlanAround {
  /** Sentences on what the plan could not look at. */
  missed?: readonly string[];
  /** Why it cannot be applied as it is: it was edited. */
  reasons?: readonly string[];
  /** Who approved it, where that matters. */
  approval?: ApprovalsOfPlan;
  /** The file of the folder that an operation comes from. */
  file?: (operation: PlanOperation) => string | undefined;
}

/**
 * A plan as a page: each change with its fields before and after; conflicts with both sides; guards, findings and
 * what is withheld as tables. Values that come from the environment are named by their variable, never shown.
 */
export function planReport(plan: Plan, around: PlanAround = {}): Document {
  const { missed = [], reasons = [], approval } = around;
  const { operations, risks, impact } = plan;
  const conflicts = operations.filter(isConflict);
  const changes = operations.filter(sends);
  const unread = impact?.unknown ?? 0;
  const more = `${counted(unread, 'read')} of the effects failed: more may break than is shown.`;
  const needs = needsOf(plan);
  return {
    title: titleOf(plan),
    headline: headlineOf(plan, changes.length, needs.length),
    needs,
    about: [`${sentence(summaryOf(plan))}.`, ...reasons, ...risks],
    missing: [...missed, ...(unread > 0 ? [more] : [])],
    facts: factsOf(plan),
    parts: [
      ...(conflicts.length > 0 ? [conflictPart(conflicts)] : []),
      ...remarkParts(plan),
      {
        kind: 'changes',
        title: changesTitle,
        items: changes.map((one) => itemOf(one, around)),
        empty: 'No changes.',
      },
      ...(approval === undefined ? [] : [approvalPart(approval)]),
    ],
  };
}

/** `23 changes to Acme Docs, 4 to look at`. */
function headlineOf({ title, organization }: Plan, changes: number, needs: number): string {
  const where = title ?? organization;
  const what = changes === 0 ? 'No changes' : counted(changes, 'change');
  const look = needs === 0 ? '' : `, ${needs} to look at`;
  return `${what}${where === undefined ? '' : ` to ${where}`}${look}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function factsOf({
  id,
  title,
  organization,
  origin,
  folder,
  madeAt,
  by,
  line,
  command,
}: Plan): readonly Labelled[] {
  const named = [title, title === undefined ? organization : organization && `(${organization})`];
  const words = line.length > 0 ? line.join(' ') : command;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Organization', named.filter((word) => word !== undefined).join(' ')],
    ...platformFact(origin),
    ['Folder', folder],
    ['Made', utcText(madeAt)],
    ['By', by === 'unknown' ? undefined : makerText(by)],
    ['With', words.startsWith('docs') ? words : `docs ${words}`],
    ['Plan', id],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

/** What actions are called in the summary. */
const verbs: Readonly<Partial<Record<Action, string>>> = { update: 'change', drift: 'revert' };

function itemOf(operation: PlanOperation, { file }: PlanAround): ChangedItem {
  const { action, id, undo } = operation;
  const where = file?.(operation);
  const request = requestText(operation);
  const risk = riskOf(operation);
  return {
    ...changedItem(operation, verbs[action] ?? action),
    id,
    severity: severityOf(operation),
    notes: [
      ...(request === undefined ? [] : [safeText(request)]),
      ...(action === 'drift' ? ['Changed by hand on the platform.'] : []),
      ...(risk === undefined ? [] : [risk]),
      ...(undo === 'none' || undo === 'best-effort' ? [undoText(operation)] : []),
      ...(where === undefined ? [] : [`File: ${where}`]),
    ],
  };
}

function changedItem(operation: PlanOperation, action: string): ChangedItem {
  const one = kinds.find(({ name }) => name === operation.kind)?.one ?? operation.kind;
  const fields = fieldChanges(operation, wholeText).map(fieldOf);
  return { action, as: one, title: nameOf(operation), fields };
}

/** Texts of several lines stay whole; all else is as in the other outputs. */
function wholeText(value: unknown): string {
  return typeof value === 'string' && value.includes('\n') ? safeText(value) : valueText(value);
}

/** Of lists whose order says nothing new, what is removed and added. */
function fieldOf({ name, before, after, added, removed = [] }: FieldChange): ChangedItem['fields'][number] {
  if (added === undefined) return { name, before: cellOf(before), after: cellOf(after) };
  const signed = (sign: string, texts: readonly string[]) =>
    texts.length === 0 ? null : texts.map((text) => sign + text);
  return { name, before: signed('-', removed), after: signed('+', added) };
}

function cellOf(text: string | undefined): Cell {
  if (text === undefined) return null;
  return text.includes('\n') ? text.split('\n') : text;
}

function conflictPart(conflicts: readonly PlanOperation[]): ChangesPart {
  const items = conflicts.map((operation) => {
    const { finding } = operation;
    const hint = finding?.hint;
    const notes = [finding?.message ?? '', ...(hint === undefined ? [] : [hint])];
    return { ...changedItem(operation, 'conflict'), notes };
  });
  const note =
    'Files and platform both changed since the last apply: the value on the platform comes first, then that of the file.';
  return { kind: 'changes', title: conflictsTitle, note, items, empty: '' };
}

/** Guards apart from the other findings, then what is withheld and the notes. */
function remarkParts(plan: Plan): PagePart[] {
  const isGuard = ({ finding }: PlanOperation) => finding?.code === guardCode;
  // What is sent says itself what undo does not restore.
  const rest = plan.operations.filter((one) => !isGuard(one) && !isConflict(one) && !sends(one));
  const guards = sectionsOf({ ...plan, notes: [], operations: plan.operations.filter(isGuard) });
  return [
    ...guards.map((section) => remarkTable({ ...section, title: 'Guards' }, 'docs apply refuses this plan.')),
    ...sectionsOf({ ...plan, operations: rest }).map((section) => remarkTable(section)),
  ];
}

function remarkTable({ title, remarks }: Section, note?: string): TablePart {
  const rows = remarks.map(({ item, message, hint }): Cell[] => [item, message, hint ?? null]);
  const columns: Columns = { Item: 'text', What: 'text', Action: 'text' };
  return tablePart(title, columns, { rows, empty: '', note });
}

function approvalPart({ given, missing }: ApprovalsOfPlan): TablePart {
  const columns: Columns = {
    By: 'text',
    At: 'time',
    On: 'text',
    Key: 'text',
    Counts: 'yesno',
    'Why not': 'text',
  };
  const rows = given.map(({ email, when, host, key, holds, why }) => [
    email,
    when,
    host,
    key,
    holds,
    why ?? null,
  ]);
  const note = missing.length > 0 ? missing.join(' ') : undefined;
  return tablePart('Approvals', columns, { rows, empty: 'Not approved by anyone.', note });
}
