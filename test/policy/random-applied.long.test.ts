import { expect, test } from 'vitest';
import { opened } from '../opened.js';
import { runs } from '../runs.js';
import { randomApplies } from './random-applied.js';

/** Many random plans that are approved and applied, and a good part of them interrupted and resumed. */

const world = opened(randomApplies);

const pieces = Array.from({ length: 10 }, (_, at) => at + 1);
const perPiece = runs(250);
const firstSeed = Number(process.env.DOCS_TEST_SEED ?? 1) * 1000;

test.each(pieces)(
  'what a terminal showed is what the platform gets: piece %i',
  { timeout: 3_600_000 },
  async (piece) => {
    const { approved, resumed } = await world.hold(perPiece, firstSeed + piece);
    expect(approved).toBe(perPiece);
    expect(resumed).toBeGreaterThan(perPiece / 10);
  },
);
