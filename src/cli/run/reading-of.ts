import { gateAhead } from '../../snapshot/ahead.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import type { Reading } from '../../snapshot/unread.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { contextId } from '../resolve/resolve-ids.js';
import { concurrencyOf } from './gather.js';

/**
 * How to read the organization: 8 requests at once unless `--concurrency` says otherwise.
 * @param org default: the one that flags or settings name
 */
export async function readingOf(session: Session, input: ManualInput, org?: string): Promise<Reading> {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const organizationId = org ?? (await contextId(session, 'org'));
  const asking = gateAhead(client)?.client ?? client;
  return { client: asking, organizationId, concurrency, signal: session.io.signal };
}

/** The same, with answers held against what their operations declare: see `checkedClient`. */
export async function checkedReadingOf(session: Session, input: ManualInput, org?: string): Promise<Reading> {
  const reading = await readingOf(session, input, org);
  return { ...reading, client: checkedClient(reading.client) };
}
