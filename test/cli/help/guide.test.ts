import { readdirSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup } from '../../../src/cli/declare/command.js';
import { type GuideReader, guideHelp } from '../../../src/cli/help/guide.js';
import { helpText } from '../../../src/cli/help/help.js';
import { helpLook } from '../../../src/cli/help/layout.js';
import { isHelpTopic } from '../../../src/cli/help/topic-names.js';
import { topicText } from '../../../src/cli/help/topics.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

/** `docs help guide`: every page of the guide, whole, by section, and as people read it on a terminal. */

const pages = readdirSync('docs/guide').flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
const sourceOf = (page: string) => readFileSync(`docs/guide/${page}.md`, 'utf8');
const pipe: GuideReader = { isTTY: false, columns: undefined, chalk: undefined };
const terminal = (columns: number): GuideReader => ({ isTTY: true, columns, chalk: new Chalk({ level: 1 }) });
const shown = async (words: readonly string[], reader: GuideReader) =>
  stripVTControlCharacters((await guideHelp(words, reader)) ?? '');
const heldBack = async (...words: string[]) => guideHelp(words, pipe).catch((cause: unknown) => cause);

describe('a page', () => {
  const named = new Set<string>();
  it.each(pages)('%s is its Markdown in a pipe', async (page) => {
    expect(await guideHelp(['guide', page], pipe)).toBe(sourceOf(page));
    expect(await guideHelp([page], pipe)).toBe(sourceOf(page));
  });

  it.each(pages)('%s fits terminals, but for code; its links are to run or to open', async (page) => {
    const linked = [...sourceOf(page).matchAll(/\]\(([^)\s:]+)\)/g)].map(([, target]) => `(${target})`);
    const text = await shown(['guide', page], terminal(60));
    expect(text).toMatch(/^# \S/);
    expect(text).not.toMatch(/^```|^<!--/m);
    const prose = text.split('\n').filter((line) => !line.startsWith('    '));
    expect(prose.filter((line) => stringWidth(line) > 60)).toEqual([]);
    const flowing = prose.join(' ').replaceAll(/\s+/g, ' ');
    expect(linked.filter((target) => flowing.includes(target))).toEqual([]);
    for (const [, words = ''] of flowing.matchAll(/\(docs help (guide [\w -]+)\)/g)) named.add(words);
  });

  it('that a link names is there', async () => {
    expect(named.size).toBeGreaterThan(20);
    for (const words of named) expect(await shown(words.split(' '), pipe)).toMatch(/^#/);
  });
});

it('links name the page and the section that they lead to', async () => {
  const text = (await shown(['guide', 'policy'], terminal(120))).replaceAll(/\s+/g, ' ');
  expect(text).toContain('MCP (docs help guide agents mcp)');
  expect(text).toContain('Boundaries (docs help guide policy boundaries)');
});

it('a section goes up to the next of its rank, and takes those below it along', async () => {
  const text = String(await guideHelp(['bulk', 'jobs'], pipe));
  const rest = sourceOf('bulk').slice(sourceOf('bulk').indexOf(text));
  expect(text).toMatch(/^## Jobs\n/);
  expect(rest.slice(text.length)).toMatch(/^\n## Undo\n/);
  expect(await guideHelp(['guide', 'bulk', 'Jobs'], pipe)).toBe(text);
  expect(await guideHelp(['guide', 'sandbox', 'a', 'copy', 'of', 'your', 'organization'], pipe)).toBe(
    await guideHelp(['guide', 'sandbox', 'a-copy-of-your-organization'], pipe),
  );
});

it('the list has every page with its title', async () => {
  const text = await shown(['guide'], pipe);
  for (const page of pages) {
    const [title = ''] = sourceOf(page).split('\n');
    expect(text).toMatch(new RegExp(`^  ${page} +${title.slice(2).replace('?', '\\?')}$`, 'm'));
  }
  expect(await shown(['guide'], terminal(80))).toBe(text);
  expect(text.split('\n')[2]).toMatch(/^ {2}concepts /);
  expect(topicText('topics', helpLook(80))).toContain('  guide ');
});

it.each([
  [
    ['guide', 'bakup'],
    'guide page "bakup" not found. Did you mean docs help guide backup?',
    'docs help guide',
  ],
  [['guide', '../../package'], 'guide page "../../package" not found', 'docs help guide'],
  [['guide', 'sessions/README'], 'guide page "sessions/README" not found', 'docs help guide'],
  [['guide', '__proto__'], 'guide page "__proto__" not found', 'docs help guide'],
  [
    ['bulk', 'job'],
    'section "job" not found in guide page "bulk". Did you mean docs help guide bulk jobs?',
    'docs help guide bulk',
  ],
])('%j is a usage error', async (words, message, hint) => {
  expect(await heldBack(...words)).toMatchObject({ kind: 'usage', exitCode: 2, message, failure: { hint } });
});

it('a word that is no page is left to others', async () => {
  expect(await guideHelp(['ofboarding'], pipe)).toBeUndefined();
});

describe('the help of a command', () => {
  const helpOf = async (...words: string[]) => helpText(await walk(words, groups), groups, helpLook(80));

  it.each([
    ['backup', 'backup'],
    ['backup verify', 'backup'],
    ['backup restore', 'restore'],
    ['jobs list', 'bulk jobs'],
    ['members offboard', 'offboarding'],
    ['rehearse', 'rehearse'],
  ])('docs %s names the page %s', async (words, page) => {
    expect(await helpOf(...words.split(' '))).toMatch(
      new RegExp(`\nRun "docs help guide ${page}" for the guide\\.\n$`),
    );
  });

  it('names no page where there is none', async () => {
    expect(await helpOf('members', 'list')).not.toContain('docs help guide');
  });

  it('names only pages and sections that exist', async () => {
    const declared = (node: Command | Group): string[] => [
      ...(node.guide === undefined ? [] : [node.guide]),
      ...(isGroup(node) ? node.commands.flatMap(declared) : []),
    ];
    const all = (await Promise.all(groups.map(async ({ load }) => declared(await load())))).flat();
    expect(all.length).toBeGreaterThan(20);
    for (const words of new Set(all)) expect(await shown(['guide', ...words.split(' ')], pipe)).toMatch(/^#/);
  });

  it('names every page that has its name', async () => {
    const hidden = groups.map(({ name }) => name).filter((name) => pages.includes(name));
    expect(hidden).toContain('backup');
    for (const name of hidden) expect(await helpOf(name)).toContain(`"docs help guide ${name}"`);
  });
});

it('a topic has its commands in colour on a terminal, and the same words', () => {
  const painted = topicText('plans', helpLook(80, new Chalk({ level: 1 })));
  expect(painted).toContain('\x1b[36mdocs help org-as-code\x1b[39m');
  expect(stripVTControlCharacters(painted)).toBe(topicText('plans', helpLook(80)));
  expect(painted).not.toContain('`');
  expect(isHelpTopic('guide')).toBe(false);
});
