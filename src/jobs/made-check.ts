import { changeOf, mayRefer, type Reference, shownReference, withReferences } from './change.js';
import { createdMsOf, idsOf, traceOf } from './creations.js';
import type { JobItem } from './journal.js';
import { filled, idMade, type Made, madeBy } from './made.js';
import type { Reads, Resource } from './reads.js';
import type { RuleBook } from './rule-book.js';

/**
 * Whether what a journal says its items made is what they made. Whoever can write a journal can put another id into it, and
 * what comes next would go there: so each id that a later request takes is read again.
 */

/** How far the clocks of platform and maker may differ, in milliseconds. */
const clockDoubtMs = 10 * 60_000;

interface Checked {
  reads: Reads;
  rules: RuleBook;
  /** When the plan was made, by the platform's clock, which its answers tell: nothing that it makes is older. In milliseconds. */
  sinceMs(): number;
}

/** Why an id is not believed, as a sentence; undefined where all that later requests take is as it was made. */
export async function doubtOfMade(items: readonly JobItem[], how: Checked): Promise<string | undefined> {
  const taken = takenBy(items);
  const made = madeBy(items, how.rules);
  for (const item of items) {
    const own = taken.filter(({ $from }) => $from === changeOf(item.change));
    if (item.state !== 'ok' || own.length === 0) continue;
    const why = await doubtOf(item, own, made, how);
    if (why !== undefined) return `Item ${item.change.item} ${why}.`;
  }
  return undefined;
}

/** What the items that are left take from others. */
function takenBy(items: readonly JobItem[]): Reference[] {
  const found: Reference[] = [];
  for (const { state, change } of items) {
    if (state === 'ok' || !mayRefer(change)) continue;
    withReferences(change, (one) => {
      found.push(one);
      return shownReference(one);
    });
  }
  return found;
}

async function doubtOf(
  { change, answer }: JobItem,
  taken: readonly Reference[],
  made: Made,
  { reads, rules, sinceMs }: Checked,
): Promise<string | undefined> {
  const [id = ''] = idsOf(answer);
  const trace = traceOf(change.op, rules);
  const sent = filled(change, made);
  if (trace === undefined || sent === undefined) return `made ${id} by its journal, and no list shows that`;
  const listed = await trace.read(reads, sent.input, 'after');
  const resource = listed?.find((one) => idsOf(one).includes(id));
  if (resource === undefined) return `made ${id} by its journal, which is not there`;
  if (trace.like(resource, sent.input) === 'unlike') return `did not make ${id}, which is something else`;
  const createdMs = createdMsOf(resource);
  if (createdMs !== undefined && createdMs < sinceMs() - clockDoubtMs)
    return `did not make ${id}, which is older than the plan`;
  return taken.every((one) => isSame(one, made, resource)) ? undefined : `made ${id} with other ids`;
}

/** Whether the platform shows the same under a path as the journal. A list may leave parts of an answer out. */
function isSame(one: Reference, made: Made, resource: Resource): boolean {
  const shown = idMade(new Map([[one.$from, resource]]), one);
  return shown === undefined ? one.path === 'id' : shown === idMade(made, one);
}
