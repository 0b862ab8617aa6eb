import type { Static } from '../../api/type.js';
import { code, prose } from '../../document/markdown.js';
import { hanging, readable } from '../../document/terminal.js';
import { safeLine, utcText } from '../../output/text.js';
import type { ShownApprovals } from '../schema.js';
import type { Pen } from './text.js';

/** Who approved a plan, as it is shown with it. */

export type ApprovalsOfPlan = Static<typeof ShownApprovals>;

/** `approved by ada@acme.example`, `not approved`, `not needed here`. */
function summaryOf({ approved, by }: ApprovalsOfPlan): string {
  if (approved === null) return 'no policy in force here asks for one';
  return approved ? `approved by ${by.join(', ')}` : 'not approved';
}

function sentenceOf({ email, when, host, holds, why }: ApprovalsOfPlan['given'][number]): string {
  const so = holds === null ? '' : holds ? ': holds' : `: does not count, ${why ?? ''}`;
  return `${email}, ${utcText(when)}, on ${host}${so}`;
}

/** For a terminal: a block of lines, ending with a newline. Sanitised. */
export function approvalsText(all: ApprovalsOfPlan, columns: number, pen: Pen): string {
  const width = Math.min(columns, readable);
  const lines = (mark: string, sentence: string) => hanging(`  ${mark} `, safeLine(sentence), width);
  return [
    pen.heading(safeLine(`Approvals: ${summaryOf(all)}`)),
    ...all.given.flatMap((one) => lines(one.holds === false ? '!' : '✓', sentenceOf(one))),
    ...all.missing.flatMap((one) => lines('→', one).map((line) => pen.warn(line))),
    '',
  ].join('\n');
}

/** For a pull request; nothing in it can become markup or mention a person. */
export function approvalsMarkdown(all: ApprovalsOfPlan): string {
  const lines = [
    ...all.given.map((one) => `- ${code(one.email)}: ${prose(sentenceOf(one))}`),
    ...all.missing.map((one) => `- ⚠ ${prose(one)}`),
  ];
  const list = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  return `\n**Approvals: ${prose(summaryOf(all))}**\n${list}`;
}
