import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { freshHome } from './program.js';

/** `docs doctor` of an installed program; what it finds wrong: doctor.world.test.ts. */

const home = freshHome();
afterAll(() => home.remove());

test('it tells the version, how docs was installed, and whom docs asks', async () => {
  const checks = await home.json<{ check: string; detail: string }[]>(['--sandbox', 'doctor']);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { detail } = checks.find(({ check }) => check === 'install') ?? {};
  expect(detail?.startsWith(`${version}, `)).toBe(true);
  expect(detail).toMatch(/^[\w.-]+, (?:dependency of|clone in|files in) .+; only the platform is asked$/);
});
