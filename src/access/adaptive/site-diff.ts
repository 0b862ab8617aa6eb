import type { Reading, Unread } from '../../snapshot/unread.js';
import { type BrokenCondition, brokenBefore, brokenConditions, claimsDiff, mayBreak } from './breaks.js';
import { type ChangedClaim, ClaimSet } from './claim-schema.js';
import { conditionedParts, readParts, readSchema } from './read.js';

export interface SiteDiff {
  claims: readonly ChangedClaim[];
  /** In the order of the site; conditions that keep what they rest on are left out. */
  conditions: readonly BrokenCondition[];
  /** Those that are broken whether or not the new schema is set, where they were asked for. */
  brokenBefore: readonly BrokenCondition[];
  unread: readonly Unread[];
  /** Whether the site has a schema now. */
  hasSchema: boolean;
}

/**
 * Compares the schema that a site has now with a new one, and finds the conditions that the new one breaks. Reads them
 * only where one can break, or all of them are asked for.
 * @throws DocsError where the schema cannot be read
 */
export async function siteDiff(
  reading: Reading,
  siteId: string,
  schema: unknown,
  { all = false }: { all?: boolean } = {},
): Promise<SiteDiff> {
  const live = await readSchema(reading, siteId);
  // A site without a schema has no claims yet, so no condition loses one.
  const diff = claimsDiff(live === undefined ? noClaims : new ClaimSet(live), new ClaimSet(schema));
  const found = { claims: diff.claims, hasSchema: live !== undefined };
  if (!all && !mayBreak(diff)) return { ...found, conditions: [], brokenBefore: [], unread: [] };
  const parts = await readParts(reading, siteId);
  const conditioned = conditionedParts(parts);
  const conditions = brokenConditions(diff, conditioned);
  const told = new Set(conditions.map(({ id }) => id));
  const others = conditioned.filter(({ id }) => !told.has(id));
  return { ...found, conditions, brokenBefore: brokenBefore(diff, others), unread: parts.unread };
}

const noClaims = new ClaimSet({ additionalProperties: false });
