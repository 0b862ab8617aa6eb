import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idFrom } from '../../src/sandbox/store/rows.js';
import { freshHome, type Home } from './program.js';

/** `--before` and `--after` find out of which kind a plain id is. */

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const id = (name: string) => idFrom(`tiny ${name}`);
const [welcome, board] = [id('space welcome'), id('space board')];
const [product, internal] = [id('collection product'), id('collection internal')];
const [home_, group] = [id('section docs Home'), id('section group docs Developers')];

const space = (of: string) => ({ type: 'space', space: of });
const collection = (of: string) => ({ type: 'collection', collection: of });
const section = { type: 'site-section', id: home_ };

const moves: [name: string, moved: string, flag: string, neighbour: string, sent: object][] = [
  ['a space, for a collection', `collections move ${internal}`, 'before', welcome, space(welcome)],
  ['a space, for a collection', `collections move ${internal}`, 'after', board, space(board)],
  ['a collection, for a collection', `collections move ${internal}`, 'before', product, collection(product)],
  ['a collection, for a space', `spaces move ${welcome}`, 'after', product, collection(product)],
  ['a space, for a space', `spaces move ${welcome}`, 'after', board, space(board)],
  ['a section, for a group', `section-groups move ${group}`, 'before', home_, section],
];

/** The words of a line that moves something in the sandbox. */
const moving = (line: string): string[] => [...line.split(' '), '--sandbox', '--json'];

async function positionOf(line: string): Promise<unknown> {
  const { body } = JSON.parse(await home.ok([...moving(line), '--dry-run'])) as { body: object };
  return (body as { position: unknown }).position;
}

describe('a plain id as neighbour', () => {
  test.each(moves)('may be that of %s', async (_, moved, flag, neighbour, sent) => {
    const line = `${moved} --${flag} ${neighbour}`;
    expect(await positionOf(line)).toEqual({ [flag]: sent });
    await home.ok(moving(line));
  });

  test('before and after may be of different kinds', async () => {
    const line = `collections move ${internal} --after ${product} --before ${board}`;
    expect(await positionOf(line)).toEqual({ after: collection(product), before: space(board) });
    await home.ok(moving(line));
  });

  test('with its kind written before it is not looked up', async () => {
    const line = moving(`collections move ${internal} --before space:nowhere`);
    const shown = await home.run([...line, '--dry-run', '--debug']);
    expect(JSON.parse(shown.stdout).body.position).toEqual({ before: space('nowhere') });
    expect(shown.stderr).not.toContain('GET');
  });

  test('that nothing has is not found, and nothing is sent', async () => {
    const ran = await home.run(moving(`spaces move ${welcome} --after nowhere`));
    expect(ran.code).toBe(6);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'unknown_title',
      outcome: 'not-sent',
      message: '--after: no space or collection has the id "nowhere"',
    });
    const other = await home.run(moving(`section-groups move ${group} --after nowhere`));
    expect(JSON.parse(other.stderr).error.message).toBe(
      '--after: no section group or section has the id "nowhere"',
    );
  });
});

describe('a title as neighbour', () => {
  test('may be of either kind with --by-title', async () => {
    const line = 'collections move Internal --before Welcome --by-title';
    expect(await positionOf(line)).toEqual({ before: space(welcome) });
  });

  test('that nothing has is not found', async () => {
    const ran = await home.run(moving('collections move Internal --before Nowhere --by-title'));
    expect([ran.code, JSON.parse(ran.stderr).error.message]).toEqual([
      6,
      '--before: no collection or space has the id or title "Nowhere"',
    ]);
  });
});
