import type { Impact } from '../../access/impact/change.js';
import { code, Excerpt, prose, table } from '../../document/markdown.js';
import { grouped } from '../../output/counted.js';
import { sectionsOf, titleOf } from './sections.js';

/** Below the limits for comments: GitHub's is 65,536 characters. */
const mostCharacters = 60_000;

/** An impact for a pull request or a ticket. Nothing in it can become markup or mention a person. */
export function impactMarkdown(impact: Impact): string {
  const excerpt = new Excerpt(mostCharacters);
  excerpt.text = `### ${prose(titleOf(impact))}\n`;
  for (const { title, columns, rows, none } of sectionsOf(impact)) {
    if (rows.length === 0) {
      excerpt.text += `\n${prose(none ?? '')}\n`;
      continue;
    }
    excerpt.text += `\n**${prose(title)} (${grouped(rows.length)})**\n\n`;
    if (columns.length > 1)
      excerpt.text += table(
        columns.map((name) => name || ' '),
        [],
      );
    for (const row of rows) excerpt.add(columns.length > 1 ? tableRow(row) : `- ${prose(row[0] ?? '')}\n`);
  }
  return excerpt.text + excerpt.more('further row');
}

function tableRow(cells: readonly string[]): string {
  const cell = (text: string) => (/^https?:/.test(text) ? code(text) : prose(text));
  return `| ${cells.map(cell).join(' | ')} |\n`;
}
