import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDone } from '../organization/generated/steps.js';
import { World } from '../organization/generated/world.js';
import { apply, begin, endOf, session, startIn } from './org-sessions.js';

/** Two applies of one plan: real processes against the platform. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

test('two applies of one plan at once: one makes the changes, the other says so', async () => {
  const begun = await session(world, 12, 20);
  expect(isDone(await world.docs(apply))).toBe(true);
  const whole = endOf(world, begun);
  begin(world, begun);
  const both = await Promise.all([startIn(world, apply).ended, startIn(world, apply).ended]);
  const [won, lost] = both.sort((a, b) => Number(isDone(b)) - Number(isDone(a)));
  expect({ done: won && isDone(won), said: won && isDone(won) ? '' : won?.stderr }).toEqual({
    done: true,
    said: '',
  });
  expect(lost?.code).toBe(2);
  expect(JSON.parse(lost?.stderr ?? '')).toMatchObject({ error: { code: 'plan_applied' } });
  expect(endOf(world, begun)).toEqual(whole);
  const again = await world.docs(apply);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('plan_applied');
  expect(readFileSync(join(world.folder, 'plan.json'), 'utf8')).toBe(begun.files.get('plan.json'));
});
