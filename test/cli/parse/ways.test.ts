import { describe, expect, it } from 'vitest';
import { outlineTree } from '../../../src/cli/declare/outline.js';
import { placeOf, presentPath, rootEntries } from '../../../src/cli/declare/ways.js';
import { rootHelp } from '../../../src/cli/help/help.js';
import { helpLook } from '../../../src/cli/help/layout.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

const ways = groups.flatMap((entry) => Object.entries(entry.ways ?? {}));
const paths = (await outlineTree(groups)).map(({ path }) => path);

describe('other words for a command', () => {
  it.each(ways)('docs %s is docs %s', async (words, path) => {
    const walked = await walk(words.split(' '), groups);
    expect([walked.path.join(' '), walked.unknown]).toEqual([path, undefined]);
    expect(paths.some((one) => one === path || one.startsWith(`${path} `))).toBe(true);
  });

  it.each([
    ['trash restore s1', 'spaces trash restore', ['s1']],
    ['sites groups delete g1 --yes', 'section-groups delete', ['g1']],
    ['access what-if --level s1=none', 'impact access', []],
    ['drift --full', 'plan drift', []],
    ['schema members update', 'commands schema', ['members', 'update']],
    ['commands members', 'commands', ['members']],
  ])('docs %s runs docs %s', async (line, path, args) => {
    const walked = await walk(line.split(' '), groups);
    expect([walked.path.join(' '), walked.args, walked.unknown]).toEqual([path, args, undefined]);
  });

  it('name no command that is there under these words', () => {
    for (const [words] of ways) expect(paths.filter((one) => `${one} `.startsWith(`${words} `))).toEqual([]);
  });

  it('are not in the root help', () => {
    const text = rootHelp(groups, helpLook(80));
    for (const [words] of ways) expect(text).not.toMatch(new RegExp(`^ +${words} {2}`, 'm'));
  });

  it('place a group in another, which shows it', () => {
    const placed = groups.filter((entry) => placeOf(entry) !== undefined).map(({ name }) => name);
    expect(placed).toEqual(['saml', 'sections', 'section-groups', 'site-spaces']);
    expect(rootEntries(groups)).toHaveLength(groups.length - placed.length);
  });

  it('leave the path of a command of today as it is', () => {
    for (const path of paths) expect(presentPath(path, groups)).toBe(path);
  });
});
