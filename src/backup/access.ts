import { type PersonAccess, readPeople, type SpaceRole } from '../access/people.js';
import { roles } from '../api/shapes.js';
import type { DocsError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import { isIn, type Shard } from '../shards/shard.js';
import type { Reading as AnyReading, Unread } from '../snapshot/unread.js';
import { jsonLines } from './folder.js';
import type { Gathering } from './gathering.js';
import type { FileEntry } from './manifest.js';

/** The effective permission of each member in each space, as the platform computes it. */

/** A person, and ids of spaces by permission: `{"member": "u1", "read": ["s1", "s2"]}`. */
export type AccessLine = { member: string } & Record<string, string | string[]>;

/** After so many people without an answer the rest is not asked: the token may not read it. */
const mostInVain = 100;

export function isAccess({ kind }: FileEntry): boolean {
  return kind === 'access';
}

/**
 * Writes `access.json`, a line for each member, as they arrive: one request per member. Of one whose spaces cannot
 * be read, the line of the last run stays; if no one's can be read, its whole file does.
 * @param onMember called with how many members are done
 * @param shard only the members of this part
 * @returns how many permissions it has; undefined if it was not written
 */
export async function writeAccess(
  gathering: Gathering,
  onMember: (done: number) => void = () => {},
  shard?: Shard,
): Promise<number | undefined> {
  const { organizationId: id } = gathering.reading;
  const told: AccessSummary = { permissions: 0, unread: [], older: false };
  const done = await gathering.attempt({ kind: 'access', id }, isAccess, () =>
    gathering.write('access.json', jsonLines(linesOfAccess(gathering, told, { onMember, shard })), {
      kind: 'access',
      id,
    }),
  );
  if (!done) return undefined;
  for (const one of told.unread) gathering.fail(one);
  if (told.older) gathering.older.add('access');
  return told.permissions;
}

/** Keeps `access.json` of the last run, which need not be as of now. Returns as `writeAccess`. */
export async function keepAccess(gathering: Gathering): Promise<number | undefined> {
  if (gathering.last(isAccess) === undefined || !(await gathering.keep(isAccess))) return undefined;
  gathering.older.add('access');
  let permissions = 0;
  for await (const line of gathering.lastItems(isAccess))
    if (isAccessLine(line)) permissions += permissionsIn(line).size;
  return permissions;
}

interface AccessSummary {
  permissions: number;
  unread: Unread[];
  /** Whether lines of the last run stand for what could not be read. */
  older: boolean;
}

async function* linesOfAccess(
  gathering: Gathering,
  told: AccessSummary,
  { onMember, shard }: { onMember: (done: number) => void; shard: Shard | undefined },
): AsyncGenerator<AccessLine> {
  const last = new LastLines(gathering);
  let done = 0;
  onMember(done);
  try {
    const only = ({ id }: { id: string }) => isIn(shard, id);
    for await (const { people, unread } of accessOfPeople(gathering.reading, only)) {
      told.unread.push(...unread);
      const old = await last.of(new Set(unread.map(({ id }) => id)));
      for (const { member, spaces } of people) {
        const line = spaces === undefined ? old.get(member.id) : lineOf(member.id, spaces);
        if (line === undefined) continue;
        told.older ||= spaces === undefined;
        told.permissions += permissionsIn(line).size;
        yield line;
      }
      done += people.length;
      onMember(done);
    }
  } finally {
    await last.close();
  }
}

/**
 * People with what they can access, and those of whom that could not be read.
 * @throws DocsError as `readPeople`; the last one where nobody's can be read
 */
export async function* accessOfPeople(
  reading: AnyReading,
  only: (member: { id: string }) => boolean = () => true,
): AsyncGenerator<{ people: PersonAccess[]; unread: Unread[] }> {
  let inVain = 0;
  for await (const people of readPeople(reading, { only })) {
    const unread = people.flatMap(unreadOfPerson);
    inVain = unread.length === people.length ? inVain + unread.length : 0;
    if (inVain >= mostInVain) throw unread.at(-1)?.error as DocsError;
    yield { people, unread };
  }
}

function unreadOfPerson({ member: { id, user }, spaces, unread }: PersonAccess): Unread[] {
  const title = user.displayName || (user.email ?? id);
  return spaces !== undefined
    ? []
    : unread.slice(0, 1).map(({ error }) => ({ kind: 'access', id, title, error }));
}

/** Permissions from low to high. A list that changes while it is read may have a space twice: the later one holds. */
export function lineOf(member: string, spaces: readonly SpaceRole[]): AccessLine {
  const bySpace = new Map(spaces.map(({ space, role }) => [space.id, role as string]));
  const byRole = new Map<string, string[]>();
  for (const [space, role] of [...bySpace].sort(([a], [b]) => (a < b ? -1 : 1)))
    byRole.set(role, [...(byRole.get(role) ?? []), space]);
  const lists = [...byRole].sort(([a], [b]) => rankOf(b) - rankOf(a) || (a < b ? -1 : 1));
  return { member, ...Object.fromEntries(lists) };
}

function rankOf(role: string): number {
  return (roles as readonly string[]).indexOf(role);
}

/** The permission in each space, by its id. */
export function permissionsIn({ member: _, ...lists }: AccessLine): Map<string, string> {
  const found = Object.entries(lists).flatMap(([role, spaces]) =>
    Array.isArray(spaces) ? spaces.map((space) => [space, role] as const) : [],
  );
  return new Map(found);
}

export function isAccessLine(value: unknown): value is AccessLine {
  return isObject(value) && typeof value.member === 'string';
}

/** Lines of the last run. People keep their order, so that one reading of them suffices, with few exceptions. */
class LastLines {
  readonly #gathering: Gathering;
  #lines: AsyncGenerator<unknown> | undefined;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  /** The lines of some members, by id; those that there are. */
  async of(members: ReadonlySet<string>): Promise<ReadonlyMap<string, AccessLine>> {
    const found = new Map<string, AccessLine>();
    if (members.size === 0) return found;
    const fromStart = this.#lines === undefined;
    await this.#look(members, found);
    if (found.size < members.size && !fromStart) await this.#look(members, found);
    return found;
  }

  async close(): Promise<void> {
    await this.#lines?.return(undefined);
  }

  /** From the line after the last one that was looked at, until all are found. */
  async #look(members: ReadonlySet<string>, found: Map<string, AccessLine>): Promise<void> {
    this.#lines ??= this.#gathering.lastItems(isAccess);
    while (found.size < members.size) {
      const next = await this.#lines.next();
      if (next.done) {
        this.#lines = undefined;
        return;
      }
      if (isAccessLine(next.value) && members.has(next.value.member))
        found.set(next.value.member, next.value);
    }
  }
}
