import { kindOf } from '../organization/kinds/index.js';
import type { LiveItem } from '../organization/model.js';
import type { LiveSite } from './read-site.js';
import { type Fault, flattened, named, type ParsedTree, shown, type TreeLine } from './text.js';

/** Which line of a text is which part of a site, and what is wrong with that. */

/** A space that a line puts on the site. */
export interface NewSpace {
  id: string;
  title: string;
}

export interface Joined {
  /** What each line names; a new group, section or site space is not in it. */
  items: ReadonlyMap<TreeLine, LiveItem>;
  /** The space of each line that puts one on the site. */
  added: ReadonlyMap<TreeLine, NewSpace>;
  /** Parts of the site that no line names. */
  missing: readonly LiveItem[];
  faults: readonly Fault[];
}

const kinds = { group: 'groups', section: 'sections', space: 'site-spaces' } as const;
/** In the order in which faults about them are told. */
const parts = Object.values(kinds);

/** @param added the spaces of the lines for which `isUnknownSpace` holds */
export function joined({ all }: ParsedTree, read: LiveSite, added: ReadonlyMap<TreeLine, NewSpace>): Joined {
  const finder = new Finder(read);
  const items = new Map<TreeLine, LiveItem>();
  const faults: Fault[] = [];
  const seen = new Map<LiveItem | string, TreeLine>();
  for (const line of all) {
    const space = added.get(line);
    const item = finder.find(line) ?? finder.ofSpace(space?.id);
    if (item === undefined && space === undefined && line.id !== undefined)
      faults.push({ line: line.line, message: unknownPart(line, read) });
    const own = item ?? space?.id;
    const first = own === undefined ? undefined : seen.get(own);
    if (first !== undefined)
      faults.push({ line: line.line, message: `${wordOf(line)} stands on line ${first.line} already` });
    if (own !== undefined && first === undefined) seen.set(own, line);
    if (item !== undefined && first === undefined) items.set(line, item);
  }
  const { live } = read;
  for (const { line, found } of byName(all, live.items, items)) {
    if (found.length === 1) items.set(line, found[0] as LiveItem);
    else faults.push({ line: line.line, message: severalSo(line, found) });
  }
  const named = new Set(items.values());
  const missing = parts.flatMap((kind) => (live.items.get(kind) ?? []).filter((one) => !named.has(one)));
  const onto = new Map([...added].filter(([line]) => !items.has(line)));
  return { items, added: onto, missing, faults };
}

interface ByName {
  line: TreeLine;
  found: readonly LiveItem[];
}

/**
 * Groups and sections that a line names without an id: by its title, else its path, among those that no line names by
 * its id. So a text with new ones can be handed in again.
 */
function* byName(
  all: readonly TreeLine[],
  live: LiveSite['live']['items'],
  known: ReadonlyMap<TreeLine, LiveItem>,
): Generator<ByName> {
  const taken = new Set(known.values());
  const open = all.filter(({ kind, id }) => kind !== 'space' && id === undefined);
  for (const line of open) {
    const free = (live.get(kinds[line.kind]) ?? []).filter((item) => !taken.has(item));
    const titled = free.filter(({ title }) => title === line.title);
    const atPath = free.filter(({ fields }) => line.path !== undefined && fields.path === line.path);
    const found = titled.length > 0 ? titled : atPath;
    const isOne = open.filter(({ kind, title }) => kind === line.kind && title === line.title).length === 1;
    if (found.length > 0) yield { line, found: isOne ? found : [...found, ...found] };
  }
}

function severalSo(line: TreeLine, found: readonly LiveItem[]): string {
  const ids = [...new Set(found.map(({ id }) => id))].map(shown).join(' or ');
  return `${wordOf(line)} may be ${ids}; write the id: [${line.kind} <id>]`;
}

/** Whether a line names a space that is not on the site, or names one by its title. */
export function isUnknownSpace(line: TreeLine, read: LiveSite): boolean {
  if (line.kind !== 'space' || line.isSiteSpace === true) return false;
  return new Finder(read).find(line) === undefined;
}

class Finder {
  readonly #byId = new Map<string, LiveItem>();

  constructor({ live }: LiveSite) {
    for (const kind of parts)
      for (const item of live.items.get(kind) ?? []) {
        this.#byId.set(`${kind} ${item.id}`, item);
        if (item.natural !== undefined) this.#byId.set(`spaces ${item.natural}`, item);
      }
  }

  ofSpace(id: string | undefined): LiveItem | undefined {
    return id === undefined ? undefined : this.#byId.get(`spaces ${id}`);
  }

