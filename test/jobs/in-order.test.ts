import { expect, it, test } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { createCollection } from '../../src/api/resources/collections.js';
import { createSamlProvider, updateSamlProvider } from '../../src/api/resources/saml.js';
import { createSection, listSections } from '../../src/api/resources/sections.js';
import { createTeam, listTeams, updateTeam } from '../../src/api/resources/teams.js';
import { type JobItem, jobItem } from '../../src/jobs/journal.js';
import type { Reads } from '../../src/jobs/reads.js';
import { runInOrder, Sequence, SharedReads } from '../../src/jobs/sequence.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { settled } from '../fake-io.js';

/** Actions that a test ends. */
function workshop(count: number) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const act = (index: number) =>
    new Promise<string>((resolve) => {
      begun.push(index);
      ends.set(index, () => resolve(`r${index}`));
    });
  return { begun, act, end: (index: number) => ends.get(index)?.(), count };
}

async function collect<T>(results: AsyncIterable<T>, into: T[]): Promise<void> {
  for await (const result of results) into.push(result);
}

it('yields results in input order, and starts the next item whenever one ends', async () => {
  const { begun, act, end } = workshop(6);
  const results: string[] = [];
  const all = collect(runInOrder(6, act, { concurrency: 3 }), results);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  end(2);
  end(1);
  await settled();
  // The first one is slow: the others do not wait for it.
  expect({ begun, results }).toEqual({ begun: [0, 1, 2, 3, 4], results: [] });
  end(0);
  await settled();
  expect(results).toEqual(['r0', 'r1', 'r2']);
  for (const index of [3, 4]) end(index);
  await settled();
  end(5);
  await all;
  expect(results).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
});

it('lets nothing overtake an item that waits where one runs at a time', async () => {
  const begun: number[] = [];
  const act = async (index: number, free: () => void) => {
    begun.push(index);
    // The next item may begin while the outcome is being written.
    free();
    await settled();
    return `r${index}`;
  };
  const after = (index: number) => (index === 1 ? [0] : undefined);
  await collect(runInOrder(4, act, { concurrency: 1, after }), []);
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('runs an item after the one that it waits for, and others beside it', async () => {
  const { begun, act, end } = workshop(3);
  const results: string[] = [];
  const after = (index: number) => (index === 2 ? [0] : undefined);
  const all = collect(runInOrder(3, act, { concurrency: 8, after }), results);
  await settled();
  expect(begun).toEqual([0, 1]);
  end(0);
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const index of [1, 2]) end(index);
  await all;
});

it('starts nothing new once its reader stops, and ends after the running items', async () => {
  const { begun, act, end } = workshop(10);
  const results = runInOrder(10, act, { concurrency: 2 });
  const first = results.next();
  await settled();
  end(0);
  expect(await first).toEqual({ done: false, value: 'r0' });
  let over = false;
  const leaving = results.return(undefined).then(() => {
    over = true;
  });
  await settled();
  expect(over).toBe(false);
  for (const index of begun) end(index);
  await leaving;
  expect(begun).toEqual([0, 1, 2]);
});

it('throws the error of an action when its turn comes', async () => {
  const bug = new TypeError('a bug');
  const results = runInOrder(3, async (index) => (index === 1 ? Promise.reject(bug) : index), {
    concurrency: 3,
  });
  expect(await results.next()).toEqual({ done: false, value: 0 });
  await expect(results.next()).rejects.toBe(bug);
});

it('starts the next item as soon as an action is free, and waits for the rest of the action', async () => {
  const { begun, act, end } = workshop(3);
  const frees: (() => void)[] = [];
  const results: string[] = [];
  const all = collect(
    runInOrder(
      3,
      (index, free) => {
        frees.push(free);
        return act(index);
      },
      { concurrency: 1 },
    ),
    results,
  );
  await settled();
  expect(begun).toEqual([0]);
  frees[0]?.();
  await settled();
  expect({ begun, results }).toEqual({ begun: [0, 1], results: [] });
  end(0);
  await settled();
  // The end of one that was free already makes no more room.
  expect({ begun, results }).toEqual({ begun: [0, 1], results: ['r0'] });
  end(1);
  await settled();
  end(2);
  await all;
});

it('gives the place of an item that waits to the next one, and lets the earliest go first once it need not wait', async () => {
  const { begun, act, end } = workshop(7);
  const after = (index: number) => (index === 1 || index === 2 ? [0] : undefined);
  const all = collect(runInOrder(7, act, { concurrency: 2, after }), []);
  await settled();
  expect(begun).toEqual([0, 3]);
  end(3);
  await settled();
  expect(begun).toEqual([0, 3, 4]);
  end(0);
  await settled();
  end(4);
  await settled();
  // Their turn has come, so they go before those that are further on.
  expect(begun).toEqual([0, 3, 4, 5, 1]);
  for (const index of [5, 1, 2, 6]) {
    end(index);
    await settled();
  }
  await all;
  expect(begun).toEqual([0, 3, 4, 5, 1, 2, 6]);
});

it('begins nothing that waits once its reader stops, and does not wait for it', async () => {
  const { begun, act, end } = workshop(3);
  const results = runInOrder(3, act, {
    concurrency: 1,
    after: (index) => (index > 0 ? [index - 1] : undefined),
  });
  const first = results.next();
  await settled();
  end(0);
  await first;
  const stopped = results.return(undefined);
  await settled();
  end(1);
  await stopped;
  expect(begun).toEqual([0, 1]);
});

const org = { organizationId: 'o' };

/** Steps of a plan, or of another job. */
const steps = (all: readonly [AnyOperation, LooseInput][], ofPlan = true): JobItem[] =>
  all.map(([op, input], item) => {
    const { change, ...own } = jobItem({ op, input, id: '' }, item);
    return { ...own, change: { ...change, ...(ofPlan && { operation: `o${item + 1}` }) } };
  });

const waits = (all: readonly JobItem[]): number[][] => {
  const sequence = new Sequence(all, 8, allRules);
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
    const sequence = new Sequence(all, 8, allRules);
    expect(waits(all)).toEqual([[], [], [0]]);
    sequence.ended(all[0] as JobItem, 5);
    expect(all.slice(1).map((step) => sequence.lastBefore(step))).toEqual([0, 5]);
  }
});

