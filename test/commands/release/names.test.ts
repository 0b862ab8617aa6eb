import { describe, expect, it } from 'vitest';
import { pathOf, sectionTitleOf, titlesOf, versionOf } from '../../../src/commands/release/site.js';

const again = (path: string) => `docs sites release cut x --path ${path}`;

describe('the path of a version', () => {
  it.each(['2.1', 'v2', '2026-11', 'next_rc.1', '~x'])('%s is one as it is', (version) => {
    expect(pathOf(version, undefined, again)).toBe(version);
  });

  it.each([
    ['v2.1/α', 'v2.1'],
    ['Été 2026', 'ete-2026'],
    ['..', '<path>'],
    ['α', '<path>'],
    ['2 1', '2-1'],
    ['x'.repeat(101), 'x'.repeat(100)],
  ])('%s is not one, and the nearest is named', (version, near) => {
    expect(() => pathOf(version, undefined, again)).toThrow(
      expect.objectContaining({
        code: 'invalid_path',
        failure: expect.objectContaining({ hint: again(near) }),
      }),
    );
    expect(pathOf(version, 'given', again)).toBe('given');
  });
});

describe('titles', () => {
  it('are made of the pattern, whose words may come in any order and twice', () => {
    expect(titlesOf(['API', 'Guide'], '2.1', '{title} {version}')).toEqual(['API 2.1', 'Guide 2.1']);
    expect(titlesOf(['A{version}'], '$&', '{version}: {title}')).toEqual(['$&: A{version}']);
  });

  it.each([
    [['A'.repeat(47)], '2.1', '{title} {version}', 'title_too_long'],
    [['API'], '2.1', '{title}', 'title_taken'],
    [['API'], '2.1', ' ', 'title_taken'],
    [['A', 'B'], '2.1', '{version}', 'title_pattern'],
  ])('%j %s %s is refused', (originals, version, pattern, code) => {
    expect(() => titlesOf(originals, version, pattern)).toThrow(expect.objectContaining({ code }));
  });

  it('count characters, not their halves', () => {
    expect(titlesOf(['😀'.repeat(46)], '2.1', '{title} {version}')).toHaveLength(1);
  });

  it('of sections have two to 64 characters', () => {
    expect(sectionTitleOf('v2')).toBe('v2');
    for (const version of ['2', 'x'.repeat(65)])
      expect(() => sectionTitleOf(version)).toThrow(expect.objectContaining({ code: 'section_title' }));
  });
});

it('a version is trimmed, and is neither empty nor has control characters', () => {
  expect(versionOf(' 2.1 ')).toBe('2.1');
  for (const typed of ['', ' ', '2\u001b[31m', '2\n1'])
    expect(() => versionOf(typed)).toThrow(expect.objectContaining({ code: 'invalid_version' }));
});
