import type { Session } from '../cli/declare/session.js';
import { counted } from '../output/text.js';
import { type Shard, shardWords } from '../shards/shard.js';

/** When parts were read: what is joined is as of different moments. */

interface Timed {
  shard: Shard;
  startedAt: string;
  finishedAt: string;
}

interface PartTimes {
  count: number;
  oldest: Timed;
  newest: Timed;
}

export function partTimes(parts: readonly Timed[]): PartTimes {
  const sorted = [...parts].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error('There is no part.');
  return { count: parts.length, oldest, newest };
}

/** Parts that started further apart are said even with `--quiet`: one of them may be of an earlier night. */
const farApartMs = 24 * 3_600_000;

/** Says on standard error when the parts were read. */
export function tellTimes(session: Session, { count, oldest, newest }: PartTimes): void {
  const apartMs = Date.parse(newest.startedAt) - Date.parse(oldest.startedAt);
  const from = `read from ${oldest.startedAt} to ${newest.finishedAt}`;
  if (apartMs <= farApartMs) {
    session.printer.note(`Joins ${counted(count, 'part')}, ${from}.`);
    return;
  }
  const hours = counted(Math.round(apartMs / 3_600_000), 'hour');
  session.printer.warn(
    `The parts are of different times: ${shardWords(oldest.shard)} started ${hours} before ${shardWords(newest.shard)} (${from}).`,
  );
}
