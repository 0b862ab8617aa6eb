import { getSpace } from '../api/resources/spaces.js';
import { DocsError, usageError } from '../base/errors.js';
import { isRefusal } from '../jobs/reads.js';
import { readAll } from '../jobs/sequence.js';
import { keyFor, keyIn, Names, noFiles } from '../organization/keys.js';
import { kindOf } from '../organization/kinds/index.js';
import type { Address, Desired, DesiredItem, KindName, Live, LiveItem } from '../organization/model.js';
import { planOrganization } from '../organization/planner/plan.js';
import { counted, safeLine } from '../output/text.js';
import type { Lock } from '../plans/lock.js';
import type { Draft, PlanNote } from '../plans/plan.js';
import { allSpaces } from '../snapshot/spaces.js';
import type { Reading } from '../snapshot/unread.js';
import { type AddressChanges, addressChanges } from './addresses.js';
import { isUnknownSpace, type Joined, joined, type NewSpace, unfit, wordOf } from './join.js';
import { type LiveSite, spaceItem } from './read-site.js';
import { type Fault, named, type ParsedTree, parseTree, shown, type TreeLine } from './text.js';

/** What makes the tree of a site that of a text, by the planner of the organization as code. */

export interface ArrangeOptions {
  /** What the text is called: `tree.txt`, `standard input`. */
  file: string;
  /** Whether what no line names is removed. */
  prune: boolean;
}

export interface Arrangement {
  drafts: readonly Draft[];
  notes: readonly PlanNote[];
  risks: readonly string[];
  addresses: AddressChanges;
}

/** @throws DocsError usage `bad_tree`, with every fault and its line; `empty_tree` */
export function readTree(text: string, { file }: Pick<ArrangeOptions, 'file'>): ParsedTree {
  const tree = parseTree(text);
  refuse(tree.faults, file);
  if (tree.all.length > 0) return tree;
  throw usageError('empty_tree', `${file} has no lines of a tree; nothing was changed`, {
    hint: 'docs sites tree --help',
  });
}

/**
 * Sends nothing but reads.
 * @throws DocsError usage `bad_tree`, with every fault and its line; `missing_lines` without `prune`; as the reads
 */
export async function planArrange(
  reading: Reading,
  read: LiveSite,
  tree: ParsedTree,
  options: ArrangeOptions,
): Promise<Arrangement> {
  const spaces = await newSpaces(reading, read, tree);
  const found = joined(tree, read, spaces.added);
  refuse([...spaces.faults, ...found.faults, ...unfit(tree, found)], options.file);
  if (!options.prune) refuseMissing(found, read, options.file);
  return { ...planned(read, tree, found, options), addresses: await addressChanges(reading, read, found) };
}

/** The same without the addresses: what is still to do. */
export async function leftToDo(
  reading: Reading,
  read: LiveSite,
  tree: ParsedTree,
  options: ArrangeOptions,
): Promise<readonly Draft[]> {
  const spaces = await newSpaces(reading, read, tree);
  return planned(read, tree, joined(tree, read, spaces.added), options).drafts;
}

function planned(
  read: LiveSite,
  tree: ParsedTree,
  found: Joined,
  { file, prune }: ArrangeOptions,
): Omit<Arrangement, 'addresses'> {
  const { desired, live, lock } = wantedBy(tree, read, found, file);
  const plan = planOrganization(desired, live, lock, { prune, take: new Map(), env: {} });
  return { drafts: plan.drafts.map(ofSite), risks: plan.risks, notes: plan.notes };
}

/** What to do about a finding of the planner, where its own words are about files of an organization. */
const hints: Readonly<Record<string, string | undefined>> = {
  create: 'docs sections create --help',
  waits: 'Resolve the findings about it, then arrange the site again.',
};

/** No lock is written. */
function ofSite(draft: Draft): Draft {
  if (draft.change !== undefined) return { ...draft, change: { ...draft.change, lock: undefined } };
  const { code, message, hint = '' } = draft.finding;
  const what = hints[code] ?? (hint.includes('.yaml') ? undefined : hint);
  return { ...draft, finding: { code, message, ...(what !== undefined && what !== '' && { hint: what }) } };
}

const mostFaults = 20;

function refuse(faults: readonly Fault[], file: string): void {
  if (faults.length === 0) return;
  const sorted = [...faults].sort((a, b) => a.line - b.line);
  const all = sorted.map(({ line, message }) => `line ${line}: ${safeLine(message)}`);
  const more = all.length > mostFaults ? [`… and ${all.length - mostFaults} more`] : [];
  const message = `${safeLine(file)} has ${counted(faults.length, 'mistake')}; nothing was changed`;
  throw usageError('bad_tree', message, {
    lines: [...all.slice(0, mostFaults), ...more],
    details: { mistakes: sorted.map(({ line, message: text }) => ({ line, message: safeLine(text) })) },
  });
}

