import { htmlLine, pageHead } from '../../../document/html.js';
import { changeHtml } from '../../../workflows/change-diff/html.js';
import { tallyWords } from '../../../workflows/change-diff/tally.js';
import type { DiffReport } from './report.js';

/** A comparison as one page of HTML: no script, nothing loaded from elsewhere, every text escaped. */

const style = [
  ':root{color-scheme:light dark;--ink:#1c1c1c;--soft:#59595f;--line:#d8d8de;--add:#d4f4d9;--add-ink:#0b4a1a;--del:#fbdcdc;--del-ink:#7a1212}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a5a5ad;--line:#44444c;--add:#153d1f;--add-ink:#a9ecb9;--del:#4a1719;--del-ink:#ffb9b9}body{background:#161616}}',
  'body{font:16px/1.6 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--ink)}',
  'h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2.5rem 0 .25rem}',
  '.note{border-left:.25rem solid;padding-left:.6rem;color:inherit}',
  'h1,h2,p{overflow-wrap:anywhere}p{color:var(--soft);margin:.25rem 0}',
  '.text{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0;unicode-bidi:isolate}',
  'ins{background:var(--add);color:var(--add-ink);text-decoration:none}',
  'del{background:var(--del);color:var(--del-ink)}',
  '@media print{body{margin:0;max-width:none}.text{break-inside:avoid-page}ins{text-decoration:underline}}',
].join('\n');

export function htmlReport(): DiffReport {
  return {
    begin({ request, space }, warnings = []) {
      const title = htmlLine(`Change request ${request.number}: ${request.subject}`);
      return [
        ...pageHead(title, style),
        `<h1 dir="auto">${title}</h1>`,
        `<p>Compared with the content of the space <bdi>${htmlLine(space.title)}</bdi> as it is now.</p>`,
        ...warnings.map((warning) => `<p class="note">${htmlLine(warning)}</p>`),
        '',
      ].join('\n');
    },
    changed: (change) => changeHtml(change, 'h2'),
    end: (tally) => `<p>${htmlLine(tallyWords(tally))}</p>\n</body>\n</html>\n`,
  };
}
