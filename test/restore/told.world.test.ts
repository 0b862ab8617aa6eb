import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addFault, clearFaults } from '../../src/sandbox/server/faults.js';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds, type Rounds } from '../copy/rounds.js';
import { everythingIsTold, planned } from './world.js';

test('what is changed comes back, or is told with why, and nothing else is told', () =>
  everythingIsTold(1, 1));

let rounds: Rounds;
beforeAll(async () => {
  rounds = await openRounds();
  await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
  await rounds.first.backUp(rounds.at('a'));
});
beforeEach(() => {
  const { db } = rounds.first;
  db.write(() => clearFaults(db));
});
afterAll(() => rounds.close());

/** An older backup has no order of the spaces in any collection. */
const older: ReadonlySet<string> = new Set();
const operations = async (ordered?: ReadonlySet<string>) =>
  (await planned(rounds, ordered)).drafts.flatMap(({ change }) =>
    change === undefined ? [] : [change.op.path],
  );

test('spaces of a collection go back to their order, but those of an older backup stay', async () => {
  rounds.first.db.write(() =>
    rounds.first.db.run("UPDATE spaces SET position = '500000000003' WHERE title = 'Product Guide'"),
  );
  expect(await operations()).toEqual(['/v1/spaces/{spaceId}/move']);
  expect(await operations(older)).toEqual([]);
});

test('where the platform refuses its list of spaces, an older backup is told to need another token', async () => {
  const { db } = rounds.first;
  db.write(() => addFault(db, { match: 'GET /v1/orgs/*/spaces*', status: 403 }));
  const { drafts } = await planned(rounds, older);
  const messages = drafts.flatMap(({ kind, finding }) =>
    finding === undefined ? [] : [[kind, finding.message]],
  );
  expect(messages).toContainEqual(['spaces', 'It is there, but no list that the token may read has it.']);
});
