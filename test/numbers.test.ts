import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootEntries } from '../src/cli/declare/ways.js';
import { helpLook } from '../src/cli/help/layout.js';
import { previews } from '../src/cli/help/previews.js';
import { helpTopicNames } from '../src/cli/help/topic-names.js';
import { topicText } from '../src/cli/help/topics.js';
import { groups } from '../src/commands/index.js';
import { boundaries } from '../src/policy/boundaries.js';

/** Counts that prose states, each beside what the program has. Any other count goes, or gets a row. */

const words = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const countOf = (text: string): number =>
  words.includes(text) ? words.indexOf(text) + 2 : Number(text.replaceAll(',', ''));

const counted = new RegExp(
  `\\b(\\d[\\d,]*|${words.join('|')}) (commands|operations|tools|topics|headings|kinds of callers|ways to preview|ways to look)\\b`,
  'gi',
);

const topics = new Set(groups.map(({ topic }) => topic));

const actual: Readonly<Record<string, number>> = {
  commands: rootEntries(groups).length,
  headings: topics.size,
  'kinds of callers': Object.keys(boundaries).length,
  'ways to preview': previews.length,
  'ways to look': previews.length,
};

const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync('docs/guide')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs/guide', name)),
];

const texts: readonly (readonly [name: string, text: string])[] = [
  ...pages.map((path) => [path, proseOf(readFileSync(path, 'utf8'))] as const),
  ...helpTopicNames.map(
    (topic) => [`docs help ${topic}`, topicText(topic, helpLook(undefined)).replaceAll(/\s+/g, ' ')] as const,
  ),
];

/** Without blocks, whose outputs are compared as they are run. */
function proseOf(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/\s+/g, ' ');
}

const claims = texts.flatMap(([name, text]) =>
  [...text.matchAll(counted)].map(([phrase, count = '', noun = '']) => ({ name, phrase, count, noun })),
);

describe('a count in prose', () => {
  it('is found in some places', () => {
    expect(claims.map(({ phrase }) => phrase.toLowerCase())).toContain('four ways to preview');
  });

  it.each(claims)('$name: $phrase', ({ count, noun }) => {
    expect(countOf(count.toLowerCase())).toBe(actual[noun.toLowerCase()]);
  });
});
