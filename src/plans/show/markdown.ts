import { groupBy } from '../../base/values.js';
import { lookOf } from '../../document/changes.js';
import { code, longestComment, prose, table, wholeCode } from '../../document/markdown.js';
import { counted, grouped } from '../../output/text.js';
import { sends } from '../operation.js';
import type { Action, Plan, PlanOperation } from '../plan.js';
import { actions } from '../schema.js';
import {
  type ApprovalsOfPlan,
  approvalsText,
  approvalText,
  byKind,
  changeText,
  fieldChanges,
  isConflict,
  isNumbered,
  madeBy,
  meanings,
  nameOf,
  type Remark,
  requestText,
  riskOf,
  type Section,
  sectionsOf,
  summaryOf,
  titleOf,
} from './summary.js';

/** A plan of at most this many operations is shown without unfolding. */
const mostOpen = 20;

const titles: Readonly<Partial<Record<Action, string>>> = {
  update: 'change',
  drift: 'revert',
  finding: 'findings',
};
/** The columns of the counts: actions, and conflicts apart from the other findings. */
const columns: readonly { title: string; counts(operation: PlanOperation): boolean }[] = [
  ...actions.map((name) => ({
    title: titles[name] ?? name,
    counts: (operation: PlanOperation) => operation.action === name && !isConflict(operation),
  })),
  { title: 'conflicts', counts: isConflict },
];

/**
 * A plan for a pull request: a summary line, a table of changes by kind, what to look at, then the changes
 * folded by kind, each with its request. Nothing in it can become markup or mention a person. It is whole, however
 * long that is: whoever merges must not approve what a comment cannot hold.
 */
export function planMarkdown(plan: Plan, approvals?: ApprovalsOfPlan): string {
  const sent = plan.operations.filter(sends);
  const text = [
    ...plan.risks.map(riskMarkdown),
    ...(approvals === undefined ? [] : [approvalsMarkdown(approvals)]),
    ...(plan.operations.length > 0 ? [`\n${countTable(plan.operations)}`] : []),
    ...sectionsOf(plan).map(sectionMarkdown),
    ...[...byKind(sent)].map(([kind, own]) =>
      kindMarkdown(kind, own, { open: sent.length <= mostOpen, numbered: isNumbered(sent) }),
    ),
    `\n<sub>${prose(madeBy(plan))}</sub>\n`,
  ].join('');
  const head = `### ${prose(titleOf(plan))}\n\n**${prose(summaryOf(plan))}**\n`;
  return head + (head.length + text.length > longestComment ? `\n> ${tooLong}\n` : '') + text;
}

const tooLong = `This plan is longer than a comment, which can have ${grouped(longestComment)} characters. Read all of it before you approve it.`;

/** A sentence; a command below it, such as the one that restores a space, is code. */
function riskMarkdown(risk: string): string {
  const [sentence = '', ...below] = risk.split('\n');
  const commands = below.filter((line) => line.trim() !== '').map((line) => `<br>${code(line.trim())}`);
  return `\n> ${prose(sentence)}${commands.join('')}\n`;
}

function approvalsMarkdown(all: ApprovalsOfPlan): string {
  const lines = [
    ...all.given.map((one) => `- ${code(one.email)}: ${prose(approvalText(one))}`),
    ...all.missing.map((one) => `- ⚠ ${prose(one)}`),
  ];
  const list = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  return `\n**Approvals: ${prose(approvalsText(all))}**\n${list}`;
}

/** How many operations of each kind there are, by action; findings and what is withheld among them. */
function countTable(all: readonly PlanOperation[]): string {
  const used = columns.filter(({ counts }) => all.some(counts));
  const rows = [...byKind(all)].map(([kind, own]) => {
    const found = used.map(({ counts }) => own.filter(counts).length);
    return [code(kind), ...found.map((count) => (count === 0 ? '' : grouped(count)))];
  });
  return table(['Kind', ...used.map(({ title }) => title)], rows);
}

function sectionMarkdown({ title, remarks }: Section): string {
  const groups = [...groupBy(remarks, (remark) => remark.message)];
  const lines = groups.map(([message, own]) => `- ${prose(message)}\n${own.map(itemLine).join('')}`);
  return `\n**${title} (${grouped(remarks.length)})**\n\n${lines.join('')}`;
}

function itemLine({ item, hint }: Remark): string {
  return `  - ${code(item)}${hint === undefined ? '' : `: ${prose(hint)}`}\n`;
}

function kindMarkdown(
  kind: string,
  own: readonly PlanOperation[],
  { open, numbered }: { open: boolean; numbered: boolean },
): string {
  const summary = `<summary>${code(kind)}: ${counted(own.length, 'operation')}</summary>`;
  const rows = own.map((one) => row(one, numbered)).join('');
  return `\n<details${open ? ' open' : ''}>${summary}\n\n${table(['Action', 'Item', 'Change'], [])}${rows}\n</details>\n`;
}

function row(operation: PlanOperation, numbered: boolean): string {
  const { action, undo } = operation;
  const risk = riskOf(operation);
  const request = requestText(operation, numbered);
  const told = [
    ...fieldChanges(operation).map((change) => code(changeText(change))),
    ...(request === undefined ? [] : [wholeCode(request)]),
    ...(risk === undefined ? [] : [`⚠ ${prose(risk)}`]),
    ...(undo === 'none' ? ['cannot be undone'] : []),
  ];
  const verb = action === 'drift' ? 'revert' : meanings[action];
  return `| ${prose(lookOf(action).mark)} ${verb} | ${code(nameOf(operation))} | ${told.join('<br>')} |\n`;
}
