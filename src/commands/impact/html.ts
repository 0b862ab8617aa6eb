import type { Impact } from '../../access/impact/change.js';
import { htmlLine, pageHead } from '../../document/html.js';
import { grouped } from '../../output/counted.js';
import { type Section, sectionsOf, titleOf } from './sections.js';

/** An impact as one page of HTML: no script, nothing loaded from elsewhere, every text escaped. */

const style = [
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c1c1c}',
  'table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}',
  'th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}',
  'h1{font-size:1.4rem}h2{font-size:1.1rem}p{color:#555}',
  '@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}th,td{border-color:#444}p{color:#aaa}}',
].join('\n');

export function impactHtml(impact: Impact): string {
  const title = htmlLine(titleOf(impact));
  return [
    ...pageHead(title, style),
    `<h1>${title}</h1>`,
    ...sectionsOf(impact).flatMap(sectionLines),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function sectionLines({ title, columns, rows, none }: Section): string[] {
  if (rows.length === 0) return [`<p>${htmlLine(none ?? '')}</p>`];
  const head = `<h2>${htmlLine(title)} (${grouped(rows.length)})</h2>`;
  if (columns.length === 1)
    return [head, '<ul>', ...rows.map(([text = '']) => `<li>${htmlLine(text)}</li>`), '</ul>'];
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${htmlLine(cell)}</${tag}>`).join('')}</tr>`;
  return [head, '<table>', row(columns, 'th'), ...rows.map((cells) => row(cells, 'td')), '</table>'];
}
