import type { TransportRequest } from '../../api/transport/contract.js';
import { organizationToken } from '../../snapshot/ahead.js';
import { outlined, sentFirst } from '../../snapshot/first-requests.js';
import { fileOutlines } from '../files/foreseen.js';
import { kinds } from '../kinds/index.js';
import type { KindName } from '../model.js';
import type { Needed, ReadingOutline } from './ahead.js';
import { inTurn, readLive } from './read.js';

/** What reading the platform begins with, as data for ahead.ts, which the build writes. */
export async function outlineReading(): Promise<ReadingOutline> {
  const own = await Promise.all(
    inTurn(kinds).map(async ({ name }) => ({ name, sent: await sentFor((kind) => kind === name) })),
  );
  // No more than a few are under way at once, so of the last kinds only they themselves show what they need.
  const all = [await sentFor(() => true), ...own.map(({ sent }) => sent)].flat();
  const needed = (path: string): Needed => {
    const needing = own.filter(({ sent }) => sent.some((one) => one.path === path));
    return { kinds: needing.map(({ name }) => name) };
  };
  return { files: fileOutlines, first: outlined(all, needed) };
}

/** What is sent for kinds without any of their fields. */
function sentFor(isWanted: (kind: KindName) => boolean): Promise<TransportRequest[]> {
  return sentFirst((client) =>
    readLive(
      client,
      organizationToken,
      (kind, field) => field === undefined && isWanted(kind),
      () => {},
    ),
  );
}
