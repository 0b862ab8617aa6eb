import { expect, test } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { createCollection } from '../../src/api/resources/collections.js';
import { createSection } from '../../src/api/resources/sections.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { plannedRecord } from '../../src/jobs/journal.js';
import { Sequence } from '../../src/jobs/sequence.js';
import type { Step } from '../../src/jobs/step.js';

const org = { organizationId: 'o' };

/** Steps of a plan, or of another job. */
const steps = (all: readonly [AnyOperation, LooseInput][], ofPlan = true): Step[] =>
  all.map(([op, input], item) => ({
    op,
    record: plannedRecord({
      ...{ item, is: 'planned', id: '', op: op.id, input },
      ...(ofPlan && { operation: `o${item + 1}` }),
    }),
  }));

const waits = (all: readonly Step[]): number[][] => {
  const sequence = new Sequence(all, 8);
  return all.map((_, index) => sequence.after(index));
};

test('what a plan adds to one ordered list is added in turn', () => {
  const collection = (title: string, parent?: string): [AnyOperation, LooseInput] => [
    createCollection,
    { path: org, body: { title, ...(parent !== undefined && { parent }) } },
  ];
  expect(
    waits(steps([collection('A'), collection('B', 'p'), collection('C'), collection('D', 'p')])),
  ).toEqual([...[[], [], [0], [1]]]);
});

test('lists of two sites, and lists without an order, do not wait for each other', () => {
  const section = (siteId: string): [AnyOperation, LooseInput] => [
    createSection,
    { path: { ...org, siteId }, body: { spaceId: 's' } },
  ];
  expect(waits(steps([section('a'), section('b'), section('a')]))).toEqual([[], [], [0]]);
  const team = (title: string): [AnyOperation, LooseInput] => [createTeam, { path: org, body: { title } }];
  expect(waits(steps([team('A'), team('B')]))).toEqual([[], []]);
});

test('a change builds on what changed the same thing before it, and on no other', () => {
  const team = (teamId: string): [AnyOperation, LooseInput] => [
    updateTeam,
    { path: { ...org, teamId }, body: { title: 'A' } },
  ];
  for (const ofPlan of [true, false]) {
    const all = steps([team('a'), team('b'), team('a')], ofPlan);
    const sequence = new Sequence(all, 8);
    const keys = all.map((_, index) => sequence.keyOf(index));
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([false, true]);
    sequence.ended(all[0] as Step, 5);
    expect(all.slice(1).map((step) => sequence.lastBefore(step))).toEqual([0, 5]);
  }
});

test('jobs of other commands add in any order', () => {
  const one: [AnyOperation, LooseInput] = [createCollection, { path: org, body: { title: 'A' } }];
  expect(waits(steps([one, one], false))).toEqual([[], []]);
});
