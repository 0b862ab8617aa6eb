import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DocsError } from '../../../src/errors.js';
import { readLive } from '../../../src/organization/live/read.js';
import type { Live } from '../../../src/organization/model.js';
import type { Planned } from '../../../src/organization/planner/options.js';
import type { Lock } from '../../../src/plans/lock.js';
import { type JobWorld, openJobWorld } from '../../jobs/job-world.js';
import { lines, plan } from './build.js';
import { Editing } from './random-edits.js';
import { applied, filesOf } from './seeded.js';

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

const read = (): Promise<Live> =>
  readLive(
    world.client,
    world.sandbox.organizationId,
    () => true,
    () => {},
  );
const head = () => ({ org: world.sandbox.organizationId, origin: world.sandbox.url });
const self = { id: 'nobody' };
/** Findings of requests that the platform refuses would be errors of `applied`. */
const sent = (all: readonly string[]) => all.filter((line) => !line.startsWith('finding'));

/** A plan, unless a guard refuses it. */
function unguarded(make: () => Planned): Planned | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof DocsError && error.code === 'guarded') return undefined;
    throw error;
  }
}

describe('an organization', () => {
  it('that is written down as it is needs no operation', async () => {
    const live = await read();
    const planned = plan(filesOf(live), live, undefined, { prune: true });
    expect(lines(planned)).toEqual([]);
  });

  const from = Number(process.env.FROM ?? 0);
  const seeds = Array.from({ length: Number(process.env.RUNS ?? 6) }, (_, at) => from + at);
  it.each(seeds)('is as edited files say after one apply, and then needs no operation (%i)', async (seed) => {
    let live = await read();
    const written = filesOf(live);
    let lock: Lock = await applied(world.client, plan(written, live), undefined, head());
    const editing = new Editing(written, seed);
    for (let round = 0; round < 3; round += 1) {
      const { desired } = editing.edit(6 + round * 4);
      const planned = unguarded(() => plan(desired, live, lock, { prune: true, self }));
      if (planned === undefined) return;
      if (process.env.SHOW) console.log(lines(planned).join('\n'));
      lock = await applied(world.client, planned, lock, head());
      live = await read();
      const again = plan(desired, live, lock, { prune: true, self });
      expect(sent(lines(again)), lines(planned).join('\n')).toEqual([]);
    }
  });
});
