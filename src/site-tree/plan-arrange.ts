import { getSpace } from '../api/resources/spaces.js';
import { DocsError, usageError } from '../base/errors.js';
import { readAll } from '../jobs/in-order.js';
import { isRefusal } from '../jobs/request.js';
import { kindOf } from '../organization/kinds/index.js';
import { planOrganization } from '../organization/planner/plan.js';
import { counted } from '../output/counted.js';
import { safeLine } from '../output/safe-text.js';
import type { Draft, PlanNote } from '../plans/plan.js';
import type { Reading } from '../reading/reading.js';
import { allSpaces } from '../snapshot/spaces.js';
import { type AddressChanges, addressChanges } from './addresses.js';
import { wantedBy } from './desired.js';
import { isUnknownSpace, type Joined, joined, type NewSpace, unfit, wordOf } from './join.js';
import type { Fault, TreeLine } from './model.js';
import { named, type ParsedTree, parseTree, shown } from './parse.js';
import type { LiveSite } from './read-site.js';

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
  throw usageError('empty_tree', `${file} has no lines of a tree; nothing was changed.`, {
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
function ofSite({ finding, lock: _, ...draft }: Draft): Draft {
  if (finding === undefined) return draft;
  const { code, message, hint = '' } = finding;
  const what = hints[code] ?? (hint.includes('.yaml') ? undefined : hint);
  return { ...draft, finding: { code, message, ...(what !== undefined && what !== '' && { hint: what }) } };
}

const mostFaults = 20;

function refuse(faults: readonly Fault[], file: string): void {
  if (faults.length === 0) return;
  const sorted = [...faults].sort((a, b) => a.line - b.line);
  const all = sorted.map(({ line, message }) => `line ${line}: ${safeLine(message)}`);
  const more = all.length > mostFaults ? [`… and ${all.length - mostFaults} more`] : [];
  const message = `${safeLine(file)} has ${counted(faults.length, 'mistake')}; nothing was changed.`;
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
