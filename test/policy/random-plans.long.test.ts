import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { holdRandomPlans } from './random-plans.js';

/** 10,000 random plans, in ten pieces. */

const folder = fs.mkdtempSync(join(tmpdir(), 'docs-random-plans-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const perPiece = Number(process.env.DOCS_TEST_RUNS ?? 1000);

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'what is shown of random plans is what is sent: piece %i',
  async (piece) => {
    await holdRandomPlans(folder, perPiece, piece);
    expect(fs.readdirSync(folder)).toContain('plan.json');
  },
);
