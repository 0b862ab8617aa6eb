import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hunk } from '../../../src/workflows/change-diff/change.js';
import { compareTexts, countWords, tokensOf } from '../../../src/workflows/change-diff/compare-texts.js';
import { runs } from '../../runs.js';

/** Texts of pages compared: what is shown is true of both texts, and bounded whatever they are. */

const marked = (hunks: readonly Hunk[] = []) =>
  hunks
    .flatMap(({ parts }) => parts)
    .map(({ change, text }) =>
      change === 'same' ? text : change === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    .join('');

/** One side of a hunk. */
const sideOf = ({ parts }: Hunk, without: 'added' | 'removed') =>
  parts.flatMap(({ change, text }) => (change === without ? [] : [text])).join('');

function applied(before: string, hunks: readonly Hunk[]): string {
  const lines = before.match(/[^\n]*\n/g) ?? [];
  let [result, at] = ['', 0];
  for (const hunk of hunks) {
    const start = hunk.before.line - 1;
    result += lines.slice(at, start).join('');
    expect(lines.slice(start, start + hunk.before.lines).join('')).toBe(sideOf(hunk, 'added'));
    result += sideOf(hunk, 'removed');
    at = start + hunk.before.lines;
  }
  return result + lines.slice(at).join('');
}

describe('two texts', () => {
  it('that are the same, or end or break their lines in another way, have no difference', () => {
    expect(compareTexts('one\ntwo', 'one\r\ntwo\n')).toBeUndefined();
    expect(compareTexts('', '')).toBeUndefined();
  });

  it('differ by words, with three lines around', () => {
    const before = `${'above\n'.repeat(5)}Run the old setup now.\n${'below\n'.repeat(5)}`;
    const found = compareTexts(before, before.replace('old setup', 'new quick setup'));
    expect(marked(found?.hunks)).toBe(
      'above\nabove\nabove\nRun the [-old-]{+new quick+} setup now.\nbelow\nbelow\nbelow\n',
    );
    expect(found?.hunks?.[0]).toMatchObject({ before: { line: 3, lines: 7 }, after: { line: 3, lines: 7 } });
    expect(found).toMatchObject({ words: { added: 2, removed: 1 }, compared: 'words' });
  });

  it('with little in common are shown as whole lines', () => {
    const found = compareTexts('Alpha beta gamma delta epsilon zeta\n', 'One two three four five six zeta\n');
    expect(marked(found?.hunks)).toBe(
      '[-Alpha beta gamma delta epsilon zeta\n-]{+One two three four five six zeta\n+}',
    );
  });

  it('turn into each other by the hunks, whatever they are', () => {
    const pieces = ['a', 'b', 'word', ' ', ' ', '\n', '\n', '.', 'Слово', '語', '👩‍💻', '\u202e', '`'];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((some) => `${some.join('')}\n`);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const found = compareTexts(before, after);
        if (before === after) expect(found).toBeUndefined();
        else expect(applied(before, found?.hunks ?? [])).toBe(after);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('large texts', () => {
  const words = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

  it('that differ everywhere are compared by lines', () => {
    const found = compareTexts(`${words('a', 3000).join('\n')}\n`, `${words('b', 3000).join('\n')}\n`);
    expect(found).toMatchObject({ compared: 'lines', words: { added: 3000, removed: 3000 } });
    expect(found?.hunks).toHaveLength(1);
  });

  it('in one line are compared by lines, too', () => {
    const found = compareTexts(`${words('a', 40_000).join(' ')}\n`, `${words('b', 40_000).join(' ')}\n`);
    expect(found).toMatchObject({ compared: 'counted', words: { added: 40_000, removed: 40_000 } });
    const smaller = compareTexts(words('a', 20_000).join(' '), words('b', 20_000).join(' '));
    expect(smaller).toMatchObject({ compared: 'lines', words: { added: 20_000, removed: 20_000 } });
  });

  it('are counted and not shown where too much of them differs', () => {
    const found = compareTexts('', 'word '.repeat(200_000));
    expect(found).toEqual({ compared: 'counted', words: { added: 200_000, removed: 0 } });
  });

  it('show a small change, however long they are', () => {
    const long = 'The same line of a long page.\n'.repeat(100_000);
    const found = compareTexts(`${long}end\n`, `${long}start\n`);
    expect(marked(found?.hunks)).toMatch(/\[-end\n-\]\{\+start\n\+\}$/);
  });
});

describe('words', () => {
  it('are those of any script; marks and emoji stay whole', () => {
    expect(tokensOf('Наша ёлка, über naïve')).toEqual(['Наша', ' ', 'ёлка', ',', ' ', 'über', ' ', 'naïve']);
    expect(tokensOf('文書を読む')).toEqual(['文', '書', 'を', '読', 'む']);
    expect(tokensOf('e\u0301a 👩‍💻👍🏽🇩🇪')).toEqual(['e\u0301a', ' ', '👩‍💻', '👍🏽', '🇩🇪']);
    expect(tokensOf('a\n\n  b')).toEqual(['a', '\n', '\n', '  ', 'b']);
  });

  it('are counted between spaces', () => {
    expect(countWords('one, two-three  four\n')).toBe(3);
    expect(countWords('文書 one')).toBe(3);
    expect(countWords(' \n')).toBe(0);
  });
});
