import type { LinkStatus } from '../../../access/links/reference.js';
import { counted } from '../../../output/counted.js';
import { safeLine } from '../../../output/safe-text.js';
import { unreadWords } from '../../../reading/reading.js';
import { type Finding, type Looked, pageName, spaceName } from '../finding.js';
import { type Report, type Tally, tallyWords } from '../report.js';

/**
 * Markdown for the comment on a pull request: a table for each space. It stays below GitHub's limit for a
 * comment (65,536 characters), and says how much it left out.
 */
const mostCharacters = 55_000;
const mostUnread = 50;
/** Titles and URLs are cut at this length, in characters. */
const longest = 300;

export function markdown(statuses: readonly LinkStatus[]): Report {
  let written = 0;
  let leftOut = 0;
  let section = '';
  return {
    begin: () => '## Links\n',
    looked(looked) {
      const { space, findings } = looked;
      const lines: string[] = [];
      for (const finding of findings) {
        const line = row(finding);
        const head = section === space.id ? '' : heading(looked);
        if (written + head.length + line.length > mostCharacters) leftOut += 1;
        else {
          section = space.id;
          written += head.length + line.length;
          lines.push(head, line);
        }
      }
      return lines.join('');
    },
    end(tally) {
      const more = `\n… and ${counted(leftOut, 'further finding')} that did not fit into this comment.\n`;
      return `${leftOut === 0 ? '' : more}\n${summary(tally, statuses)}`;
    },
  };
}

function heading({ space }: Looked): string {
  return `\n### ${plain(spaceName(space))}\n\n| Page | State | Link |\n|---|---|---|\n`;
}

function row(finding: Finding): string {
  return `| ${pageCell(finding)} | ${finding.status} | <code>${encoded(short(finding.link))}</code> |\n`;
}

function pageCell(finding: Finding): string {
  const title = plain(pageName(finding));
  const address = finding.page?.url;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return title;
  return `[${title}](${url.href.replace(/[()|<>\\[\]`*_~]/g, percent)})`;
}

function summary(tally: Tally, statuses: readonly LinkStatus[]): string {
  const lines = tally.unread.slice(0, mostUnread).map((one) => `- ${plain(short(unreadWords(one)))}\n`);
  const rest = tally.unread.length - lines.length;
  const list = lines.length === 0 ? '' : `\n**Not read**\n\n${lines.join('')}`;
  return `${tallyWords(tally, statuses)}\n${list}${rest === 0 ? '' : `- … and ${rest} more\n`}`;
}

function short(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Text that cannot become markup, a table border, or a mention of a person. */
function plain(text: string): string {
  return encoded(short(text)).replaceAll('&#64;', '&#64;&#8203;');
}

/** ASCII punctuation that Markdown could interpret, as entities, which it takes for letters. */
function encoded(text: string): string {
  return safeLine(text).replace(/[!-+:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
