import fc from 'fast-check';
import { expect } from 'vitest';
import { callOne } from '../../src/api/client.js';
import { diffBackups } from '../../src/backup/diff-backups.js';
import { openReader } from '../../src/backup/reader.js';
import { restoreParts } from '../../src/model/resources.js';
import { readLive } from '../../src/organization/live/read.js';
import { backupClient, checkedReader, orderedCollections } from '../../src/restore/backup-client.js';
import { wantsOf } from '../../src/restore/parts.js';
import { planRestore, type Restore } from '../../src/restore/plan-restore.js';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds, type Rounds } from '../copy/rounds.js';
import { type Change, changes } from './changes.js';

/** Random changes of an organization that has a backup: each comes back, or is told. */

/** @param numRuns how many sets of changes */
export async function everythingIsTold(numRuns: number, seed: number): Promise<void> {
  const rounds = await openRounds();
  try {
    await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
    await rounds.first.backUp(rounds.at('a'));
    await holds(rounds, changes, 'all');
    const some = fc.subarray([...changes], { minLength: 1 });
    let run = 0;
    const property = fc.asyncProperty(some, (set) => {
      run += 1;
      return holds(rounds, set, String(run));
    });
    await fc.assert(property, { numRuns, seed: Number(process.env.DOCS_TEST_SEED ?? seed) });
  } finally {
    await rounds.close();
  }
}

async function holds(rounds: Rounds, set: readonly Change[], name: string): Promise<void> {
  const { first, at } = rounds;
  await fillFrom(first.db, 'tiny', { now: Date.now });
  first.db.write(() => {
    for (const { sql } of set) first.db.run(sql);
  });
  const client = first.client();
  try {
    const found = await planned(rounds);
    const told = [...found.notes.map(({ item }) => item), ...findings(found)];
    const lacking = set.flatMap(({ lack }) => (lack === undefined ? [] : [lack]));
    expect(told).toEqual(expect.arrayContaining(lacking));
    const counted = changes.flatMap(({ lack }) => (lack === undefined ? [] : [lack]));
    const tooMany = told.filter((one) => counted.includes(one) && !lacking.includes(one));
    expect(tooMany).toEqual([]);
    for (const { change } of found.drafts) if (change !== undefined) await callOne(client, change);
    expect((await planned(rounds)).drafts.filter(({ change }) => change !== undefined)).toEqual([]);
  } finally {
    await client.close();
  }
  await first.backUp(at(name));
  expect(await differences(rounds, name)).toEqual(
    [...new Set(set.flatMap(({ stays }) => (stays === undefined ? [] : [stays])))].sort(),
  );
}

function findings({ drafts }: Restore): string[] {
  return drafts.flatMap(({ finding }) => (finding === undefined ? [] : [finding.message]));
}

/**
 * What a restore of the backup `a` would do.
 * @param ordered the collections whose order of spaces the backup has, if it is not all
 */
export async function planned({ first, at }: Rounds, ordered?: ReadonlySet<string>): Promise<Restore> {
  const client = first.client();
  try {
    const reader = await checkedReader(await openReader(at('a')));
    const [chosen, id] = [new Set(restoreParts), reader.manifest.organization.id];
    const live = await readLive(client, id, wantsOf(chosen), () => {});
    return await planRestore({
      ...{ reader, client, live, parts: chosen, only: undefined, importBase: undefined },
      access: { concurrency: 8, signal: new AbortController().signal },
      saved: await readLive(backupClient(reader), id, wantsOf(chosen), () => {}),
      ordered: ordered ?? (await orderedCollections(reader)),
      wasRefused: () => false,
      madeHere: () => false,
      planning: { env: {} },
      commands: { again: 'again', pack: () => 'pack', space: () => 'space' },
    });
  } finally {
    await client.close();
  }
}

/** What differs from the first backup: `site` and the like, each once. */
async function differences({ at }: Rounds, name: string): Promise<string[]> {
  const [a, b] = await Promise.all([openReader(at('a')), openReader(at(name))]);
  const kinds = new Set<string>();
  for await (const { kind } of diffBackups(a, b)) kinds.add(kind);
  return [...kinds].sort();
}
