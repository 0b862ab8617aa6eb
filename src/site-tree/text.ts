import { sitePath } from '../api/resources/site-spaces.js';
import type { Site } from '../api/resources/sites.js';
import { counted, safeLine } from '../output/text.js';
import { widthOf } from '../output/text-width.js';

/** The tree of a site: section groups, sections and site spaces, each in the order of the platform. */

const nodeKinds = ['group', 'section', 'space'] as const;
type NodeKind = (typeof nodeKinds)[number];

export interface TreeNode {
  kind: NodeKind;
  /** Of a space its id on the site: that of the site space. */
  id: string;
  /** The id of the space; absent where the token cannot see it. */
  space?: string;
  title: string;
  /** Groups have none. */
  path?: string;
  /** Whether the site, or its section, opens with it. */
  isDefault: boolean;
  /** Where readers find it; absent while the site is not published. */
  url?: string;
  children: readonly TreeNode[];
}

export interface SiteTree {
  site: Site;
  /** A group without sections comes last: the platform does not show where it stands. */
  nodes: readonly TreeNode[];
}

/** A node in a text. */
export interface TreeLine {
  /** From 1. */
  line: number;
  kind: NodeKind;
  /** Absent where it is new; of a space that of the space, or with `isSiteSpace` of the site space. */
  id?: string;
  isSiteSpace?: true;
  title?: string;
  path?: string;
  isDefault: boolean;
  parent?: TreeLine;
  children: TreeLine[];
}

/** What is wrong with a text, at a line of it. */
export interface Fault {
  line: number;
  message: string;
}

/** A node, and everything below it. */
export function* flattened<T extends { children: readonly T[] }>(nodes: readonly T[]): Generator<T> {
  for (const node of nodes) {
    yield node;
    yield* flattened(node.children);
  }
}

/** Reads the text that `docs sites tree` prints and people edit. */

export interface ParsedTree {
  top: readonly TreeLine[];
  /** In the order of the text. */
  all: readonly TreeLine[];
  faults: readonly Fault[];
}

/** Spaces before a line for each level. */
const indentation = 2;

