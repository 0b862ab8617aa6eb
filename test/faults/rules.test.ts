import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The tables of README.md, one a section of RELIABILITY.md, are whole, and name tests that there are. */

const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** The rows of each section. A row without a rule has one more test of the rule above it. */
const sections = textOf('faults/README.md')
  .split('\n### ')
  .slice(1)
  .map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const rows = lines
      .filter((line) => line.startsWith('| '))
      .slice(1)
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));
    return { heading, rows: rows.map(([, rule = '', file = '', name = '']) => ({ rule, file, name })) };
  });

test('no sentence is missing: as many rules a section as it has sentences and rows', () => {
  const counts = sections.map(({ heading, rows }) => [
    heading,
    rows.filter(({ rule }) => rule !== '').length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    'Held by everything': 2,
    Retries: 20,
    'Time, memory, signals': 15,
    'Secrets and origins': 15,
    'What the platform sends is not trusted': 9,
    'Proxies and certificates': 3,
    'Many items': 8,
    'The sandbox': 3,
  });
});

test('every test that is named exists', () => {
  const missing = sections
    .flatMap(({ rows }) => rows)
    // A name in quotes is written with its own quotes escaped.
    .filter(({ file, name }) => name === '' || !textOf(file).replaceAll("\\'", "'").includes(name));
  expect(missing).toEqual([]);
});
