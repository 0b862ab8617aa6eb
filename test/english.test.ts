import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/api/resources/index.js';
import { type Command, type Group, isGroup } from '../src/cli/declare/command.js';
import { globalOptions } from '../src/cli/declare/global-options.js';
import { helpLook } from '../src/cli/help/layout.js';
import { helpTopicNames } from '../src/cli/help/topic-names.js';
import { topicText } from '../src/cli/help/topics.js';
import { groups } from '../src/commands/index.js';
import { filesIn, textsOf } from './source-texts.js';

/** The English of what users read, where a rule can hold it. A summary may begin with any verb: add it here. */

const verbs = [
  'Add Adopt Apply Approve Arrange Back Change Check Comment Create Define Delete Duplicate Edit',
  'Explain Find Get Import Install Join Link List Make Manage Mark Merge Move Open Print Publish',
  'Pull Read Remove Rename Replace Reply Reset Restore Resume Review Run Search Send Serve Set Show',
  'Sign Start Stop Switch Teach Test Transfer Undo Update Verify Wait Write',
].flatMap((line) => line.split(' '));

/** The pages that are written by hand. */
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs/guide', 'docs/contributing', 'docs/decisions'].flatMap((folder) => filesIn(folder, '.md')),
];

const guide = pages.filter((path) => path.startsWith('docs/guide'));

interface Text {
  of: string;
  text: string;
}

const nodes = (
  await Promise.all(groups.map(async ({ name, load }) => nodesIn(`docs ${name}`, await load())))
).flat();

function nodesIn(path: string, node: Command | Group): { path: string; node: Command | Group }[] {
  const below = isGroup(node) ? [...(node.own ? [node.own] : []), ...node.commands] : [];
  return [{ path, node }, ...below.flatMap((child) => nodesIn(`${path} ${child.name}`, child))];
}

describe('a summary', () => {
  const summaries: Text[] = [
    ...nodes.map(({ path, node }) => ({ of: path, text: node.summary })),
    ...operations.map(({ id, summary }) => ({ of: `operation ${id}`, text: summary })),
  ];

  it('is a verb phrase', () => {
    expect(summaries.filter(({ text }) => !verbs.includes(text.split(/[ ,]/)[0] ?? ''))).toEqual([]);
  });

  it('is at most 60 characters long, without a full stop', () => {
    expect(summaries.filter(({ text }) => text.length > 60 || text.endsWith('.'))).toEqual([]);
  });
});

describe('what the root help says of a group', () => {
  it('is at most 22 characters long, so that two stand side by side', () => {
    expect(groups.filter(({ summary }) => summary.length > 22 || summary.endsWith('.'))).toEqual([]);
  });
});

describe('the why of a command or group', () => {
  it('is at most two sentences', () => {
    const whys: Text[] = nodes.map(({ path, node }) => ({ of: path, text: node.why ?? '' }));
    expect(whys.filter(({ text }) => text.split(/[.!?](?:\s|$)/).length > 3)).toEqual([]);
  });
});

/** Turns that a native speaker does not write; `there is no`, `is no longer` and `told apart` are fine. */
const foreign =
  /(?<!\bthere )\b(?:is|are) no\b(?! longer)|\b(?:is|are) told\b(?! apart)|\bnothing is known\b|\bis at it\b/gi;
/** Further ones that the pages and topics are free of. */
const stilted =
  /\bfor ever\b(?! on)|\banew\b|\bwhat came of\b|\bstands? (?:in|on|below|above|behind|beside)\b|\bthat there are\b|\bhas to do with\b|\bbad days?\b/gi;

/** Turns that help and guide are free of; people tell and tell apart, programs do not tell. */
const mannered =
  /\bnothing but\b|\b(?:some|no|every)body\b|\btak(?:es?|en) (?:it )?back\b|\b(?:that|and|which|platform|it) tells\b|\bdoes not tell\b|\brests? on\b/gi;

/** What the API lacks is said as such: readers know no operations. */
const noOperation = /\bno operation\b/gi;

const foreignIn = (text: string, turns = [foreign]): string[] =>
  turns.flatMap((pattern) =>
    [...text.replaceAll(/\s+/g, ' ').matchAll(pattern)].map(({ 0: turn, index, input }) =>
      input.slice(Math.max(0, index - 40), index + turn.length + 30),
    ),
  );

/** A source file without its comments: what has blanks between words is then in a text. */
const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

