import type { Reading, Unread } from '../../reading/reading.js';
import { type SchemaDiff, schemaDiff } from './breaks.js';
import { ClaimSet } from './claim-schema.js';
import { conditionedParts, readParts, readSchema } from './read.js';

export interface SiteDiff extends SchemaDiff {
  /** Whether the site has a schema now. */
  hasSchema: boolean;
  unread: readonly Unread[];
}

/**
 * Compares the schema that a site has now with a new one, and finds the conditions that the new one breaks.
 * @throws DocsError where the schema cannot be read
 */
export async function siteDiff(reading: Reading, siteId: string, schema: unknown): Promise<SiteDiff> {
  const [live, parts] = await Promise.all([readSchema(reading, siteId), readParts(reading, siteId)]);
  // A site without a schema has no claims yet, so no condition loses one.
  const before = live === undefined ? noClaims : new ClaimSet(live);
  const diff = schemaDiff(before, new ClaimSet(schema), conditionedParts(parts));
  return { ...diff, hasSchema: live !== undefined, unread: parts.unread };
}

const noClaims = new ClaimSet({ additionalProperties: false });
