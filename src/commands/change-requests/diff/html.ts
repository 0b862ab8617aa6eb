import { escapedHtml, pageHead } from '../../../output/html-text.js';
import { safeLine } from '../../../output/safe-text.js';
import type { ContentChange, Hunk } from '../../../workflows/change-diff/change.js';
import { tallyWords } from '../../../workflows/change-diff/tally.js';
import { changeText, type DiffReport, fieldLines, kindWords, placeLines, sizeNote } from './report.js';
import { wordCounts } from './text.js';

/** A comparison as one page of HTML: no script, nothing loaded from elsewhere, every text escaped. */

const style = [
  ':root{color-scheme:light dark;--ink:#1c1c1c;--soft:#59595f;--line:#d8d8de;--add:#d4f4d9;--add-ink:#0b4a1a;--del:#fbdcdc;--del-ink:#7a1212}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a5a5ad;--line:#44444c;--add:#153d1f;--add-ink:#a9ecb9;--del:#4a1719;--del-ink:#ffb9b9}body{background:#161616}}',
  'body{font:16px/1.6 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--ink)}',
  'h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2.5rem 0 .25rem}',
  'h1,h2,p{overflow-wrap:anywhere}p{color:var(--soft);margin:.25rem 0}',
  '.text{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0;unicode-bidi:isolate}',
  'ins{background:var(--add);color:var(--add-ink);text-decoration:none}',
  'del{background:var(--del);color:var(--del-ink)}',
  '@media print{body{margin:0;max-width:none}.text{break-inside:avoid-page}ins{text-decoration:underline}}',
].join('\n');

export function htmlReport(): DiffReport {
  return {
    begin({ request, space }) {
      const title = line(`Change request ${request.number}: ${request.subject}`);
      return [
        ...pageHead(title, style),
        `<h1 dir="auto">${title}</h1>`,
        `<p>Compared with the content of the space <bdi>${line(space.title)}</bdi> as it is now.</p>`,
        '',
      ].join('\n');
    },
    changed: section,
    end: (tally) => `<p>${line(tallyWords(tally))}</p>\n</body>\n</html>\n`,
  };
}

function section(change: ContentChange): string {
  const { title, path, words, hunks = [] } = change;
  const facts = [changeText(change), ...(words === undefined ? [] : [wordCounts(words)])];
  const lines = [
    '<section>',
    `<h2><bdi>${line(title)}</bdi></h2>`,
    `<p>${kindWords(change)} <bdi>${line(path ?? '')}</bdi> ${line(facts.join(', '))}</p>`,
    ...placeLines(change).map((text) => `<p dir="auto">${line(text)}</p>`),
    ...fieldLines(change).map(
      ({ field, from, to }) =>
        `<p>${line(field)}: <del><bdi>${line(from)}</bdi></del> <ins><bdi>${line(to)}</bdi></ins></p>`,
    ),
  ];
  const note = sizeNote(change);
  if (note !== undefined) lines.push(`<p>${line(note)}</p>`);
  for (const hunk of hunks) lines.push(hunkHtml(hunk));
  return `${lines.join('\n')}\n</section>\n`;
}

function hunkHtml({ after, parts }: Hunk): string {
  const tags = { same: ['', ''], removed: ['<del>', '</del>'], added: ['<ins>', '</ins>'] } as const;
  const text = parts.map(({ change, text: own }) => {
    const [open, close] = tags[change];
    return `${open}${escapedHtml(own)}${close}`;
  });
  return `<p>Line ${after.line}</p>\n<div class="text" dir="auto">${text.join('')}</div>`;
}

function line(text: string): string {
  return escapedHtml(safeLine(text));
}
