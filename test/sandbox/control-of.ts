import { dirname, join } from 'node:path';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { openStore } from '../../src/sandbox/store/store.js';
import type { TestSandbox } from './client.js';
import { plantInto, replant } from './planted.js';

/** The control of a sandbox whose reset copies the seed, a third of the time of planting it. */
export async function controlOf(
  { file, outside: { io } }: Pick<TestSandbox, 'file' | 'outside'>,
  seed = 'tiny',
): Promise<SandboxControl> {
  const control = await openControl(file, io);
  const { db } = await openStore(file, io);
  const copy = join(dirname(file), 'planted.db');
  await plantInto(copy, seed, io);
  return {
    ...control,
    async reset() {
      replant(db, seed, copy, io);
      control.faults.clear();
      db.write(() => db.run('DELETE FROM local_requests'));
      return seed;
    },
    close() {
      db.close();
      control.close();
    },
  };
}
