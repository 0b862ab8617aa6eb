import { expect, test } from 'vitest';
import { accessWorldOfFile, person, space } from './access-world.js';

/** Off a terminal a title is not looked up: it is refused before anything is sent, with the command that looks it up. */

const world = await accessWorldOfFile();

test.each([
  ['<space>', ['access', 'who', 'Board Notes']],
  ['<resource>', ['access', 'explain', 'u1', 'Board Notes']],
  ['--space', ['access', 'matrix', '--space', 'Board Notes']],
  ['--collection', ['access', 'matrix', '--collection', 'Board Notes']],
])('%s', async (place, words) => {
  const before = world.gateway.requests.length;
  const { code, stdout, stderr } = await world.docs(words);
  const line = words.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `error: ${place}: "Board Notes" is not an id; pass an id, or a title with --by-title (usage, exit 2)\n` +
      `  Try: docs ${line} --by-title\n`,
  );
  expect(world.gateway.requests).toHaveLength(before);
});

test.each([
  ['docs spaces list', ['access', 'who', 'nosuch']],
  ['docs spaces list', ['access', 'matrix', '--space', 'nosuch']],
  ['docs collections list', ['access', 'matrix', '--collection', 'nosuch']],
  ['docs spaces list', ['access', 'explain', person('emil'), 'nosuch']],
  ['docs sites list', ['access', 'explain', person('emil'), 'site:nosuch']],
  ['docs members list', ['access', 'explain', 'nosuch', `space:${space('api')}`]],
  ['docs spaces list', ['access', 'what-if', '--level', 'nosuch=read']],
])('what is not found names its list: %s', async (list, words) => {
  const { code, stderr } = await world.docs(words);
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining(`  Try: ${list}\n`) });
});

test('a line of a file is named, too, and its title is found with --by-title', async () => {
  const { code, stderr } = await world.docs(['access', 'who', '--json', '--', 'a b']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'invalid_input',
    hint: "docs access who --json --by-title -- 'a b'",
  });
  const found = await world.docs(['access', 'who', 'Board Notes', '--by-title', '-o', 'id']);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w+\n/) });
});
