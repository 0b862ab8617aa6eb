import type { Impact } from '../../access/impact/change.js';
import { counted, grouped } from '../../output/counted.js';
import { code, prose, table } from '../../plans/show/markdown-text.js';
import { sectionsOf, titleOf } from './sections.js';

/** Below the limits for comments: GitHub's is 65,536 characters. */
const mostCharacters = 60_000;

/** An impact for a pull request or a ticket. Nothing in it can become markup or mention a person. */
export function impactMarkdown(impact: Impact): string {
  let text = `### ${prose(titleOf(impact))}\n`;
  let leftOut = 0;
  for (const { title, columns, rows, none } of sectionsOf(impact)) {
    if (rows.length === 0) {
      text += `\n${prose(none ?? '')}\n`;
      continue;
    }
    text += `\n**${prose(title)} (${grouped(rows.length)})**\n\n`;
    if (columns.length > 1)
      text += table(
        columns.map((name) => name || ' '),
        [],
      );
    for (const row of rows) {
      const line = columns.length > 1 ? tableRow(row) : `- ${prose(row[0] ?? '')}\n`;
      if (text.length + line.length > mostCharacters) leftOut += 1;
      else text += line;
    }
  }
  const more = `\n… and ${counted(leftOut, 'further row')} that did not fit.\n`;
  return `${text}${leftOut === 0 ? '' : more}`;
}

function tableRow(cells: readonly string[]): string {
  const cell = (text: string) => (/^https?:/.test(text) ? code(text) : prose(text));
  return `| ${cells.map(cell).join(' | ')} |\n`;
}
