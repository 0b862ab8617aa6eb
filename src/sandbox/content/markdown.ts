import { slugOf } from '../store/rows.js';

/** A heading of a page and the text up to the next one. The first section may lack a heading. */
export interface Section {
  /** '' before the first heading. */
  title: string;
  /** 1 to 6; 0 before the first heading. */
  level: number;
  /** URL fragment of the heading, unique in the page; '' before the first. */
  anchor: string;
  markdown: string;
}

const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Splits a text at its ATX headings outside code. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ title: '', level: 0, anchor: '', markdown: '' }];
  const anchors = new Set<string>();
  for (const { line, code } of linesOf(markdown)) {
    const [, marks, title] = (code ? null : heading.exec(line)) ?? [];
    if (marks === undefined || title === undefined) {
      const last = sections.at(-1);
      if (last !== undefined) last.markdown += `${line}\n`;
      continue;
    }
    const plain = plainText(title).trim();
    const anchor = freeAnchor(slugOf(plain, 'section'), anchors);
    sections.push({ title: plain, level: marks.length, anchor, markdown: '' });
  }
  return sections;
}

/**
 * The targets of the links in a text, in order, without duplicates: inline links and images, reference
 * definitions, autolinks, `href` and `src` of HTML. Ignores code. Regular expressions rather than a
 * parser: mdast-util-from-markdown takes over 100 times as long, and link checks read every page.
 */
export function linkTargets(markdown: string): string[] {
  const prose = withoutCode(markdown);
  const found = linkForms.flatMap((form) =>
    Array.from(prose.matchAll(form), (match) => ({ at: match.index, target: unwrap(match[1] ?? '') })),
  );
  const targets = found.sort((a, b) => a.at - b.at).map(({ target }) => target);
  return [...new Set(targets)].filter((target) => target !== '');
}

const linkForms = [
  // An escaped bracket ends no link.
  /(?<!(?<!\\)\\)\]\([ \t\n]{0,9}(<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)(?:[ \t\n]{1,9}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?[ \t\n]{0,9}\)/g,
  /^ {0,3}\[[^[\]\n]{1,200}\]:[ \t]{1,9}(<[^<>\n]{1,2000}>|[^\s<>]{1,2000})/gm,
  /<(https?:\/\/[^\s<>]{1,2000})>/g,
  /<(?:a|img|source|video|iframe|embed)\s[^<>]{0,500}?(?:href|src|url)\s{0,9}=\s{0,9}["']([^"'<>\n]{1,2000})["']/gi,
];

/** The text without the markup of emphasis, links, images, tables, tags and fences. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, '')
    .replaceAll(/^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*$\n?/gm, '')
    .replaceAll(/^ {0,3}\|(.*)\|[ \t]*$/gm, (_, cells: string) => cells.replaceAll('|', ' ').trim())
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,2000}>/g, '')
    .replaceAll(/!\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g, '$1')
    .replaceAll(/\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g, '$1')
    .replaceAll(/^ {0,3}(?:#{1,6}[ \t]+|>[ \t]?)/gm, '')
    .replaceAll(/(\*\*|__|~~)(?=\S)([^*_~\n]{1,500})\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,500})\*/g, '$1')
    .replaceAll(/`{1,2}([^`\n]{1,500})`{1,2}/g, '$1')
    .replaceAll(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1');
}

/** The lines of a text, each with whether it belongs to a fenced code block. */
export function* linesOf(markdown: string): Generator<{ line: string; code: boolean }> {
  let open: string | undefined;
  for (const line of markdown.split('\n')) {
    const marks = fence.exec(line)?.[1];
    const code = open !== undefined || marks !== undefined;
    if (open === undefined) open = marks;
    else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
    yield { line, code };
  }
}

function withoutCode(markdown: string): string {
  const lines = Array.from(linesOf(markdown), ({ line, code }) => (code ? '' : line));
  return lines.join('\n').replaceAll(/`+[^`\n]*`+/g, (code) => ' '.repeat(code.length));
}

function unwrap(target: string): string {
  return target.startsWith('<') ? target.slice(1, -1) : target;
}

/** An anchor that no heading before has. */
export function freeAnchor(anchor: string, taken: Set<string>): string {
  let free = anchor;
  for (let number = 1; taken.has(free); number += 1) free = `${anchor}-${number}`;
  taken.add(free);
  return free;
}
