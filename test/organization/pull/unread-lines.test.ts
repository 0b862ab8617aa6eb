import { expect, test } from 'vitest';
import { withUnread } from '../../../src/organization/pull/new-files.js';

/** The comment at the top of a file that names what could not be read. */

const head = '# The last "docs pull" could not read all that this file names:';
const schema = '# yaml-language-server: $schema=./.schemas/teams.json';
const lines = (...all: string[]) => [...all, ''].join('\n');

test.each<[string, string, string[], string]>([
  ['at the top', lines('teams: []'), ['A.', 'B.'], lines(head, '# - A.', '# - B.', 'teams: []')],
  ['below the schema', lines(schema, 'teams: []'), ['A.'], lines(schema, head, '# - A.', 'teams: []')],
  [
    'in place of the last one',
    lines(head, '# - A.', 'teams: []'),
    ['B.'],
    lines(head, '# - B.', 'teams: []'),
  ],
  ['no more once all was read', lines(head, '# - A.', 'teams: []'), [], lines('teams: []')],
  ['with the line breaks of the file', 'teams: []\r\n', ['A.'], `${head}\r\n# - A.\r\nteams: []\r\n`],
])('stands %s', (_, text, sentences, told) => {
  expect(withUnread(text, sentences)).toBe(told);
});
