import type { Client } from '../../api/client.js';
import type { KindName, Live } from '../model.js';

/**
 * Reads the kinds that are wanted, and no others, eight lists at once.
 * @param progress called with the number of items read so far
 */
export async function readLive(
  _client: Client,
  _organizationId: string,
  _wants: (kind: KindName, field?: string) => boolean,
  _progress: (items: number) => void,
): Promise<Live> {
  throw new Error('not built yet');
}
