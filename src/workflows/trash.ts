import type { Static } from '@sinclair/typebox';
import type { Client } from '../api/client.js';
import { listOrgs } from '../api/resources/orgs.js';
import { getSpace } from '../api/resources/spaces.js';
import { timestamp } from '../api/shapes.js';
import { Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import { sameName } from '../base/name.js';
import { nearest } from '../base/nearest.js';
import { runInOrder } from '../jobs/in-order.js';
import { readsOf } from '../jobs/request.js';
import { restoreWindowMs } from '../jobs/rules/spaces.js';
import type { DeletedSpace } from '../jobs/trash.js';
import { closed, orNull, text } from '../output/printed-shapes.js';

/** Deleted spaces: the journals know them, and the platform is asked whether they are still gone. */

const hourMs = 3_600_000;

/** A deleted space that can still be restored. */
export const Restorable = closed({
  id: text,
  title: orNull(text),
  deletedAt: timestamp,
  restorableUntil: timestamp,
  hoursLeft: Type.Integer(),
  job: text,
});
export type Restorable = Static<typeof Restorable>;

/** The deleted spaces that are gone on the platform, and can be restored by its clock. */
export async function restorableSpaces(
  client: Client,
  deleted: readonly DeletedSpace[],
  ownMs: number,
): Promise<Restorable[]> {
  const found: Restorable[] = [];
  const nowMs = await platformNow(client, ownMs);
  const check = (index: number) => isGone(client, deleted[index] as DeletedSpace);
  let at = 0;
  for await (const gone of runInOrder(deleted.length, check, { concurrency: 8 })) {
    const space = deleted[at++] as DeletedSpace;
    const leftMs = space.deletedMs + restoreWindowMs - nowMs;
    if (gone && leftMs > 0) found.push(restorable(space, leftMs));
  }
  return found;
}

/** The platform's clock, which counts the 7 days: any answer has it. */
async function platformNow(client: Client, ownMs: number): Promise<number> {
  for await (const _ of client.call(listOrgs, {}, { most: 1 }).pages()) break;
  return client.platformNowMs ?? ownMs;
}

async function isGone(client: Client, { id }: DeletedSpace): Promise<boolean> {
  return (await readsOf(client).one(getSpace, { path: { spaceId: id } })) === null;
}

function restorable({ id, title, deletedMs, job }: DeletedSpace, leftMs: number): Restorable {
  const deletedAt = new Date(deletedMs).toISOString();
  const restorableUntil = new Date(deletedMs + restoreWindowMs).toISOString();
  // Rounded down: both clocks count whole seconds.
  const hoursLeft = Math.ceil(leftMs / hourMs) - 1;
  return { id, title, deletedAt, restorableUntil, hoursLeft, job };
}

/**
 * The id of a deleted space that is named by its id or title. An unknown id is left to the platform.
 * @throws DocsError usage `ambiguous_title`, `unknown_title`
 */
export function deletedSpaceNamed(name: string, known: readonly Restorable[]): string {
  if (known.some(({ id }) => id === name)) return name;
  const exact = known.filter(({ title }) => title === name);
  const titled =
    exact.length > 0 ? exact : known.filter(({ title }) => title !== null && sameName(title, name));
  const [only] = titled;
  if (titled.length > 1) {
    const ids = titled.map(({ id, deletedAt }) => `${id} (${deletedAt})`).join(', ');
    const message = `${titled.length} deleted spaces are called ${JSON.stringify(name)}: ${ids}.`;
    throw usageError('ambiguous_title', message, { hint: 'docs trash list' });
  }
  if (only !== undefined) return only.id;
  if (/^[\w-]+$/.test(name)) return name;
  const meant = nearest(
    name,
    known.flatMap(({ title }) => title ?? []),
  );
  const near = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  throw usageError('unknown_title', `Deleted space ${JSON.stringify(name)} not found.${near}`, {
    hint: 'docs trash list',
  });
}
