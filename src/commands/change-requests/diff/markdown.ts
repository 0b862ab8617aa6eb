import { Excerpt, escapeMarkdown, shortLine, table } from '../../../document/markdown.js';
import { safeLine, safeText } from '../../../output/text.js';
import type { ContentChange, Hunk } from '../../../workflows/change-diff/change.js';
import type { Opened } from '../../../workflows/change-diff/read-changes.js';
import { tallyWords } from '../../../workflows/change-diff/tally.js';
import {
  changeText,
  fieldLines,
  labelOf,
  placeLines,
  sizeNote,
} from '../../../workflows/change-diff/told.js';
import type { DiffReport } from './report.js';

/**
 * A comparison for a pull request: the sum, a table, and folded texts with what was removed and added in them. It
 * stays below GitHub's limit for a comment (65,536 characters) and says how much it left out. Nothing in it can
 * become markup, or a mention of a person or an issue.
 */
const mostCharacters = 60_000;
const mostInTable = 20_000;
/** A text of a cell or a title is cut at this length, in characters. */
const longest = 200;
/** Without the punctuation of sentences, since paragraphs hold whole texts of pages. */
const markup = /[!#$&*:<>@[\\\]^_`{|}~]/g;

export function markdownReport(): DiffReport {
  let opened: Opened | undefined;
  let notes: readonly string[] = [];
  const [rows, texts] = [new Excerpt(mostInTable), new Excerpt(mostCharacters - mostInTable - 2000)];
  return {
    begin(given, warnings = []) {
      opened = given;
      notes = warnings;
      return '';
    },
    changed(change) {
      rows.add(row(change));
      const text = folded(change);
      if (text !== '') texts.add(text);
      return '';
    },
    end(tally) {
      const { number = 0, subject = '' } = opened?.request ?? {};
      const head = `### Change request ${number}: ${inert(subject)}\n\n${[...notes, tallyWords(tally)].map((note) => entities(safeLine(note))).join('\n\n')}\n`;
      if (rows.text === '') return head;
      const list = `\n${table(['Page or file', 'Change', 'Words'], [])}${rows.text}${rows.more('further row')}`;
      return `${head}${list}${texts.text}${texts.more('further text')}`;
    },
  };
}

function row(change: ContentChange): string {
  const { words } = change;
  const size = words === undefined ? '' : `+${words.added} −${words.removed}`;
  return `| ${inert(labelOf(change))} | ${inert(changeText(change))} | ${size} |\n`;
}

function folded(change: ContentChange): string {
  const { title, hunks = [] } = change;
  const note = sizeNote(change);
  const lines = [
    ...placeLines(change).map(inert),
    ...fieldLines(change).map(
      ({ field, from, to }) => `${inert(field)}: <del>${inert(from)}</del> <ins>${inert(to)}</ins>`,
    ),
    ...(note === undefined ? [] : [inert(note)]),
    ...hunks.map(hunkText),
  ];
  if (lines.length === 0) return '';
  return `\n<details>\n<summary>${inert(title)}</summary>\n\n${lines.join('\n\n')}\n\n</details>\n`;
}

/** One paragraph, whose lines are broken by tags: no line of it can begin a list, a fence or a heading. */
function hunkText({ after, parts }: Hunk): string {
  let startsLine = true;
  const pieces = parts.map(({ change, text }) => {
    const html = linesOf(text, startsLine);
    startsLine = text.endsWith('\n');
    if (change === 'same') return html.join('<br>');
    const tag = change === 'added' ? 'ins' : 'del';
    return html.map((line) => (line === '' ? '' : `<${tag}>${line}</${tag}>`)).join('<br>');
  });
  return `<sub>Line ${after.line}</sub><br>${pieces.join('').replace(/(?:<br>)+$/, '')}`;
}

/** Lines that keep their indentation. @param startsLine whether the text begins at the start of a line */
function linesOf(text: string, startsLine: boolean): string[] {
  return safeText(text)
    .split('\n')
    .map((line, index) => {
      const indent = index > 0 || startsLine ? (/^[ \t]*/.exec(line)?.[0] ?? '') : '';
      const kept = indent.replaceAll('\t', '    ').replaceAll(' ', '&nbsp;');
      return kept + entities(line.slice(indent.length));
    });
}

/** A short text of one line. */
function inert(text: string): string {
  return entities(shortLine(text, longest));
}

/**
 * What Markdown and GitHub could interpret, as entities, which they take for letters. An invisible space keeps names,
 * issues and addresses from being linked.
 */
function entities(text: string): string {
  return escapeMarkdown(text, markup).replace(/&#(?:35|64);|&#58;(?=\/\/)|www(?=\.)/gi, '$&&#8203;');
}
