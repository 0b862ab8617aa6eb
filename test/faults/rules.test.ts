import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules, tableOf } from './rules.js';

/** The table of README.md is whole, and names tests that there are. */

const at = (file: string): URL => new URL(`../${file}`, import.meta.url);

test('no sentence is missing: as many rules a section as it has sentences and rows', () => {
  const counts = Object.entries(rules).map(([section, entries]) => [section, entries.length]);
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
  for (const { rule, tests } of Object.values(rules).flat())
    expect({ rule, tests: tests.length > 0 }).toEqual({ rule, tests: true });
});

test('every test that is named exists', () => {
  const named = Object.values(rules).flatMap((entries) => entries.flatMap(({ tests }) => tests));
  const missing = named.filter((text) => {
    const [file = '', name = ''] = text.split(' › ');
    // A name in quotes is written with its own quotes escaped.
    const source = readFileSync(at(file), 'utf8').replaceAll("\\'", "'");
    return name === '' || !source.includes(name);
  });
  expect(missing).toEqual([]);
});

test('README.md shows the table as it is', () => {
  const readme = readFileSync(at('faults/README.md'), 'utf8');
  expect(readme.slice(readme.indexOf('### '))).toBe(tableOf(rules));
});
