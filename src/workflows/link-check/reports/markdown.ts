import type { LinkStatus } from '../../../access/links/reference.js';
import { code, Excerpt, prose } from '../../../document/markdown.js';
import { unreadWords } from '../../../snapshot/unread.js';
import { type Finding, type Looked, pageName, spaceName } from '../finding.js';
import { type Report, type Tally, tallyWords } from '../report.js';

/**
 * Markdown for the comment on a pull request: a table for each space. It stays below GitHub's limit for a
 * comment (65,536 characters), and says how much it left out.
 */
const mostCharacters = 55_000;
const mostUnread = 50;
/** All ASCII punctuation but that of numbers and paths: also what could end the address of a link. */
const punctuation = /[!-+:-@[-`{-~]/g;

export function markdown(statuses: readonly LinkStatus[]): Report {
  const tables = new Excerpt(mostCharacters);
  let section = '';
  return {
    begin: () => '## Links\n',
    looked(looked) {
      const { space, findings } = looked;
      const lines: string[] = [];
      for (const finding of findings) {
        const rows = section === space.id ? row(finding) : heading(looked) + row(finding);
        if (!tables.add(rows)) continue;
        section = space.id;
        lines.push(rows);
      }
      return lines.join('');
    },
    end(tally) {
      return `${tables.more('further finding', ' into this comment')}\n${summary(tally, statuses)}`;
    },
  };
}

function heading({ space }: Looked): string {
  return `\n### ${plain(spaceName(space))}\n\n| Page | State | Link |\n|---|---|---|\n`;
}

function row(finding: Finding): string {
  return `| ${pageCell(finding)} | ${finding.status} | ${code(finding.link, punctuation)} |\n`;
}

function pageCell(finding: Finding): string {
  const title = plain(pageName(finding));
  const address = finding.page?.url;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return title;
  return `[${title}](${url.href.replace(/[()|<>\\[\]`*_~]/g, percent)})`;
}

function summary(tally: Tally, statuses: readonly LinkStatus[]): string {
  const lines = tally.unread.slice(0, mostUnread).map((one) => `- ${plain(unreadWords(one))}\n`);
  const rest = tally.unread.length - lines.length;
  const list = lines.length === 0 ? '' : `\n**Not read**\n\n${lines.join('')}`;
  return `${tallyWords(tally, statuses)}\n${list}${rest === 0 ? '' : `- … and ${rest} more\n`}`;
}

function plain(text: string): string {
  return prose(text, punctuation);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
