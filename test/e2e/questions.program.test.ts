import { expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';

/** Questions of the built program, whose outlines of commands hold no code: what offers values is in the declaration. */

const { home, docs, changes, reset } = await sandboxHome();
const space = seedId('space guide');

it.each(['spaces', 'trash'])('docs %s restore lists what is in the trash', async (group) => {
  await reset();
  await home.ok(['spaces', 'delete', space, '--yes']);
  const terminal = docs([group, 'restore']);
  await terminal.answer(space);
  expect((await terminal.ended).code).toBe(0);
  expect(changes()).toEqual(['DELETE', 'POST']);
});
