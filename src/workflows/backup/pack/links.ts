/** Links in Markdown, replaced where they stand; the rest of the text stays as it is. */

/** Each with the target in its group, in angle brackets or not. */
const linkForms = [
  /\]\([ \t\n]{0,9}(<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)(?:[ \t\n]{1,9}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?[ \t\n]{0,9}\)/dg,
  /^ {0,3}\[[^[\]\n]{1,200}\]:[ \t]{1,9}(<[^<>\n]{1,2000}>|[^\s<>]{1,2000})/dgm,
  /<(?:a|img|source|video|iframe|embed)\s[^<>]{0,500}?(?:href|src|url)\s{0,9}=\s{0,9}["']([^"'<>\n]{1,2000})["']/dgi,
  /\{%\s[^%\n]{0,500}?(?:url|src|href)="([^"\n]{1,2000})"/dg,
];

interface Found {
  start: number;
  end: number;
  target: string;
}

/** @param replaced the new target of a link, percent-encoded; undefined leaves it. Code is not read. */
export function rewriteLinks(markdown: string, replaced: (target: string) => string | undefined): string {
  let text = '';
  let at = 0;
  for (const { start, end, target } of linksIn(markdown)) {
    const other = start < at ? undefined : replaced(target);
    if (other === undefined) continue;
    text += markdown.slice(at, start) + other;
    at = end;
  }
  return text + markdown.slice(at);
}

function linksIn(markdown: string): Found[] {
  const prose = withoutCode(markdown);
  const found = linkForms.flatMap((form) =>
    Array.from(prose.matchAll(form), ({ indices }): Found => {
      const [start, end] = indices?.[1] ?? [0, 0];
      const bare = prose[start] === '<' ? { start: start + 1, end: end - 1 } : { start, end };
      return { ...bare, target: prose.slice(bare.start, bare.end) };
    }),
  );
  return found.sort((a, b) => a.start - b.start);
}

/** The text with spaces in place of code, so that all else is where it was. */
function withoutCode(markdown: string): string {
  let open: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = open !== undefined || marks !== undefined;
    if (open === undefined) open = marks;
    else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
    return isCode ? ' '.repeat(line.length) : line;
  });
  return lines.join('\n').replaceAll(/`+[^`\n]*`+/g, (code) => ' '.repeat(code.length));
}

/** Path from the folder of one file to another file, percent-encoded. */
export function relativePath(from: string, to: string): string {
  const there = to.split('/');
  const here = from.split('/').slice(0, -1);
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared).map(encoded)].join('/');
}

/** Path from the top, which links of a few pages need. */
export function absolutePath(to: string): string {
  return `/${to.split('/').map(encoded).join('/')}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/[()'*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** `base` and a path from there, without `.` and `..`. */
export function joined(base: readonly string[], path: string): string {
  const parts = [...base];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
