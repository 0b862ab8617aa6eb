import type { ChalkInstance } from 'chalk';
import { age } from '../../../output/age.js';
import { plain } from '../../../output/colors.js';
import { counted } from '../../../output/counted.js';
import { safeLine, safeText } from '../../../output/safe-text.js';
import type { ContentChange } from '../../../workflows/change-diff/change.js';
import type { Opened } from '../../../workflows/change-diff/read-changes.js';
import type { Reviewed, Thread } from '../../../workflows/change-diff/review.js';
import { textReport } from '../diff/text.js';

/** A change request for its reviewer: the changes, and under each page what was said about it. */
export interface ReviewText {
  begin(opened: Opened): string;
  item(reviewed: Reviewed): string;
}

const bar = '  | ';

/** @param chalk undefined for no colour @param nowMs by the platform's clock, for ages */
export function reviewText(chalk: ChalkInstance | undefined, nowMs: number): ReviewText {
  const report = textReport(chalk);
  const [strong, quiet] = [chalk?.bold ?? plain, chalk?.dim ?? plain];
  const threadLines = (thread: Thread): string[] => {
    const { author, postedAt, text, replies, error, id } = thread;
    const lines = [strong(`${safeLine(author)}, ${age(postedAt, nowMs)}`) + quiet(` ${safeLine(id)}`)];
    lines.push(...safeText(text.trimEnd()).split('\n'));
    for (const reply of replies) {
      const head = `${safeLine(reply.author)}, ${age(reply.postedAt, nowMs)}: `;
      const [first = '', ...rest] = safeText(reply.text.trimEnd()).split('\n');
      lines.push(`  ${strong(head)}${first}`, ...rest.map((line) => `  ${line}`));
    }
    if (error !== undefined) lines.push(`  Replies not read: ${safeLine(error.message)}`);
    return lines;
  };
  return {
    begin({ request: { number, subject, status, createdBy, updatedAt } }) {
      const author = createdBy === undefined ? '' : ` by ${safeLine(createdBy.displayName)}`;
      const facts = `${safeLine(status)}${author}, updated ${age(updatedAt, nowMs)}`;
      return `${strong(`Change request ${number}: ${safeLine(subject)}`)}\n${facts}\n\n`;
    },
    item({ comments, ...reviewed }) {
      const head =
        reviewed.kind === 'change-request'
          ? `\n${strong('Comments on the change request')}\n`
          : report.changed(reviewed as ContentChange);
      const resolved = comments.filter(({ status }) => status === 'resolved').length;
      const threads = comments.filter(({ status }) => status !== 'resolved').map(threadLines);
      if (resolved > 0) threads.push([quiet(counted(resolved, 'resolved thread'))]);
      const blocks = threads.map((lines) => lines.map((line) => `${bar}${line}`.trimEnd()).join('\n'));
      return blocks.length === 0 ? head : `${head}${blocks.join(`\n${bar.trimEnd()}\n`)}\n`;
    },
  };
}
