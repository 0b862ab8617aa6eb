import type { Impact } from '../../access/impact/change.js';
import { cellText, type TablePart } from '../../document/document.js';
import { htmlLine, pageHead } from '../../document/html.js';
import { grouped } from '../../output/counted.js';
import { impactDocument } from './document.js';

/** An impact as one page of HTML: no script, nothing loaded from elsewhere, every text escaped. */

const style = [
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c1c1c}',
  'table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}',
  'th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}',
  'h1{font-size:1.4rem}h2{font-size:1.1rem}p{color:#555}',
  '@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}th,td{border-color:#444}p{color:#aaa}}',
].join('\n');

export function impactHtml(impact: Impact): string {
  const document = impactDocument(impact);
  const title = htmlLine(document.title);
  return [
    ...pageHead(title, style),
    `<h1>${title}</h1>`,
    ...document.parts.flatMap(tableLines),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function tableLines({ title, columns, rows: cells, empty }: TablePart): string[] {
  const rows = cells.map((row) => row.map(cellText));
  if (rows.length === 0) return [`<p>${htmlLine(empty)}</p>`];
  const head = `<h2>${htmlLine(title)} (${grouped(rows.length)})</h2>`;
  if (columns.length === 1)
    return [head, '<ul>', ...rows.map(([text = '']) => `<li>${htmlLine(text)}</li>`), '</ul>'];
  const row = (own: readonly string[], tag: 'th' | 'td') =>
    `<tr>${own.map((cell) => `<${tag}>${htmlLine(cell)}</${tag}>`).join('')}</tr>`;
  return [
    head,
    '<table>',
    row(
      columns.map(({ label }) => label),
      'th',
    ),
    ...rows.map((own) => row(own, 'td')),
    '</table>',
  ];
}
