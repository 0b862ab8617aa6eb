import { type ChangedClaim, type ClaimSet, changedClaims } from './claim-schema.js';
import { type ClaimName, claimText, parseCondition, usesOf } from './expression.js';
import type { Conditioned } from './read.js';

/** Which conditions a new schema would break. */

export interface BrokenCondition extends Conditioned {
  /** `broken`: it uses a claim that neither schema has. */
  state: 'breaks' | 'unknown' | 'broken';
  /** The claims on account of which, as conditions call them. */
  claims: string[];
  /** A sentence without a full stop. */
  why: string;
}

/** What a new schema does to the claims of conditions. */
export interface ClaimsDiff {
  before: ClaimSet;
  after: ClaimSet;
  claims: ChangedClaim[];
  /** Whether the new schema forbids claims that the old one let through without naming them. */
  closes: boolean;
}

export function claimsDiff(before: ClaimSet, after: ClaimSet): ClaimsDiff {
  const closes = before.isOpen && !after.isOpen;
  return { before, after, claims: changedClaims(before, after), closes };
}

/** Whether a condition may break at all: not where claims are only added or widened. */
export function mayBreak({ claims, closes }: ClaimsDiff): boolean {
  return closes || claims.some((one) => isGone(one) || one.change === 'changed');
}

function isGone({ change }: ChangedClaim): boolean {
  return change === 'removed' || change === 'moved' || change === 'narrowed';
}

/** The conditions that break, or may, in the order of the parts. */
export function brokenConditions(diff: ClaimsDiff, parts: readonly Conditioned[]): BrokenCondition[] {
  return mayBreak(diff) ? parts.flatMap((part) => broken(part, diff)) : [];
}

/** The conditions that the old schema broke already, and that the new one does not mend. */
export function brokenBefore(
  { before, after }: ClaimsDiff,
  parts: readonly Conditioned[],
): BrokenCondition[] {
  if (before.isOpen || after.isOpen) return [];
  return parts.flatMap((part): BrokenCondition[] => {
    const parsed = parseCondition(part.condition);
    if ('why' in parsed) return [];
    const lacking = usesOf(parsed.node).claims.filter((claim) => !before.has(claim) && !after.has(claim));
    if (lacking.length === 0) return [];
    const claims = lacking.map(claimText);
    const verb = claims.length === 1 ? 'is' : 'are';
    return [{ ...part, state: 'broken', claims, why: `${claims.join(', ')} ${verb} in neither schema` }];
  });
}

function broken(part: Conditioned, { before, after, claims, closes }: ClaimsDiff): BrokenCondition[] {
  const gone = claims.filter(isGone);
  const unsure = claims.filter(({ change }) => change === 'changed');
  const tell = (state: BrokenCondition['state'], of: readonly ClaimName[], why: string) => [
    { ...part, state, claims: of.map(claimText), why },
  ];
  const parsed = parseCondition(part.condition);
  if ('why' in parsed) return tell('unknown', [], `docs cannot parse the condition: ${parsed.why}`);
  const uses = usesOf(parsed.node);
  const used = (some: readonly ChangedClaim[]) =>
    some.filter(({ claim }) => uses.claims.some((one) => isSame(one, claim)));
  const [lost, open] = [used(gone), used(unsure)];
  if (lost.length > 0)
    return tell(
      'breaks',
      lost.map(({ claim }) => claim),
      whyOf(lost),
    );
  const undeclared = closes ? uses.claims.filter((claim) => !before.has(claim) && !after.has(claim)) : [];
  if (undeclared.length > 0)
    return tell('breaks', undeclared, 'the new schema allows only claims that it names');
  if (open.length > 0)
    return tell(
      'unknown',
      open.map(({ claim }) => claim),
      whyOf(open),
    );
  if (!uses.any) return [];
  const all = [...gone, ...unsure].map(({ claim }) => claim);
  return tell('unknown', all, 'the condition computes the name of a claim');
}

function isSame(a: ClaimName, b: ClaimName): boolean {
  return a.unsigned === b.unsigned && a.name === b.name;
}

function whyOf(changes: readonly ChangedClaim[]): string {
  return changes.map(({ claim, why }) => `${claimText(claim)} ${why}`).join('; ');
}
