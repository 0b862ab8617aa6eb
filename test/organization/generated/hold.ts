import fc from 'fast-check';
import { runs } from '../../runs.js';
import { organization } from './arbitrary.js';
import { anyEdit, type Edit } from './edit.js';
import { edits } from './edits/index.js';
import type { Organization } from './model.js';
import { World } from './world.js';

/** Runs of a property over random organizations; a failure names its seed and path, and the smallest example. */

interface Holding {
  /** How many organizations in CI; `DOCS_TEST_RUNS` asks for more. */
  usual: number;
  seed: number;
  /** Fewest and most edits of one organization. */
  least?: number;
  most?: number;
  /** Which edits there are. */
  names?: readonly string[];
}

/** Milliseconds for the runs of a property, and for making a failing example smaller. */
export const patience = (usual: number): number => 90_000 + runs(usual) * 1000;

export async function hold(
  { usual, seed, least = 1, most = 8, names = Object.keys(edits) }: Holding,
  property: (world: World, org: Organization, edits: readonly Edit[]) => Promise<unknown>,
): Promise<void> {
  const world = await World.open();
  const drawn = fc.array(anyEdit(names), { minLength: least, maxLength: most });
  try {
    await fc.assert(
      fc.asyncProperty(organization, drawn, async (org, made) => {
        await property(world, org, made);
      }),
      {
        ...{ numRuns: runs(usual), seed: Number(process.env.DOCS_TEST_SEED ?? seed) },
        ...(process.env.DOCS_TEST_PATH !== undefined && { path: process.env.DOCS_TEST_PATH }),
        ...{ interruptAfterTimeLimit: patience(usual) - 30_000, markInterruptAsFailure: true },
      },
    );
  } finally {
    await world.close();
  }
}
