import { type ChangedClaim, type ClaimSet, changedClaims } from './claim-schema.js';
import { claimText, parseCondition, usesOf } from './expression.js';
import type { Conditioned } from './read.js';

/** Which conditions a new schema would break. */

export interface BrokenCondition extends Conditioned {
  state: 'breaks' | 'unknown';
  /** The claims on account of which, as conditions call them. */
  claims: string[];
  /** A sentence without a full stop. */
  why: string;
}

export interface SchemaDiff {
  claims: ChangedClaim[];
  /** In the order of the parts; conditions that keep what they rest on are left out. */
  conditions: BrokenCondition[];
}

/**
 * Compares a schema with a new one.
 * @param parts everything of the site that has a condition
 */
export function schemaDiff(before: ClaimSet, after: ClaimSet, parts: readonly Conditioned[]): SchemaDiff {
  const claims = changedClaims(before, after);
  return { claims, conditions: parts.flatMap((part) => broken(part, { before, after, claims })) };
}

interface Change {
  before: ClaimSet;
  after: ClaimSet;
  claims: readonly ChangedClaim[];
}

function broken(part: Conditioned, { before, after, claims }: Change): BrokenCondition[] {
  const gone = claims.filter(({ change }) => ['removed', 'moved', 'narrowed'].includes(change));
  const unsure = claims.filter(({ change }) => change === 'changed');
  // What a schema without limits let through needs no claim of its own to be lost.
  const closes = before.isOpen && !after.isOpen;
  if (gone.length + unsure.length === 0 && !closes) return [];
  const all = [...gone, ...unsure];
  const tell = (state: BrokenCondition['state'], of: readonly ChangedClaim[], why: string) => [
    { ...part, state, claims: of.map(({ claim }) => claimText(claim)), why },
  ];
  const parsed = parseCondition(part.condition);
  if ('why' in parsed) return tell('unknown', [], `docs cannot parse the condition: ${parsed.why}`);
  const uses = usesOf(parsed.node);
  const used = (some: readonly ChangedClaim[]) =>
    some.filter(({ claim }) =>
      uses.claims.some(({ unsigned, name }) => unsigned === claim.unsigned && name === claim.name),
    );
  const [lost, open] = [used(gone), used(unsure)];
  if (lost.length > 0) return tell('breaks', lost, lost.map(whyOf).join('; '));
  const undeclared = closes ? uses.claims.filter((claim) => !before.has(claim) && !after.has(claim)) : [];
  const [first] = undeclared;
  if (first !== undefined)
    return [
      {
        ...part,
        state: 'breaks',
        claims: undeclared.map(claimText),
        why: `the new schema allows no claim that it does not name, and has no ${claimText(first)}`,
      },
    ];
  if (open.length > 0) return tell('unknown', open, open.map(whyOf).join('; '));
  if (uses.any) return tell('unknown', all, 'it does not name the claims that it uses');
  return [];
}

function whyOf({ claim, why }: ChangedClaim): string {
  return `${claimText(claim)} ${why}`;
}
