import { escapeHtml, htmlLine } from '../../document/html.js';
import type { ContentChange, Hunk } from './change.js';
import { changeText, fieldLines, kindWords, placeLines, sizeNote, wordCounts } from './told.js';

/**
 * A change with its words removed and added, as a section: every text escaped, no address in it.
 * @param heading the element of its title
 */
export function changeHtml(change: ContentChange, heading: 'h2' | 'h3'): string {
  const { title, path, words, hunks = [] } = change;
  const facts = [changeText(change), ...(words === undefined ? [] : [wordCounts(words)])];
  const lines = [
    '<section>',
    `<${heading}><bdi>${htmlLine(title)}</bdi></${heading}>`,
    `<p>${kindWords(change)} <bdi>${htmlLine(path ?? '')}</bdi> ${htmlLine(facts.join(', '))}</p>`,
    ...placeLines(change).map((text) => `<p dir="auto">${htmlLine(text)}</p>`),
    ...fieldLines(change).map(
      ({ field, from, to }) =>
        `<p>${htmlLine(field)}: <del><bdi>${htmlLine(from)}</bdi></del> <ins><bdi>${htmlLine(to)}</bdi></ins></p>`,
    ),
  ];
  const note = sizeNote(change);
  if (note !== undefined) lines.push(`<p>${htmlLine(note)}</p>`);
  for (const hunk of hunks) lines.push(hunkHtml(hunk));
  return `${lines.join('\n')}\n</section>\n`;
}

function hunkHtml({ after, parts }: Hunk): string {
  const tags = { same: ['', ''], removed: ['<del>', '</del>'], added: ['<ins>', '</ins>'] } as const;
  const text = parts.map(({ change, text: own }) => {
    const [open, close] = tags[change];
    return `${open}${escapeHtml(own)}${close}`;
  });
  return `<p>Line ${after.line}</p>\n<div class="text" dir="auto">${text.join('')}</div>`;
}
