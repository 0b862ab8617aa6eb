import fc from 'fast-check';
import { expect } from 'vitest';
import { rankOf } from '../../../src/access/levels.js';
import type { WhatIfRow } from '../../../src/access/person.js';
import type { Role } from '../../../src/api/shapes.js';
import { decidedRoles, pair } from './decisions.js';
import { accessOrganization } from './organization.js';
import type { Fault, Platform } from './platform.js';
import { tablesOf } from './state.js';
import { answered, carryOut, drawnChanges, proposalOf } from './what-if.js';

interface Runs {
  numRuns: number;
  seed: number;
}

/** What was seen, so that a test can tell that it saw something. */
export interface Sight {
  certain: number;
  possible: number;
  unknown: number;
  /** Possible changes that did not come about. */
  idle: number;
}

/**
 * What is called certain happens, and what happens was called certain or possible: in random organizations in
 * which the change is made by requests, and roles are those that the sandbox decides before and after.
 * @param faultOf the reads that fail; where there is any, unknown rows stand for what may happen
 */
export async function whatIfHolds(
  platform: Platform,
  { numRuns, seed }: Runs,
  faultOf: (draw: number) => Fault | undefined = () => undefined,
): Promise<Sight> {
  const sight = { certain: 0, possible: 0, unknown: 0, idle: 0 };
  const property = fc.asyncProperty(
    accessOrganization,
    drawnChanges,
    fc.nat(1000),
    async (org, drawn, draw) => {
      const proposal = proposalOf(org, drawn);
      if (proposal === undefined) return fc.pre(false);
      platform.load(tablesOf(org));
      const before = await decidedRoles(platform, org);
      const fault = faultOf(draw);
      const { rows, asked } = await answered(platform, proposal, fault && { fault });
      const isRefused = !(await carryOut(platform, proposal));
      const isForeseen = asked.notes.some((note) => note.startsWith('No admin would be left;'));
      if (fault === undefined) expect(isForeseen).toBe(isRefused);
      if (isRefused) return;
      const after = await decidedRoles(platform, org);
      // Of teams, spaces and collections that could not be read nothing is known, which `unread` tells.
      const isWhole = asked.tally.unread.every(({ kind }) => kind === 'member-spaces');
      expect(asked.tally.failures > 0 && fault === undefined).toBe(false);
      judge(rows, before, after, { isWhole, isSharp: fault === undefined }, sight);
    },
  );
  await fc.assert(property, { numRuns, seed });
  return sight;
}

type Decided = ReadonlyMap<string, Role | null>;

function judge(
  rows: readonly WhatIfRow[],
  before: Decided,
  after: Decided,
  { isWhole, isSharp }: { isWhole: boolean; isSharp: boolean },
  sight: Sight,
): void {
  const said = new Map(rows.map((row) => [pair(row.person.id, row.space.id), row]));
  expect(said.size).toBe(rows.length);
  for (const key of said.keys()) expect(before.has(key)).toBe(true);
  for (const [key, from] of before) {
    const row = said.get(key);
    const to = after.get(key) ?? null;
    if (row === undefined) {
      if (isWhole) expect(to, key).toBe(from);
      continue;
    }
    if (row.change === 'unknown') {
      sight.unknown += 1;
      continue;
    }
    expect(row.from).toBe(from);
    expect(rankOf(to)).toBeGreaterThanOrEqual(rankOf(row.to as Role | null));
    expect(rankOf(to)).toBeLessThanOrEqual(rankOf(row.most as Role | null));
    sight[row.certain ? 'certain' : 'possible'] += 1;
    if (row.certain) expect(to).not.toBe(from);
    else if (to === from) sight.idle += 1;
    if (row.certain) expect(row.change).toBe(rankOf(to) > rankOf(from) ? 'gains' : 'loses');
    // With everything read, nothing that is gained is a mere possibility, and its role is told.
    if (isSharp && rankOf(to) > rankOf(from)) expect([row.certain, row.to, row.most]).toEqual([true, to, to]);
  }
}

/** Fails about every third read of a list of a kind. */
export function someReadsFail(draw: number): Fault {
  let count = draw;
  const lists = [/\/members\/\w+\/spaces/, /\/teams\/\w+\/members/, /\/collections\b/, /\/sites\b/];
  const failing = lists[draw % lists.length] ?? /$^/;
  return ({ method, path }) => {
    if (method !== 'GET' || !failing.test(path)) return false;
    count += 1;
    return count % 3 === 0;
  };
}
