import { expect, it } from 'vitest';
import { assign, type Lost } from '../../src/jobs/creations.js';

/** Which of the new resources belong to which of the lost creations. */

const ids = (text: string) => new Map(text.split('').map((id) => [id, { id }]));
const lost = (item: number, input: string, like: string, perhaps = ''): Lost => ({
  item,
  input,
  like: ids(like),
  perhaps: ids(perhaps),
});

function verdicts(all: readonly Lost[]): string[] {
  const found = assign(all);
  return all.map(({ item }) => {
    const verdict = found.get(item);
    if (verdict?.is === 'done') return String(verdict.resource.id);
    return verdict?.is === 'unknown' ? `? ${verdict.candidates.join('')}` : 'not done';
  });
}

it.each<[string, Lost[], string[]]>([
  ['nothing new', [lost(0, 'a', '')], ['not done']],
  ['one new', [lost(0, 'a', 'x')], ['x']],
  ['two new', [lost(0, 'a', 'xy')], ['? xy']],
  ['two equal, two new', [lost(0, 'a', 'xy'), lost(1, 'a', 'xy')], ['x', 'y']],
  ['two equal, one new', [lost(0, 'a', 'x'), lost(1, 'a', 'x')], ['x', 'not done']],
  ['two equal, three new', [lost(0, 'a', 'xyz'), lost(1, 'a', 'xyz')], ['? xyz', '? xyz']],
  ['the later one knew the first', [lost(0, 'a', 'xy'), lost(1, 'a', 'y')], ['x', 'y']],
  ['the later one knew the only one', [lost(0, 'a', 'x'), lost(1, 'a', '')], ['x', 'not done']],
  ['different ones, each its own', [lost(0, 'a', 'x'), lost(1, 'b', 'y')], ['x', 'y']],
  ['one fits more closely', [lost(0, 'a', 'xy'), lost(1, 'b', 'y')], ['x', 'y']],
  ['both fit the only one', [lost(0, 'a', 'x'), lost(1, 'b', 'x')], ['? x', '? x']],
  ['both fit the same two', [lost(0, 'a', 'xy'), lost(1, 'b', 'xy')], ['? xy', '? xy']],
  ['each may have made a third', [lost(0, 'a', 'xy'), lost(1, 'b', 'yz')], ['? xy', '? yz']],
  ['something that differs', [lost(0, 'a', '', 'x')], ['? x']],
  ['something that differs, beside one', [lost(0, 'a', 'x', 'y')], ['? xy']],
  ['what differs belongs to another', [lost(0, 'a', '', 'x'), lost(1, 'b', 'x')], ['not done', 'x']],
])('%s', (_, all, expected) => {
  expect(verdicts(all)).toEqual(expected);
});
