import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { holdRandomPlans } from './random-plans.js';

/** A few of the random plans; `random-plans.long.test.ts` makes many. */

const folder = fs.mkdtempSync(join(tmpdir(), 'docs-random-plans-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('what is shown of a random plan is what is sent', async () => {
  await holdRandomPlans(folder, 60, 32);
  expect(fs.readdirSync(folder)).toContain('plan.json');
});