  find({ kind, id, isSiteSpace }: TreeLine): LiveItem | undefined {
    if (id === undefined) return undefined;
    return this.#byId.get(kind === 'space' && isSiteSpace !== true ? `spaces ${id}` : `${kinds[kind]} ${id}`);
  }
}

function unknownPart({ kind, id = '', isSiteSpace }: TreeLine, { site, live }: LiveSite): string {
  const other = Object.entries(kinds).find(([, name]) => live.items.get(name)?.some((one) => one.id === id));
  if (other !== undefined && other[0] !== kind) return `${shown(id)} is a ${other[0]}, not a ${kind}`;
  const what = isSiteSpace === true ? 'site space' : kind;
  return `the site ${shown(site.title)} has no ${what} ${shown(id)}; a new one has no id: [${kind}]`;
}

/** `the section Guides`. */
export function wordOf({ kind, title, id }: TreeLine): string {
  return `the ${kind} ${title === undefined ? shown(id ?? '') : named(title)}`;
}

/** What the site would not take although every line can be read. */
export function unfit({ all, top }: ParsedTree, { items, added }: Joined): Fault[] {
  const faults: Fault[] = [];
  const tell = (line: TreeLine, message: string) => faults.push({ line: line.line, message });
  const pathOf = (line: TreeLine) => line.path ?? textIn(items.get(line)?.fields.path);
  for (const line of all) tellLine(line, items.get(line), added.get(line), tell);
  const roots = top.filter(({ kind }) => kind === 'space');
  if (roots.length > 0 && all.some(({ kind }) => kind === 'section'))
    tell(roots[0] as TreeLine, 'a space at the top of a site with sections; put it into a section');
  const sections = [...flattened(top)].filter(({ kind }) => kind === 'section');
  for (const list of [sections, roots, ...sections.map(({ children }) => children)]) {
    twice(list, pathOf, (line, other, path) =>
      tell(line, `the path /${shown(path)} is that of line ${other.line} already`),
    );
    twice(
      list.filter(({ isDefault }) => isDefault),
      () => '*',
      (line, other) => tell(line, `a second * beside that of line ${other.line}; one opens first`),
    );
  }
  return faults;
}

type Tell = (line: TreeLine, message: string) => void;

function tellLine(line: TreeLine, item: LiveItem | undefined, added: NewSpace | undefined, tell: Tell): void {
  const { kind, title, path } = line;
  const now = item?.title ?? added?.title;
  if (kind === 'space' && title !== undefined && now !== undefined && title !== now) {
    const id = item?.natural ?? added?.id ?? '';
    tell(line, `the title is that of the space, ${shown(now)}; change it with "docs spaces update ${id}"`);
  }
  if (kind !== 'space') tellTitle(line, item, tell);
  if (kind === 'section' && item === undefined && line.children.length === 0)
    tell(line, 'a new section without a space; the platform creates none without');
  if (path !== undefined && path !== item?.fields.path && /[\s?#\p{C}]|^\/|\/$|\/\//u.test(path))
    tell(line, `the path ${shown(path)} cannot stand in an address`);
  const hidden = item !== undefined && kind === 'space' && item.natural === undefined;
  if (hidden && !staysIn(line, item))
    tell(line, `${wordOf(line)} cannot go elsewhere: the token does not see its space`);
}

/** Whether a line stands in the part of the site in which it is. */
function staysIn({ parent }: TreeLine, { parent: now }: LiveItem): boolean {
  return now?.kind === 'sections' ? parent?.id === now.id : parent === undefined;
}

function tellTitle(line: TreeLine, item: LiveItem | undefined, tell: Tell): void {
  const { kind, title } = line;
  if (title === undefined) {
    if (item === undefined) tell(line, `a new ${kind} without a title`);
    return;
  }
  if (title === item?.title) return;
  const field = kindOf(kinds[kind]).fields.find(({ key }) => key === 'title');
  const { minLength = 1, maxLength = 100 } = { ...field?.schema } as {
    minLength?: number;
    maxLength?: number;
  };
  if (title.length < minLength || title.length > maxLength)
    tell(line, `the title of a ${kind} has ${minLength} to ${maxLength} characters, not ${title.length}`);
}

function twice(
  lines: readonly TreeLine[],
  keyOf: (line: TreeLine) => string | undefined,
  found: (line: TreeLine, first: TreeLine, key: string) => void,
): void {
  const seen = new Map<string, TreeLine>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, line);
    else found(line, first, key);
  }
}

function textIn(path: unknown): string | undefined {
  return typeof path === 'string' ? path : undefined;
}
