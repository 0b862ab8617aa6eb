import { safeLine } from '../output/text.js';
import { widthOf } from '../output/text-width.js';
import type { SiteTree, TreeNode } from './model.js';
import { indentation } from './parse.js';
import { idText, pathText, titleText } from './words.js';

/** Writes a tree as the text that `parseTree` reads. */

export interface TextLook {
  /** Whether each line ends with its address, as a comment. */
  urls: boolean;
  /** Width of the terminal; addresses that do not fit are shortened, else left out. Absent in a pipe. */
  columns?: number;
  /** Comments at the top, each a line. */
  head?: readonly string[];
}

interface Row {
  title: string;
  path: string;
  tag: string;
  url: string | undefined;
}

/** Ends with a newline. */
export function treeText({ site, nodes }: SiteTree, look: TextLook): string {
  const rows = nodes.flatMap((node) => rowsOf(node, 0));
  const widthFor = (key: 'title' | 'path') => Math.max(0, ...rows.map((row) => widthOf(row[key])));
  const widths = { title: widthFor('title'), path: widthFor('path'), tag: 0 };
  const base = site.urls?.published;
  const bodies = rows.map((row) => bodyOf(row, widths));
  const longest = Math.max(0, ...bodies.map(widthOf));
  const lines = rows.map(({ url }, at) => {
    const body = bodies[at] ?? '';
    const shown =
      look.urls && url !== undefined ? comment(url, base, (look.columns ?? Infinity) - longest) : '';
    return shown === '' ? body : padded(body, longest) + shown;
  });
  return `${[...headOf(site, look), ...lines].join('\n')}\n`;
}

function headOf({ title, id, urls }: SiteTree['site'], { head = [] }: TextLook): string[] {
  const where = urls?.published === undefined ? 'not published' : urls.published;
  return [`${title} (${id})  ${where}`, ...head].map((text) => (text === '' ? '#' : `# ${safeLine(text)}`));
}

function rowsOf(node: TreeNode, level: number): Row[] {
  const { kind, id, space, title, path, isDefault, url, children } = node;
  const named = kind !== 'space' ? `${kind} ${idText(id)}` : spaceText(space, id);
  return [
    {
      title: ' '.repeat(level * indentation) + titleText(title),
      path: path === undefined ? '' : pathText(path),
      tag: `[${named}]${isDefault ? ' *' : ''}`,
      url,
    },
    ...children.flatMap((child) => rowsOf(child, level + 1)),
  ];
}

/** The id of the space stays when it goes to another section; that of the site space does not. */
function spaceText(space: string | undefined, id: string): string {
  return space === undefined ? `site-space ${idText(id)}` : `space ${idText(space)}`;
}

function bodyOf({ title, path, tag }: Row, widths: { title: number; path: number }): string {
  const start = widths.path === 0 ? '' : `  ${padded(path, widths.path)}`;
  return `${padded(title, widths.title)}${start}  ${tag}`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** The whole address, else what follows that of the site, else nothing. */
function comment(url: string, base: string | undefined, columns: number): string {
  const short = base !== undefined && url.startsWith(base) ? `…/${url.slice(base.length)}` : undefined;
  const fit = [url, short].flatMap((one) => one ?? []).map((one) => `  # ${safeLine(one)}`);
  return fit.find((one) => widthOf(one) <= columns) ?? '';
}