export function parseTree(text: string): ParsedTree {
  const top: TreeLine[] = [];
  const all: TreeLine[] = [];
  const faults: Fault[] = [];
  /** The line that stands open at each level. */
  const open: TreeLine[] = [];
  for (const [index, content] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const fault = (message: string) => faults.push({ line, message });
    if (/^[ \t]*(?:#|$)/.test(content)) continue;
    const [indent = ''] = /^[ \t]*/.exec(content) ?? [];
    const found = readLine(content, indent.length, line, fault);
    if (found === undefined) continue;
    const level = levelOf(indent, open.length, fault);
    all.push(found);
    if (level === undefined) continue;
    open.splice(level);
    const parent = open.at(-1);
    if (parent !== undefined) found.parent = parent;
    const why = misplaced(found, parent);
    if (why !== undefined) fault(why);
    (parent?.children ?? top).push(found);
    open.push(found);
  }
  return { top, all, faults };
}

type Tell = (message: string) => void;

/** From 0; undefined where it cannot be told. */
function levelOf(indent: string, open: number, fault: Tell): number | undefined {
  if (indent.includes('\t')) fault('a tab; indent with two spaces for each level');
  else if (indent.length % indentation > 0)
    fault(`indented by ${counted(indent.length, 'space')}; indent with two for each level`);
  else if (indent.length / indentation > open)
    fault(`indented by ${counted(indent.length, 'space')}, but nothing above it is one level higher`);
  else return indent.length / indentation;
  return undefined;
}

/** Why a line cannot stand where it does. */
function misplaced({ kind }: TreeLine, parent: TreeLine | undefined): string | undefined {
  if (parent?.kind === 'space') return `a ${kind} below a space; spaces hold nothing`;
  if (kind === 'group' && parent !== undefined) return `a group in a ${parent.kind}; groups stand at the top`;
  if (kind === 'section' && parent?.kind === 'section')
    return 'a section in a section; sections stand at the top or in a group';
  if (kind === 'space' && parent?.kind === 'group')
    return 'a space directly in a group; groups hold sections, and those hold spaces';
  return undefined;
}

function readLine(content: string, start: number, line: number, fault: Tell): TreeLine | undefined {
  const words = new Words(content, start);
  const title = readTitle(words, fault);
  if (title === null) return undefined;
  const found: Partial<TreeLine> & Pick<TreeLine, 'isDefault'> = { isDefault: false };
  if (title !== undefined) found.title = title;
  while (!words.isOver) {
    if (!readPart(words, found, fault)) return undefined;
  }
  const { kind } = found;
  if (kind === undefined) {
    fault(`${named(title)}: neither a group, a section nor a space; add [group], [section] or [space <id>]`);
    return undefined;
  }
  if (kind === 'group' && found.path !== undefined) fault('a group with a path; groups have none');
  if (kind === 'group' && found.isDefault) fault('a group with *; a site opens with a section');
  return { ...found, kind, line, children: [] };
}

/** undefined where there is none, null where it cannot be read. */
function readTitle(words: Words, fault: Tell): string | null | undefined {
  const text = words.quoted();
  if (text === null) fault(badQuoting(words));
  if (text !== undefined) return text;
  if (/^[/[*]/.test(words.rest)) return undefined;
  const plain = words.plain();
  if (!/\p{Cc}/u.test(plain)) return plain;
  fault(`a tab or another control character in the title; write it as "${'\\t'}" in quotes`);
  return null;
}

/** A path, a tag or a star. @returns false where the rest of the line cannot be read */
function readPart(words: Words, found: Partial<TreeLine>, fault: Tell): boolean {
  if (words.takes('/')) {
    if (found.path !== undefined) return no(fault, `a second path; a title with " /" stands in quotes`);
    const path = words.quotedOr('[');
    if (path === null) return no(fault, badQuoting(words));
    const why = pathFault(path);
    if (why !== undefined) return no(fault, why);
    found.path = path;
    return true;
  }
  if (words.takes('[')) {
    if (found.kind !== undefined) return no(fault, 'a second [; a title with " [" stands in quotes');
    return readTag(words, found, fault);
  }
  if (words.takes('*')) {
    found.isDefault = true;
    return true;
  }
  return no(fault, `not understood: ${shown(words.rest)}; a comment begins with #`);
}

function badQuoting(words: Words): string {
  return `bad quoting: ${shown(words.rest)}; quoted texts are as in JSON`;
}

function no(fault: Tell, message: string): false {
  fault(message);
  return false;
}

/** Limits are those of the operation that sets it. */
function pathFault(path: string): string | undefined {
  const { minLength = 1, maxLength = 100 } = sitePath as { minLength?: number; maxLength?: number };
  if (path.length < minLength) return 'a / without a path; a title with " /" stands in quotes';
  if (path.length > maxLength) return `the path ${shown(path)} is longer than ${maxLength} characters`;
  return undefined;
}

/** `[section]`, `[space id]`, `[site-space id]`. */
function readTag(words: Words, found: Partial<TreeLine>, fault: Tell): boolean {
  const word = words.until(']');
  const kind: NodeKind | undefined =
    word === 'site-space' ? 'space' : nodeKinds.find((known) => known === word);
  if (kind === undefined)
    return no(fault, `[${shown(word)}]: expected [group], [section], [space] or [site-space]`);
  let id = '';
  if (!words.takes(']')) {
    const given = words.quotedOr(']');
    if (given === null) return no(fault, badQuoting(words));
    id = given;
    if (!words.takes(']')) return no(fault, `[${word} without its ]`);
  }
  found.kind = kind;
  if (id !== '') found.id = id;
  if (word === 'site-space') found.isSiteSpace = true;
  if (word === 'site-space' && id === '') return no(fault, '[site-space] without an id');
  return true;
}

/** Of a title, for a message. */
export function named(title: string | undefined): string {
  return title === undefined || title === '' ? 'a line without a title' : shown(title);
}

const mostShown = 60;

/** A text of the file in a message. */
export function shown(text: string): string {
  return safeLine(text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);
}

/** Writes a tree as the text that `parseTree` reads. */

interface TextLook {
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

/** How titles, paths and ids are written in a text, so that each comes back as it was. */

/** What a title may not begin with as it is, and what may not follow a space in it: the text has a use for it. */
const starts = '"/\\[*#';
/**
 * Controls, line separators, other spaces than the plain one, invisible marks and lone surrogates. Not the joiners,
 * which emoji and some scripts need.
 */
const hidden = /(?!\u200c|\u200d| )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}]/u;
const eachHidden = new RegExp(hidden, 'gu');
const plainTitle = new RegExp(`^(?![${starts} ])(?!.* [${starts}])(?!.* $).+$`, 'u');
const plainPath = /^[^\s"[\]#*]+$/u;
const plainId = /^[\w-]+$/;

function titleText(title: string): string {
  return plainTitle.test(title) && !hidden.test(title) ? title : quoted(title);
}

/** With the slash before it. */
function pathText(path: string): string {
  return `/${plainPath.test(path) && !hidden.test(path) ? path : quoted(path)}`;
}

function idText(id: string): string {
  return plainId.test(id) ? id : quoted(id);
}

/** As JSON, in which nothing is invisible. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(eachHidden, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Reads a line from left to right. */
class Words {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Whether a comment or nothing follows. */
  get isOver(): boolean {
    this.#skip();
    return this.#at >= this.#text.length || this.#text[this.#at] === '#';
  }

  /** The rest, to name what is not understood. */
  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Takes a character, if it is next. */
  takes(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  /** A title that is written as it is, up to what has a meaning of its own. */
  plain(): string {
    this.#skip();
    const rest = this.rest;
    const end = rest.search(/ +(?:[/"[#]|\*(?: |$))/);
    const found = (end < 0 ? rest : rest.slice(0, end)).replace(/ +$/, '');
    this.#at += found.length;
    return found;
  }

  /** Characters up to a space or one of these. */
  until(others: string): string {
    const rest = this.rest;
    const end = [...rest].findIndex((one) => one === ' ' || others.includes(one));
    const found = end < 0 ? rest : [...rest].slice(0, end).join('');
    this.#at += found.length;
    return found;
  }

  /** A quoted text, else what comes before a space or one of these; null where the quoting is wrong. */
  quotedOr(others: string): string | null {
    const text = this.quoted();
    return text === undefined ? this.until(others) : text;
  }

  /** A quoted text, if one is next; null where its quoting is wrong. */
  quoted(): string | null | undefined {
    if (this.#text[this.#at] !== '"') return undefined;
    const [found] = /^"(?:[^"\\]|\\.)*"/.exec(this.rest) ?? [];
    if (found === undefined) return null;
    try {
      const text: unknown = JSON.parse(found);
      this.#at += found.length;
      return String(text);
    } catch {
      return null;
    }
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}
