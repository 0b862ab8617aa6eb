import fc from 'fast-check';
import { anyText } from '../../any-text.js';

/** Texts that a file of YAML, a table or a path may trip over. */

const hostile = [
  'null',
  '~',
  'yes',
  'No',
  'on',
  'true',
  '1.0',
  '1e3',
  '0x1f',
  '007',
  '12:30:45',
  '2026-01-05',
  '.inf',
  '.nan',
  '=',
  '<<',
  '---',
  '...',
  '- a',
  '? a',
  'a: b',
  'a:b',
  'key:',
  ': ',
  '# not a comment',
  'a #b',
  '&anchor',
  '*alias',
  '!tag',
  '!env TOKEN',
  '!file /etc/passwd',
  '%YAML 1.2',
  '@at',
  '`tick`',
  '[flow]',
  '{flow: map}',
  'a, b',
  '| literal',
  '> folded',
  '"quoted"',
  "'single'",
  "it's",
  'back\\slash',
  '\\n',
  ' leading',
  'trailing ',
  '  both  ',
  'two\nlines',
  'ends\n',
  'tab\there',
  '\ttab first',
  'nbsp\u00a0here',
  'next\u0085line',
  'line\u2028separator',
  '\ufeffbom',
  'zero\u200bwidth',
  'שלום עולם',
  '\u202eoverride',
  'Zoë',
  'Zoe\u0308',
  'ﬁligree',
  '日本語',
  '👩‍💻 developers',
  '🏳️‍🌈',
  '🇪🇺',
  '$(id)',
  'a/b',
  '..',
  '../up',
  'constructor',
  '__proto__',
  'id:abc',
  'x'.repeat(50),
  'long '.repeat(10),
] as const;

const plain = ['Guides', 'Writers', 'API', 'Handbook', 'Release Notes', 'guides'] as const;

/**
 * A title: plain ones that come again and again, hostile ones, and random Unicode.
 * @param least lowest number of characters @param most highest
 */
export function title(least: number, most: number): fc.Arbitrary<string> {
  const fits = (text: string) => [...text].length >= least && [...text].length <= most;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...plain.filter(fits)), weight: 4 },
    { arbitrary: fc.constantFrom(...hostile.filter(fits)), weight: 5 },
    { arbitrary: random(least, Math.min(most, 30)), weight: 1 },
  );
}

/** Plain and hostile titles of so many characters. */
export function hostileTitles(least: number, most: number): string[] {
  const fits = (text: string) => [...text].length >= least && [...text].length <= most;
  return [...plain, ...hostile].filter(fits);
}

/** Any text without zero bytes, which no JSON of the platform holds. */
function random(least: number, most: number): fc.Arbitrary<string> {
  return anyText({ minLength: least, maxLength: most }).map((text) => text.replaceAll('\0', '?'));
}

/** A text or null. */
export function maybe(text: fc.Arbitrary<string>): fc.Arbitrary<string | null> {
  return fc.option(text, { nil: null });
}

/** Names of custom fields; YAML takes several for numbers, null or booleans. */
export const fieldName = fc.constantFrom(
  ...['audience', 'owner-team', 'null', 'true', 'yes', 'on', '1', '007', '1e3', '0x1f', '-', '--', '_'],
  ...['review-by', 'constructor', '__proto__', 'a'.repeat(50), '2026-01-05'],
);

export const slug = fc.constantFrom('public-api', 'null', '0', '1-0', 'true', 'billing', '007', '1e3', 'v2');

/** Paths of sections and site spaces, and basenames. */
export const path = fc.constantFrom('guide', 'api', 'null', '1.0', '~', '0', 'Yes', 'a.b', '_', 'v2/api');

export const claim = fc.constantFrom('beta', 'partner', 'on_call', 'plan2');

/** The part of an email before its number. */
export const local = fc.constantFrom(
  'ada',
  'bo',
  'null',
  "o'hara",
  'a+b',
  '1e',
  '#x',
  'Émile',
  'true',
  'X.Y',
);

/** Conditions that the platform takes. */
export const condition = fc.constantFrom(
  'visitor.claims.beta',
  '!visitor.claims.beta',
  'visitor.claims.plan == "pro: plus" && visitor.claims.beta',
  "visitor.claims.team in ['a', 'b']",
  '[1, 2].includes(visitor.claims.age)',
);

export const emoji = fc.constantFrom('', '📘', '👩‍💻', '🏳️‍🌈', '🇪🇺', '1️⃣', '🛠️');
export const icon = fc.constantFrom('house', 'plug', 'null', 'yes', '0', 'code');
