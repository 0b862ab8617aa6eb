import { reserve } from '../../src/policy/budget.js';
import type { Policy } from '../../src/policy/policy.js';
import { fakeIo } from '../fake-io.js';

/** Reserves one write after another beside other processes, and prints how many it got. */

const [home = '', times = '0', most = '0'] = process.argv.slice(2);
const io = fakeIo({ env: { HOME: home } });
const policy: Policy = {
  file: '/p.yaml',
  hash: '',
  default: 'allow',
  allow: [],
  deny: [],
  ask: [],
  budget: [{ what: 'writes', most: Number(most), per: 'hour', line: 1 }],
  protect: [],
};
let got = 0;
for (let at = 0; at < Number(times); at += 1) {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const world = { ...io, now: () => Date.now(), random: Math.random, sleep: wait };
  const found = await reserve(world, [policy], { writes: 1, deletes: 0 }, { writes: 0, deletes: 0 });
  if (!('is' in found)) got += 1;
}
process.stdout.write(String(got));
