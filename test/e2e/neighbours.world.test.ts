import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idFrom } from '../../src/sandbox/store/ids.js';
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

const moves: [name: string, words: string[], flag: string, neighbour: string, sent: object][] = [
  [
    'a space, for a collection',
    ['collections', 'move', internal],
    'before',
    welcome,
    { type: 'space', space: welcome },
  ],
  [
    'a space, for a collection',
    ['collections', 'move', internal],
    'after',
    board,
    { type: 'space', space: board },
  ],
  [
    'a collection, for a collection',
    ['collections', 'move', internal],
    'before',
    product,
    { type: 'collection', collection: product },
  ],
  [
    'a collection, for a space',
    ['spaces', 'move', welcome],
    'after',
    product,
    { type: 'collection', collection: product },
  ],
  ['a space, for a space', ['spaces', 'move', welcome], 'after', board, { type: 'space', space: board }],
  [
    'a section, for a group',
    ['section-groups', 'move', group],
    'before',
    home_,
    { type: 'site-section', id: home_ },
  ],
];

describe('a plain id as neighbour', () => {
  test.each(moves)('may be that of %s', async (_, words, flag, neighbour, sent) => {
    const line = [...words, `--${flag}`, neighbour, '--sandbox', '--json'];
    const shown = await home.ok([...line, '--dry-run']);
    expect(JSON.parse(shown).body).toEqual({ position: { [flag]: sent } });
    const moved = await home.run(line);
    expect({ code: moved.code, stderr: moved.stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  });

  test('before and after may be of different kinds', async () => {
    const line = [
      'collections',
      'move',
      internal,
      '--after',
      product,
      '--before',
      board,
      '--sandbox',
      '--json',
    ];
    expect(JSON.parse(await home.ok([...line, '--dry-run'])).body.position).toEqual({
      after: { type: 'collection', collection: product },
      before: { type: 'space', space: board },
    });
    await home.ok(line);
  });

  test('with its kind written before it is not looked up', async () => {
    const line = ['collections', 'move', internal, '--before', 'space:nowhere', '--sandbox', '--json'];
    const shown = await home.run([...line, '--dry-run', '--debug']);
    expect(JSON.parse(shown.stdout).body.position).toEqual({ before: { type: 'space', space: 'nowhere' } });
    expect(shown.stderr).not.toContain('GET');
  });

  test('that nothing has is not found, and nothing is sent', async () => {
    const ran = await home.run(['spaces', 'move', welcome, '--after', 'nowhere', '--sandbox', '--json']);
    expect(ran.code).toBe(6);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'unknown_title',
      outcome: 'not-sent',
      message: '--after: no space or collection has the id "nowhere".',
    });
    const group_ = ['section-groups', 'move', group, '--after', 'nowhere', '--sandbox', '--json'];
    const other = await home.run(group_);
    expect(JSON.parse(other.stderr).error.message).toBe(
      '--after: no section group or section has the id "nowhere".',
    );
  });
});

describe('a title as neighbour', () => {
  test('may be of either kind with --by-title', async () => {
    const line = [
      'collections',
      'move',
      'Internal',
      '--before',
      'Welcome',
      '--by-title',
      '--sandbox',
      '--json',
    ];
    expect(JSON.parse(await home.ok([...line, '--dry-run'])).body.position).toEqual({
      before: { type: 'space', space: welcome },
    });
  });

  test('that nothing has is not found', async () => {
    const line = [
      'collections',
      'move',
      'Internal',
      '--before',
      'Nowhere',
      '--by-title',
      '--sandbox',
      '--json',
    ];
    const ran = await home.run(line);
    expect([ran.code, JSON.parse(ran.stderr).error.message]).toEqual([
      6,
      '--before: no collection or space has the id or title "Nowhere".',
    ]);
  });
});
