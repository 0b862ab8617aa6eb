import { defined } from '../../../base/values.js';
import type { FileEntry } from '../folder/manifest.js';
import type { Named } from '../folder/names.js';
import { type AccessLine, isAccess, isAccessLine, permissionsIn } from '../read/access.js';
import type { Difference, FieldChange } from '../report.js';
import { wordsOf } from './fields.js';
import { linesIn } from './lists.js';
import type { Files } from './side.js';

/** Files among which are the list of members, and the permissions. */
interface Members {
  folder: Files;
  files: readonly FileEntry[];
}

interface Side extends Members {
  spaces: readonly Named[];
}

/** A permission that differs; names are added later, for many at once. */
interface Changed {
  member: string;
  space: string;
  before: string | undefined;
  after: string | undefined;
}

/** Differences that are held until the names of their people are read. */
const batch = 500;

/**
 * The permissions that differ. Those of a person or in a space that only one side has follow from that difference.
 * If a side has no permissions, nothing is compared. @throws DocsError configuration `bad_list`
 */
export async function* diffAccess(a: Side, b: Side): AsyncGenerator<Difference> {
  const [before, after] = [a, b].map(({ files }) => files.find(isAccess));
  if (before === undefined || after === undefined || before.sha256 === after.sha256) return;
  const known = new Set(a.spaces.map(({ id }) => id));
  const titles = new Map(b.spaces.filter(({ id }) => known.has(id)).map(({ id, title }) => [id, title]));
  yield* diffLines(linesOf(a, before), linesOf(b, after), titles, [b, a]);
}

/**
 * The permissions that differ in some spaces, of the members that both sides have.
 * @param titles the spaces that are compared, by id
 * @param sides where the names of members are
 */
export async function* diffLines(
  before: AsyncGenerator<AccessLine>,
  after: AsyncGenerator<AccessLine>,
  titles: ReadonlyMap<string, string>,
  sides: readonly Members[],
): AsyncGenerator<Difference> {
  let held: Changed[] = [];
  for await (const [old, now] of paired(before, after)) {
    held.push(...changedIn(old, now, titles));
    if (held.length < batch) continue;
    yield* told(held, titles, sides);
    held = [];
  }
  yield* told(held, titles, sides);
}

export async function* linesOf({ folder }: Members, { path }: FileEntry): AsyncGenerator<AccessLine> {
  for await (const line of linesIn(folder, path)) if (isAccessLine(line)) yield line;
}

/**
 * The lines of each member that both lists have. People keep their order, so that only lines that moved are held,
 * and those of people whom the other list lacks.
 */
async function* paired(
  before: AsyncGenerator<AccessLine>,
  after: AsyncGenerator<AccessLine>,
): AsyncGenerator<[AccessLine, AccessLine]> {
  const [olds, nows] = [new Map<string, AccessLine>(), new Map<string, AccessLine>()];
  for (let more = true; more; ) {
    const [a, b] = [await before.next(), await after.next()];
    more = !a.done || !b.done;
    if (!a.done) olds.set(a.value.member, a.value);
    if (!b.done) nows.set(b.value.member, b.value);
    for (const member of [a, b].flatMap(({ done, value }) => (done ? [] : [value.member]))) {
      const [old, now] = [olds.get(member), nows.get(member)];
      if (old === undefined || now === undefined) continue;
      olds.delete(member);
      nows.delete(member);
      yield [old, now];
    }
  }
}

function changedIn(old: AccessLine, now: AccessLine, spaces: ReadonlyMap<string, string>): Changed[] {
  const [before, after] = [permissionsIn(old), permissionsIn(now)];
  const { member } = now;
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((space) => ({ member, space, before: before.get(space), after: after.get(space) }))
    .filter((one) => one.before !== one.after && spaces.has(one.space));
}

async function* told(
  changes: readonly Changed[],
  titles: ReadonlyMap<string, string>,
  sides: readonly Members[],
): AsyncGenerator<Difference> {
  const names = await namesOf(new Set(changes.map(({ member }) => member)), sides);
  for (const { member, space, before, after } of changes) {
    const change: Difference['change'] =
      before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const fields: FieldChange[] = [defined({ field: 'permission', before, after })];
    const title = names.get(member);
    const place = { space: titles.get(space), spaceId: space };
    yield defined({ change, kind: 'access', id: member, title, ...place, detail: wordsOf(fields), fields });
  }
}

/** What people are called, as far as the lists of members tell. */
async function namesOf(
  members: ReadonlySet<string>,
  sides: readonly Members[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const { folder, files } of sides) {
    if (names.size === members.size) break;
    const list = files.find(({ kind }) => kind === 'members');
    for await (const line of linesIn(folder, list?.path)) {
      const { id, user } = line as { id: string; user?: { displayName?: string; email?: string } };
      const name = user?.displayName || user?.email;
      if (name !== undefined && members.has(id) && !names.has(id)) names.set(id, name);
      if (names.size === members.size) break;
    }
  }
  return names;
}
