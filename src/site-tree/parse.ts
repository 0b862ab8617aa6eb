import { sitePath } from '../api/resources/site-spaces.js';
import { counted, safeLine } from '../output/text.js';
import { type Fault, type NodeKind, nodeKinds, type TreeLine } from './model.js';
import { Words } from './words.js';

/** Reads the text that `docs sites tree` prints and people edit. */

export interface ParsedTree {
  top: readonly TreeLine[];
  /** In the order of the text. */
  all: readonly TreeLine[];
  faults: readonly Fault[];
}

/** Spaces before a line for each level. */
export const indentation = 2;

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
