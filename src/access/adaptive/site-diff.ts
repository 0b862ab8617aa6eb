import type { Reading, Unread } from '../../reading/reading.js';
import { type BrokenCondition, brokenConditions, claimsDiff, mayBreak } from './breaks.js';
import { type ChangedClaim, ClaimSet } from './claim-schema.js';
import { conditionedParts, readParts, readSchema } from './read.js';

export interface SiteDiff {
  claims: readonly ChangedClaim[];
  /** In the order of the site; conditions that keep what they rest on are left out. */
  conditions: readonly BrokenCondition[];
  unread: readonly Unread[];
  /** Whether the site has a schema now. */
  hasSchema: boolean;
}

/**
 * Compares the schema that a site has now with a new one, and finds the conditions that the new one breaks. Reads them
 * only where one can break.
 * @throws DocsError where the schema cannot be read
 */
export async function siteDiff(reading: Reading, siteId: string, schema: unknown): Promise<SiteDiff> {
  const live = await readSchema(reading, siteId);
  // A site without a schema has no claims yet, so no condition loses one.
  const diff = claimsDiff(live === undefined ? noClaims : new ClaimSet(live), new ClaimSet(schema));
  const found = { claims: diff.claims, hasSchema: live !== undefined };
  if (!mayBreak(diff)) return { ...found, conditions: [], unread: [] };
  const parts = await readParts(reading, siteId);
  return { ...found, conditions: brokenConditions(diff, conditionedParts(parts)), unread: parts.unread };
}

const noClaims = new ClaimSet({ additionalProperties: false });
