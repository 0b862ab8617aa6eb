import type { Client } from '../../api/client.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { putOrganization } from '../../sandbox/copy/organization.js';
import { putMember } from '../../sandbox/copy/people.js';
import type { Database } from '../../sandbox/store/database.js';
import type { Store } from '../../sandbox/store/store.js';
import type { CopyOptions, CopySource, RunningCopy } from '../copy.js';
import { gapsAfter, lazyDifferences } from '../gaps.js';
import { makeToken, openEmpty, respondWith, serve } from '../serve.js';
import { Watch } from '../watch.js';
import { type Caller, callerGap, findCaller } from './caller.js';
import { LazyFront } from './front.js';
import { Parts } from './parts/store.js';
import { Platform } from './platform.js';
import { Twin } from './twin.js';

/**
 * Starts a copy of which each part is read from the platform when it is asked for.
 * @throws DocsError if the organization cannot be read, or the copy cannot be started
 */
export async function openLazy(
  { platform: client, organizationId, owner }: Extract<CopySource, { platform: Client }>,
  { file, io }: Omit<CopyOptions, 'source'>,
): Promise<RunningCopy> {
  const platform = new Platform(client, io);
  const org = await platform.client.call(getOrg, { path: { organizationId } });
  const store = await openEmpty(file, io);
  const pristine = await openEmpty(file === ':memory:' ? file : `${file}.platform`, io);
  try {
    const caller = await findCaller(platform.client, org, owner);
    return await start(platform, { org, caller }, store, pristine, io);
  } catch (error) {
    pristine.db.close();
    store.db.close();
    throw error;
  }
}

async function start(
  platform: Platform,
  { org, caller }: { org: Organization; caller: Caller },
  store: Store,
  pristine: Store,
  io: CopyOptions['io'],
): Promise<RunningCopy> {
  const { member } = caller;
  let url = '';
  const parts = respondWith(store, io, () => url);
  shareSecret(pristine.db, store.db);
  const twin = new Twin(pristine.db, parts);
  const gaps = new Set<string>();
  twin.put((db) => {
    putOrganization(db, org);
    putMember(db, org.id, member);
  });
  const loading = {
    client: platform.client,
    callerId: member.id,
    put: (work: Parameters<Twin['put']>[0]) => twin.put(work),
    row: <Row>(sql: string, ...values: string[]) => twin.read<Row>(sql, ...values),
    gap: (sentence: string) => void gaps.add(sentence),
  };
  const front = new LazyFront(platform, twin, new Parts(loading, (id) => twin.made(id)), org.id);
  const watch = new Watch(front);
  const token = makeToken(store.db, org.id, member.id);
  const served = await serve(parts, watch, io);
  url = served.url;
  return {
    ...{ url, token, organization: { id: org.id, title: org.title } },
    requests: () => [...watch.requests],
    look: (path) => watch.look(path),
    reads: () => platform.reads.map((read) => ({ ...read })),
    gaps: () => {
      const unknownCaller = front.changes.size === 0 ? undefined : callerGap(caller);
      const after = gapsAfter(lazyDifferences, front.changes);
      return [...gaps, ...after, ...(unknownCaller === undefined ? [] : [unknownCaller])];
    },
    async close() {
      await served.close();
      twin.close();
      store.db.close();
    },
  };
}

/** So that both name the same addresses of files, and these do not count as changed. */
function shareSecret(from: Database, to: Database): void {
  const key = 'download_secret';
  const secret = from.get<{ value: string }>('SELECT value FROM local_state WHERE key = ?', key)?.value ?? '';
  to.write(() => to.run('UPDATE local_state SET value = ? WHERE key = ?', secret, key));
}