function refuseMissing({ missing }: Joined, { site }: LiveSite, file: string): void {
  if (missing.length === 0) return;
  const lines = missing.map(({ kind, id, title }) => `${kindOf(kind).one} ${safeLine(title)} (${id})`);
  const more = lines.length > mostFaults ? [`… and ${lines.length - mostFaults} more`] : [];
  const message = `${safeLine(file)} lacks ${counted(missing.length, 'part')} of the site ${shown(site.title)}; nothing was changed. Add the lines, or use --prune to remove the parts.`;
  throw usageError('missing_lines', message, {
    lines: [...lines.slice(0, mostFaults), ...more],
    hint: `docs sites tree ${site.id}`,
    next: [{ command: `docs sites arrange ${site.id} <tree> --prune`, when: 'to remove them from the site' }],
    details: { missing: missing.map(({ kind, id }) => ({ kind, id })) },
  });
}

interface FoundSpaces {
  added: ReadonlyMap<TreeLine, NewSpace>;
  faults: readonly Fault[];
}

/** The spaces that come onto the site: by id, else by title. */
async function newSpaces(reading: Reading, read: LiveSite, { all }: ParsedTree): Promise<FoundSpaces> {
  const lines = all.filter((line) => isUnknownSpace(line, read));
  const titled = lines.filter(({ id }) => id === undefined);
  const library = titled.length === 0 ? undefined : await titles(reading);
  const added = new Map<TreeLine, NewSpace>();
  const faults: Fault[] = [];
  await readAll(reading, lines, async (line) => {
    const found = line.id === undefined ? library?.(line) : await spaceOf(reading, line, line.id);
    if (typeof found === 'string') faults.push({ line: line.line, message: found });
    else if (found !== undefined) added.set(line, found);
  });
  return { added: inOrder(lines, added), faults };
}

function inOrder<T>(lines: readonly TreeLine[], found: ReadonlyMap<TreeLine, T>): Map<TreeLine, T> {
  return new Map(
    lines.flatMap((line) => {
      const own = found.get(line);
      return own === undefined ? [] : [[line, own] as const];
    }),
  );
}

/** A space by its id, or what is wrong with it. */
async function spaceOf({ client }: Reading, line: TreeLine, spaceId: string): Promise<NewSpace | string> {
  try {
    const { id, title } = await client.call(getSpace, { path: { spaceId } });
    return { id, title };
  } catch (cause) {
    const isGone = cause instanceof DocsError && cause.kind === 'not-found';
    if (isGone || isRefusal(cause))
      return `${wordOf(line)}: space ${shown(spaceId)} ${isGone ? 'not found' : `cannot be read: ${(cause as Error).message}`}`;
    throw cause;
  }
}

/** Finds a space by its title, or tells what is wrong with it. */
async function titles(reading: Reading): Promise<(line: TreeLine) => NewSpace | string> {
  const { spaces, unread } = await allSpaces(reading, ({ id, title }) => ({ id, title }));
  return ({ title = '' }) => {
    const found = spaces.filter((space) => space.title === title);
    const [first, ...others] = found;
    const what = `a space called ${named(title)}`;
    if (first === undefined)
      return `${what} was not found${unread.length > 0 ? ` in what could be read` : ''}; write its id: [space <id>]`;
    if (others.length === 0) return first;
    return `${what}: there are ${found.length}, ${found.map(({ id }) => id).join(', ')}; write the id: [space <id>]`;
  };
}

/** What a text says, in the form in which files of the organization as code say it. */

interface ArrangedSite {
  desired: Desired;
  /** What the platform shows, with the spaces that come onto the site. */
  live: Live;
  /** Ties each item to its id. Never written. */
  lock: Lock;
}

const kindsOf = { group: 'groups', section: 'sections', space: 'site-spaces' } as const;

/** @param file what the text is called in messages */
function wantedBy({ top }: ParsedTree, read: LiveSite, joined: Joined, file: string): ArrangedSite {
  const live = withAdded(read.live, joined);
  const site = live.items.get('sites')?.[0];
  if (site === undefined) throw new Error('a site that was read is not there');
  const making = new Making(live, site, joined, file);
  making.addAll(top);
  const scope = { kinds: Object.values(kindsOf), within: making.site, manage: 'exact' as const };
  const at = { file, line: 1, column: 1, path: '' };
  const desired = { items: making.items, scopes: [{ ...scope, at }], guards: {} };
  return { desired, live, lock: making.lock() };
}

