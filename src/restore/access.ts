import type { Client } from '../api/client.js';
import { type AccessLine, accessOfPeople, lineOf } from '../backup/access.js';
import { accessLines, diffLines } from '../backup/diff-backups.js';
import type { BackupReader } from '../backup/reader.js';
import type { Difference } from '../backup/shapes.js';
import { counted, grouped } from '../output/text.js';
import { type Reading, readFailure } from '../snapshot/unread.js';

/** Who can access which space: in a backup, and now. */

/** Permissions that differ in one space. */
export interface SpaceAccess {
  title: string;
  lost: number;
  gained: number;
  changed: number;
  /** Some of the people, those who lost access first. */
  people: string[];
}

export type AccessCompared =
  | {
      state: 'compared';
      members: number;
      spaces: number;
      changes: number;
      differing: SpaceAccess[];
      unread: number;
    }
  | { state: 'unknown'; why: string };

export interface ComparingAccess extends Pick<Reading, 'concurrency' | 'signal'> {
  /** Called with how many members are done. */
  onMember?(done: number): void;
}

/** The most spaces, and people of one, that sentences name. */
const [mostSpaces, mostPeople] = [5, 3];

/** The spaces that are compared. */
export interface ComparedSpaces {
  /** By the id that they have now. */
  titles: ReadonlyMap<string, string>;
  /** The id now of one that the backup has. */
  now(id: string): string;
}

/**
 * Compares the permissions of the members that both have: one request for each member.
 * @throws as `readFailure`
 */
export async function compareAccess(
  client: Client,
  reader: BackupReader,
  { titles, now: idNow }: ComparedSpaces,
  comparing: ComparingAccess,
): Promise<AccessCompared> {
  const { top, manifest } = reader;
  if (top.find('access') === undefined)
    return { state: 'unknown', why: 'the backup has no permissions in spaces' };
  const seen = { members: 0, unread: 0 };
  const now = linesNow({ client, organizationId: manifest.organization.id, ...comparing }, seen, comparing);
  const bySpace = new Map<string, SpaceAccess>();
  let changes = 0;
  try {
    const before = withIds(accessLines(top), idNow);
    for await (const one of diffLines(before, now, titles, [top])) {
      changes += 1;
      addTo(bySpace, one);
    }
  } catch (cause) {
    return { state: 'unknown', why: readFailure(cause, comparing.signal).message.replace(/\.$/, '') };
  }
  const differing = [...bySpace.values()];
  return { state: 'compared', ...seen, spaces: titles.size, changes, differing };
}

async function* withIds(
  lines: AsyncGenerator<AccessLine>,
  idNow: (id: string) => string,
): AsyncGenerator<AccessLine> {
  for await (const { member, ...lists } of lines) {
    const renamed = Object.entries(lists).map(([role, ids]) => [role, [ids].flat().map(idNow)] as const);
    yield { member, ...Object.fromEntries(renamed) };
  }
}

async function* linesNow(
  reading: Reading,
  seen: { members: number; unread: number },
  { onMember }: ComparingAccess,
): AsyncGenerator<AccessLine> {
  for await (const { people, unread } of accessOfPeople(reading)) {
    seen.unread += unread.length;
    seen.members += people.length - unread.length;
    onMember?.(seen.members + seen.unread);
    for (const { member, spaces } of people) if (spaces !== undefined) yield lineOf(member.id, spaces);
  }
}

function addTo(
  bySpace: Map<string, SpaceAccess>,
  { change, space = '', spaceId = '', id, title }: Difference,
) {
  const known = bySpace.get(spaceId) ?? { title: space, lost: 0, gained: 0, changed: 0, people: [] };
  bySpace.set(spaceId, known);
  const kind = change === 'removed' ? 'lost' : change === 'added' ? 'gained' : 'changed';
  known[kind] += 1;
  if (known.people.length < mostPeople) known.people.push(title ?? id);
}

/** A sentence for each space that differs, the first of them. */
export function accessWords({ differing, unread }: AccessCompared & { state: 'compared' }): string[] {
  const named = differing.slice(0, mostSpaces).map(wordsOf);
  const rest = differing.length - named.length;
  return [
    ...(named.length > 0 ? ['Different now:'] : []),
    ...named,
    ...(rest > 0 ? [`${counted(rest, 'more space')} ${rest === 1 ? 'differs' : 'differ'}.`] : []),
    ...(unread > 0 ? [`The access of ${counted(unread, 'member')} could not be read.`] : []),
  ];
}

function wordsOf({ title, people, ...counts }: SpaceAccess): string {
  const { lost, gained, changed } = counts;
  const parts = [
    ...(lost > 0 ? [`${grouped(lost)} lost access`] : []),
    ...(gained > 0 ? [`${grouped(gained)} gained access`] : []),
    ...(changed > 0 ? [`${grouped(changed)} with another role`] : []),
  ];
  const rest = lost + gained + changed - people.length;
  const names = [...people, ...(rest > 0 ? [`${grouped(rest)} more`] : [])].join(', ');
  return `${title}: ${parts.join(', ')} (${names}).`;
}
