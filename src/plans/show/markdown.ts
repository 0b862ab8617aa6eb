import { counted, grouped } from '../../output/counted.js';
import { type Action, actions, type Plan, type PlanOperation } from '../plan.js';
import { type ApprovalsOfPlan, approvalsMarkdown } from './approvals.js';
import { code, prose, table } from './markdown-text.js';
import {
  byKind,
  groupsOf,
  isConflict,
  madeBy,
  nameOf,
  type Remark,
  type Section,
  sectionsOf,
  sends,
  summaryOf,
  symbols,
  titleOf,
} from './summary.js';
import { changeText, fieldChanges } from './values.js';

/** Below the limits for comments: GitHub's is 65,536 characters. */
const mostCharacters = 60_000;
/** Room for the sentence that says what was left out. */
const reserve = 300;
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
 * folded by kind. Nothing in it can become markup or mention a person. At most 60,000 characters.
 */
export function planMarkdown(plan: Plan, approvals?: ApprovalsOfPlan): string {
  const sent = plan.operations.filter(sends);
  const page = new Page();
  page.add(`### ${prose(titleOf(plan))}\n\n**${prose(summaryOf(plan))}**\n`);
  for (const risk of plan.risks) page.add(riskMarkdown(risk));
  if (approvals !== undefined) page.add(approvalsMarkdown(approvals));
  if (plan.operations.length > 0) page.add(`\n${countTable(plan.operations)}`);
  for (const section of sectionsOf(plan)) addSection(page, section);
  for (const [kind, own] of byKind(sent)) addKind(page, kind, own, sent.length <= mostOpen);
  return page.end(`\n<sub>${prose(madeBy(plan))}</sub>\n`);
}

/** A sentence; a command below it, such as the one that restores a space, is code. */
function riskMarkdown(risk: string): string {
  const [sentence = '', ...below] = risk.split('\n');
  const commands = below.filter((line) => line.trim() !== '').map((line) => `<br>${code(line.trim())}`);
  return `\n> ${prose(sentence)}${commands.join('')}\n`;
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

function addSection(page: Page, { title, remarks }: Section): void {
  page.add(`\n**${title} (${grouped(remarks.length)})**\n\n`);
  for (const [message, own] of groupsOf(remarks, (remark) => remark.message)) {
    page.add(`- ${prose(message)}\n`);
    for (const remark of own) page.add(itemLine(remark), 1);
  }
}

function itemLine({ item, hint }: Remark): string {
  return `  - ${code(item)}${hint === undefined ? '' : `: ${prose(hint)}`}\n`;
}

function addKind(page: Page, kind: string, own: readonly PlanOperation[], open: boolean): void {
  const summary = `<summary>${code(kind)}: ${counted(own.length, 'operation')}</summary>`;
  const head = `\n<details${open ? ' open' : ''}>${summary}\n\n${table(['Action', 'Item', 'Change'], [])}`;
  const [first = '', ...rows] = own.map((operation) => row(operation));
  // A fold is opened only where it holds a row, and always closed.
  if (!page.add(head + first, 1, closing.length)) {
    page.leaveOut(rows.length);
    return;
  }
  for (const line of rows) page.add(line, 1, closing.length);
  page.close(closing);
}

const closing = '\n</details>\n';

function row(operation: PlanOperation): string {
  const { action, risk, undo } = operation;
  const { symbol, means } = symbols[action];
  const told = [
    ...fieldChanges(operation).map((change) => code(changeText(change))),
    ...(risk === undefined ? [] : [`⚠ ${prose(risk)}`]),
    ...(undo === 'none' ? ['cannot be undone'] : []),
  ];
  const verb = action === 'drift' ? 'revert' : means;
  return `| ${prose(symbol)} ${verb} | ${code(nameOf(operation))} | ${told.join('<br>')} |\n`;
}

/** A text that grows up to a limit; what comes after the first piece that does not fit is left out. */
class Page {
  #text = '';
  #full = false;
  #leftOut = 0;

  /**
   * @param items how many operations or remarks the piece tells
   * @param beyond characters that must fit after it
   * @returns whether it was added
   */
  add(piece: string, items = 0, beyond = 0): boolean {
    const fits = this.#text.length + piece.length + beyond <= mostCharacters - reserve;
    this.#full ||= !fits;
    if (this.#full) this.#leftOut += items;
    else this.#text += piece;
    return !this.#full;
  }

  leaveOut(items: number): void {
    this.#leftOut += items;
  }

  /** Adds what must stand in any case; room was kept for it. */
  close(piece: string): void {
    this.#text += piece;
  }

  /** @param last what stands below a whole page */
  end(last: string): string {
    if (!this.#full) return this.#text + last;
    const what = this.#leftOut === 0 ? 'The rest' : `… and ${counted(this.#leftOut, 'further line')}, which`;
    return `${this.#text}\n${what} did not fit into a comment; <code>docs plan show</code> shows everything.\n`;
  }
}
