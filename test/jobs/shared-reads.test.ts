import { expect, it } from 'vitest';
import { listSections } from '../../src/api/resources/sections.js';
import { listTeams } from '../../src/api/resources/teams.js';
import type { Reads } from '../../src/jobs/request.js';
import { SharedReads } from '../../src/jobs/sequence.js';
import { settled } from '../fake-io.js';

/** A platform whose list is a number that only ever grows; each read takes until the test ends it. */
function world() {
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

const org = { path: { organizationId: 'o' } };

it('reads a list once for all that need nothing that ended after it began', async () => {
  const own = world();
  const all = Promise.all([1, 2, 3].map(() => own.shared.for('x', 0).all(listTeams, org)));
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
    const own = world();
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
        const read = shared.for('x', moment).all(listTeams, org);
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
  const own = world();
  const read = (kind: string) => {
    const found = own.shared.for(kind, 0).all(listTeams, org);
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
  const own = world();
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
  await Promise.all([first.one(listTeams, org), first.one(listTeams, org)]);
  await shared.for('x', 0).one(listTeams, org);
  expect(count).toBe(2);
});
