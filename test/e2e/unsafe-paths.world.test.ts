import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTeam, expectRefused, put, refusesInstead, unsafeHome } from './unsafe-home.js';

/**
 * Files and folders that docs opens by itself, with something else in their place: refused with exit 14, and never
 * followed. Pipes, which could be waited for: unsafe-paths.program.test.ts.
 */

const world = await unsafeHome();
const { at } = world;

refusesInstead(world, 'a device', (path) => symlinkSync('/dev/zero', path));
refusesInstead(world, 'a directory', (path) => mkdirSync(path, { mode: 0o700 }));

describe('a link', () => {
  it.each(['docs', 'docs/jobs'])('in place of the state folder %s is not followed', async (name) => {
    await world.home.ok(createTeam);
    const path = at('.local', 'state', name);
    renameSync(path, at('elsewhere'));
    symlinkSync(at('elsewhere'), path);
    const before = readdirSync(at('elsewhere'), { recursive: true });
    expectRefused(await world.home.run(createTeam), path);
    expectRefused(await world.home.run(['jobs', 'list']), path);
    expect(readdirSync(at('elsewhere'), { recursive: true })).toEqual(before);
  });

  it('in place of the lock of the settings is refused at once', async () => {
    const lock = at('.config', 'docs', 'settings.lock');
    put(lock, (path) => symlinkSync(world.home.path, path));
    expectRefused(await world.home.run(['config', 'set', 'page-size', '10']), lock);
    expect(lstatSync(lock).isSymbolicLink()).toBe(true);
  });

  it('in place of the settings, which people keep elsewhere, is followed', async () => {
    writeFileSync(at('mine.json'), '{"settings":{"pageSize":7}}', { mode: 0o600 });
    put(at('.config', 'docs', 'config.json'), (path) => symlinkSync(at('mine.json'), path));
    expect(await world.home.ok(['config', 'get', 'page-size'])).toBe('7\n');
  });
});

it.each(['docs', 'docs/jobs'])('a state folder %s that others can write is refused', async (name) => {
  await world.home.ok(createTeam);
  const path = at('.local', 'state', name);
  for (const mode of [0o770, 0o707]) {
    chmodSync(path, mode);
    expectRefused(await world.home.run(createTeam), path);
    expectRefused(await world.home.run(['jobs', 'list']), path);
  }
  chmodSync(path, 0o755);
  await world.home.ok(createTeam);
});