test('a creation and a rename to the same name keep their order in a plan', () => {
  const create = (title: string): [AnyOperation, LooseInput] => [createTeam, { path: org, body: { title } }];
  const rename = (teamId: string, title: string): [AnyOperation, LooseInput] => [
    updateTeam,
    { path: { ...org, teamId }, body: { title } },
  ];
  const all = [create('Same'), rename('a', 'same '), rename('b', 'Other'), create('Same'), create('B')];
  expect(waits(steps(all))).toEqual([[], [0], [], [1], []]);
  expect(waits(steps(all, false))).toEqual([[], [], [], [], []]);
  const body = { label: 'Staff' };
  const provider: [AnyOperation, LooseInput] = [
    updateSamlProvider,
    { path: { ...org, providerId: 'p' }, body },
  ];
  expect(waits(steps([provider, [createSamlProvider, { path: org, body }]]))).toEqual([[], [0]]);
});

test('jobs of other commands add in any order', () => {
  const one: [AnyOperation, LooseInput] = [createCollection, { path: org, body: { title: 'A' } }];
  expect(waits(steps([one, one], false))).toEqual([[], []]);
});

/** A platform whose list is a number that only ever grows; each read takes until the test ends it. */
function growing() {
  let value = 0;
  let now = 0;
  const open: (() => void)[] = [];
  let count = 0;
  const reads: Reads = {
    one: async () => ({ at: value }),
    all: async () => {
      count += 1;
      const seen = value;
      await new Promise<void>((resolve) => open.push(resolve));
      return [{ value: seen }];
    },
  };
  return {
    shared: new SharedReads(reads, { most: 2, maxAgeMs: 100, now: () => now }),
    write: () => {
      value += 1;
    },
    pass: (ms: number) => {
      now += ms;
    },
    answer: () => open.splice(0).forEach((end) => void end()),
    get count() {
      return count;
    },
  };
}

const inOrg = { path: { organizationId: 'o' } };

it('reads a list once for all that need nothing that ended after it began', async () => {
  const own = growing();
  const all = Promise.all([1, 2, 3].map(() => own.shared.for('x', 0).all(listTeams, inOrg)));
  own.answer();
  expect(await all).toHaveLength(3);
  expect(own.count).toBe(1);
});

it('never shows a reader what was there before something that it builds on ended', async () => {
  // Random interleavings of readers, writers and answers.
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const draw = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    const own = growing();
    const { shared } = own;
    let written = 0;
    const ends: { moment: number; value: number }[] = [{ moment: 0, value: 0 }];
    const wrong: string[] = [];
    const reading: Promise<void>[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const what = draw(4);
      if (what === 0) {
        own.write();
        written += 1;
        ends.push({ moment: shared.moment(), value: written });
      } else if (what === 1) {
        own.answer();
        await settled();
      } else {
        // It builds on one of the writes, or on none.
        const { moment, value } = ends[draw(ends.length)] as (typeof ends)[number];
        const read = shared.for('x', moment).all(listTeams, inOrg);
        reading.push(
          read.then((items) => {
            if (Number(items?.[0]?.value) < value)
              wrong.push(`${seed}: ${items?.[0]?.value} before ${value}`);
          }),
        );
      }
    }
    own.answer();
    await settled();
    own.answer();
    await Promise.all(reading);
    expect(wrong).toEqual([]);
    expect(own.count).toBeLessThanOrEqual(reading.length);
  }
});

it('reads anew what is old, and what is of another kind', async () => {
  const own = growing();
  const read = (kind: string) => {
    const found = own.shared.for(kind, 0).all(listTeams, inOrg);
    own.answer();
    return found;
  };
  await read('x');
  await read('x');
  expect(own.count).toBe(1);
  await read('y');
  expect(own.count).toBe(2);
  own.pass(101);
  await read('x');
  expect(own.count).toBe(3);
});

it('keeps no more lists than it may', async () => {
  const own = growing();
  const read = (siteId: string) => {
    const found = own.shared.for('x', 0).all(listSections, { path: { organizationId: 'o', siteId } });
    own.answer();
    return found;
  };
  for (const site of ['a', 'b', 'c']) await read(site);
  await read('c');
  expect(own.count).toBe(3);
  await read('a');
  expect(own.count).toBe(4);
});

it('reads a resource once for one reader, and anew for the next', async () => {
  let count = 0;
  const reads: Reads = {
    one: async () => {
      count += 1;
      return { count };
    },
    all: async () => [],
  };
  const shared = new SharedReads(reads);
  const first = shared.for('x', 0);
  await Promise.all([first.one(listTeams, inOrg), first.one(listTeams, inOrg)]);
  await shared.for('x', 0).one(listTeams, inOrg);
  expect(count).toBe(2);
});