function withAdded(live: Live, { added }: Joined): Live {
  const items = new Map(live.items);
  const more = [...added.values()].map(({ id, title }) => spaceItem(id, title));
  items.set('spaces', [...(live.items.get('spaces') ?? []), ...more]);
  return { ...live, items };
}

class Making {
  readonly items = new Map<Address, DesiredItem>();
  readonly site: Address;
  readonly #names: Names;
  readonly #live: Live;
  readonly #joined: Joined;
  readonly #file: string;
  readonly #taken = new Set<Address>();

  constructor(live: Live, site: LiveItem, joined: Joined, file: string) {
    this.#names = new Names(live, undefined, noFiles);
    this.#live = live;
    this.#joined = joined;
    this.#file = file;
    this.site = this.#names.of(site) ?? `sites/id:${site.id}`;
    for (const item of [...live.items.values()].flat()) this.#taken.add(this.#addressOf(item));
  }

  addAll(top: readonly TreeLine[]): void {
    for (const space of this.#live.items.get('spaces') ?? [])
      this.#put('spaces', this.#addressOf(space), { external: true });
    const sections = top.flatMap((line) => (line.kind === 'group' ? line.children : [line]));
    this.#put('sites', this.site, { fields: this.#defaultOf(sections) });
    this.#addLevel(top, this.site);
  }

  #addLevel(lines: readonly TreeLine[], parent: Address): void {
    for (const [index, line] of lines.entries()) {
      const item = this.#joined.items.get(line);
      const address = this.#lineAddress(line);
      const fields: Record<string, unknown> = {
        ...(line.kind === 'section' && this.#defaultOf(line.children)),
      };
      // The platform shows the first space of a new section first.
      if (item === undefined && line.children[0]?.isDefault) delete fields.default;
      if (line.kind !== 'space' && line.title !== undefined) fields.title = line.title;
      if (line.path !== undefined) fields.path = line.path;
      this.#put(kindsOf[line.kind], address, { fields, parent, index, line: line.line });
      this.#addLevel(line.children, address);
    }
  }

  /** What is marked among lines; nothing where none is, so that it stays as it is. */
  #defaultOf(lines: readonly TreeLine[]): Record<string, unknown> {
    const shown = lines.find(({ isDefault }) => isDefault);
    return shown === undefined ? {} : { default: { $ref: this.#lineAddress(shown) } };
  }

  readonly #addresses = new Map<TreeLine, Address>();

  #lineAddress(line: TreeLine): Address {
    const known = this.#addresses.get(line);
    if (known !== undefined) return known;
    const item = this.#joined.items.get(line);
    const address = item === undefined ? this.#newAddress(line) : this.#addressOf(item);
    this.#addresses.set(line, address);
    return address;
  }

  /** A site space is called as its space, whatever else has that name. */
  #newAddress(line: TreeLine): Address {
    const prefix = `${kindsOf[line.kind]}/${keyIn(this.site)}/`;
    const space = this.#joined.added.get(line);
    if (space !== undefined) {
      const own = this.#live.items.get('spaces')?.find(({ id }) => id === space.id);
      return `${prefix}${own === undefined ? `id:${space.id}` : keyIn(this.#addressOf(own))}` as Address;
    }
    const key = keyFor(line.path ?? line.title ?? '');
    let address = `${prefix}${key}` as Address;
    for (let number = 2; this.#taken.has(address); number += 1)
      address = `${prefix}${key}-${number}` as Address;
    this.#taken.add(address);
    return address;
  }

  /** All that the platform shows, also what no line names. */
  lock(): Lock {
    const all = [...this.#live.items.values()].flat();
    const entries = all.map((item) => [this.#addressOf(item), { id: item.id, applied: {} }] as const);
    return { version: 1, org: this.#live.organizationId, origin: '', items: Object.fromEntries(entries) };
  }

  #addressOf(item: LiveItem): Address {
    // A space that the token cannot see has no name that its site space could have.
    const isHidden = item.kind === 'site-spaces' && item.natural === undefined;
    const address = isHidden ? undefined : this.#names.of(item);
    return address ?? `${item.kind}/${item.kind === 'spaces' ? '' : `${keyIn(this.site)}/`}id:${item.id}`;
  }

  #put(kind: KindName, address: Address, more: Partial<DesiredItem> & { line?: number }): void {
    const { line = 1, ...rest } = more;
    const item = { kind, address, key: address.slice(address.lastIndexOf('/') + 1), index: 0, fields: {} };
    const at = { file: this.#file, line, column: 1, path: '' };
    this.items.set(address, { ...item, protected: false, external: false, at, places: {}, ...rest });
  }
}
