import fc from 'fast-check';
import { importState, parseExport } from '../../src/sandbox/store/export.js';
import { refill } from '../../src/sandbox/store/store.js';
import { accessOrganization } from '../access/generated/organization.js';
import { tablesOf } from '../access/generated/state.js';
import { organization } from '../organization/generated/arbitrary.js';
import { stateOf } from '../organization/generated/state.js';
import { openRounds, type Rounds, type Side } from './rounds.js';
import { differing } from './same-backups.js';

/** Random organizations: with all there is to describe, and with access that comes about in every way. */
export const states = {
  described: organization.map((org) => stateOf(org)),
  accessed: accessOrganization.map((org) =>
    JSON.stringify({ format: 'docs-sandbox/1', tables: tablesOf(org) }),
  ),
};

interface Holding {
  numRuns: number;
  seed: number;
}

/**
 * backup → sandbox → backup is the same files, and each member has the same permissions in both.
 * @returns how many gaps there were; a backup that was read in full has none
 */
export async function sameAfterCopy(
  kind: keyof typeof states,
  { numRuns, seed }: Holding,
): Promise<readonly string[]> {
  const rounds = await openRounds();
  const gaps: string[] = [];
  try {
    const property = fc.asyncProperty(states[kind], async (state) => {
      gaps.push(...(await holds(rounds, state)));
    });
    const path = process.env.DOCS_TEST_PATH;
    const given = Number(process.env.DOCS_TEST_SEED ?? seed);
    await fc.assert(property, { numRuns, seed: given, ...(path !== undefined && { path }) });
  } finally {
    await rounds.close();
  }
  return gaps;
}

async function holds(rounds: Rounds, state: string): Promise<string[]> {
  const { first, second } = rounds;
  rounds.clear();
  load(first, state);
  await first.backUp(rounds.at('a'));
  const { gaps } = await second.copy(rounds.at('a'));
  await second.backUp(rounds.at('b'));
  const lines = differing(rounds.at('a'), rounds.at('b'));
  if (lines.length > 0) throw new Error(lines.join('\n'));
  return gaps;
}

function load({ db }: Side, state: string): void {
  refill(db, {
    ...{ source: 'generated', nowMs: Date.now() },
    fill: () => importState(db, parseExport(state)),
  });
}