describe('foreign turns', () => {
  it.each([
    ['x is no folder', true],
    ['all of them are told', true],
    ['Nothing is known of it', true],
    ['there is no team "x"', false],
    ['There are no faults', false],
    ['x is no longer set', false],
    ['is not a folder', false],
  ])('%s: %s', (text, found) => {
    expect(foreignIn(text).length > 0).toBe(found);
  });

  it.each(filesIn('src', '.ts'))('are not in the texts of %s', (path) => {
    expect(foreignIn(withoutComments(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.each(filesIn('docs/guide', '.txt'))('are not in %s', (path) => {
    expect(foreignIn(readFileSync(path, 'utf8'))).toEqual([]);
  });

  it.each(pages)('are not in %s', (path) => {
    expect(foreignIn(readFileSync(path, 'utf8'), [foreign, stilted])).toEqual([]);
  });

  it.each(helpTopicNames)('are not in docs help %s', (topic) => {
    expect(foreignIn(topicText(topic, helpLook(undefined)), [foreign, stilted])).toEqual([]);
  });
});

describe('mannered turns', () => {
  const described = nodes.flatMap(({ path, node }): Text[] => {
    const parts = isGroup(node) ? [] : [...node.args, ...node.options];
    const examples = isGroup(node) ? [] : node.examples.map(({ does }) => does);
    const texts = [node.summary, node.why ?? '', ...parts.map(({ description }) => description), ...examples];
    return texts.map((text) => ({ of: path, text }));
  });

  it('are not in the help of a command', () => {
    expect(described.filter(({ text }) => foreignIn(text, [mannered, noOperation]).length > 0)).toEqual([]);
  });

  it.each(helpTopicNames)('are not in docs help %s', (topic) => {
    expect(foreignIn(topicText(topic, helpLook(undefined)), [mannered, noOperation])).toEqual([]);
  });

  it.each(guide)('are not in the prose of %s', (path) => {
    expect(
      proseOf(readFileSync(path, 'utf8')).flatMap((block) => foreignIn(block, [mannered, noOperation])),
    ).toEqual([]);
  });
});

/** Whose texts are words that people search for, not words of docs. */
const searched = ['src/agents/find/synonyms.ts', 'src/model/cannot.ts', 'src/base/words.ts'];
/** Further turns that outputs are free of. */
const translated =
  /\bunless told\b|\bfor good\b|\bseat belt\b|\bas told\b|\bcame of it\b|\b(?:null|absent|left out) where [a-z]+ (?!=)[a-z]/g;

describe('texts of the sources', () => {
  const texts = filesIn('src', '.ts')
    .filter((path) => !searched.includes(path) && !path.startsWith('src/sandbox/store'))
    .flatMap((path) => textsOf(path).map((text): Text => ({ of: path, text })));

  it('have no mannered turns, and say what the API cannot do', () => {
    const found = texts.flatMap(({ of, text }) =>
      foreignIn(text, [mannered, noOperation, translated]).map((turn) => `${of}: ${turn}`),
    );
    expect(found).toEqual([]);
  });

  it('have at most 150 clauses with "what"', () => {
    const sentences = texts.filter(({ text }) => /\bwhat (?!if\b)/i.test(text) && /\s\S+\s/.test(text));
    expect(sentences.length).toBeLessThanOrEqual(150);
  });
});

describe('clauses with "what"', () => {
  const counted = (texts: string[]) => texts.flatMap((text) => text.match(/\bwhat\b/gi) ?? []).length;

  it('become no more than 34 in the guide', () => {
    const prose = guide.flatMap((path) => proseOf(readFileSync(path, 'utf8')));
    expect(counted(prose)).toBeLessThanOrEqual(34);
  });

  it('become no more than 18 in the whys of help', () => {
    expect(counted(nodes.map(({ node }) => node.why ?? ''))).toBeLessThanOrEqual(18);
  });
});

describe('a page that people read whole', () => {
  it.each([
    ['CHANGELOG.md', 80],
    ['README.md', 80],
    ['docs/guide/policy.md', 250],
  ])('%s is at most %i lines long', (path, lines) => {
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(lines);
  });
});

describe.each(pages)('%s', (path) => {
  const prose = proseOf(readFileSync(path, 'utf8'));

  it('has headings that people search for, no riddles', () => {
    const headings = prose.filter((line) => line.startsWith('#'));
    expect(headings.filter((line) => /^#+ (?:What|Where|When|How|Why)\b/.test(line))).toEqual([]);
    expect(headings.filter((line) => /^##+(?: \S+){8}/.test(line))).toEqual([]);
  });

  it('has no sentence of more than 40 words', () => {
    const sentences = prose.flatMap((block) => block.split(/(?<=[.:;?!])\s/));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 40)).toEqual([]);
  });
});

/** Headings, paragraphs and items of a page, each on one line; no code and no tables. */
function proseOf(page: string): string[] {
  const text = page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/^\|.*$/gm, '');
  return text.split(/\n\n+|\n(?=- |\d+\. )/).map((block) => block.replaceAll(/\s+/g, ' ').trim());
}

describe('a flag that a help text names', () => {
  const commands = nodes.flatMap(({ node }) => (isGroup(node) ? [] : [node]));
  const flags = new Set(
    [...globalOptions, ...commands.flatMap(({ options }) => options)].flatMap(({ name, boolean }) => [
      name,
      ...(boolean === 'no' || boolean === 'only-no' ? [`no-${name}`] : []),
      ...(typeof boolean === 'string' ? [boolean] : []),
    ]),
  );

  it('is one of a command', () => {
    const unknown = nodes.flatMap(({ path, node }) => {
      const described = isGroup(node) ? [] : [...node.args, ...node.options];
      const texts = [node.summary, node.why ?? '', ...described.map(({ description }) => description)];
      const named = texts.flatMap((text) => [...text.matchAll(/--([a-z][a-z-]*)(?!…)\b/g)]);
      return named.flatMap(([flag, name = '']) => (flags.has(name) ? [] : [`${path}: ${flag}`]));
    });
    // A flag that docs does not have, so that no token is read from a command line.
    expect(unknown).toEqual(['docs auth: --token']);
  });
});
