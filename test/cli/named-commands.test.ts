import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shellWords } from '../../src/base/shell-word.js';
import { guidePages } from '../../src/cli/help/guide.js';
import { guideTopic, isHelpTopic } from '../../src/cli/help/topic-names.js';
import { walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import { filesIn, textsOf, value } from '../source-texts.js';

/** Every command and flag that a text of docs names is there: help, errors, hints, descriptions and the guide. */

/** Lines that are commands, whole: in quotes, or a text of their own. Placeholders and values stand for a word. */
function linesIn(text: string): string[] {
  const quoted = [...text.matchAll(/[`"](docs [^`"]+)[`"]/g)].map(([, line = '']) => line);
  const whole =
    /^docs (?!does|has|already|change$|- )/.test(text) && !/[.;:,!?](\s|$)/.test(text) ? [text] : [];
  return [...whole, ...quoted];
}

/** The commands of a page: in back quotes, and the lines of its blocks. */
function linesOfPage(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:sh|shell|bash)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const typed = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const prose = page.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/\s+/g, ' ');
  const aliases = [...page.matchAll(/alias set ([\w-]+)/g)].map(([, name]) => `docs ${name} `);
  const inline = [...prose.matchAll(/`((?:\$ )?docs [^`]+)`/g)].map(([, line = '']) => line);
  const lines = [...inline, ...typed.filter((line) => /^(?:\$ )?docs /.test(line))];
  return lines.filter((line) => !aliases.some((alias) => line.startsWith(alias)));
}

/** What is wrong with a line; undefined where nothing is. */
async function mistakeIn(line: string): Promise<string | undefined> {
  const [command = ''] = line.replace(/^\$ /, '').split(/ (?:[|>]|2>|&&|;|#|<(?= )) ?|\$\(| \\$/);
  const words = shellWords(command).slice(1);
  const typed = words.filter((word) => word !== '[flags]');
  if (typed[0]?.startsWith(value)) return undefined;
  const end = typed.findIndex((word) => /^[<[…(]|…|^\.{3}$/.test(word));
  const known = end === -1 ? typed : typed.filter((word, at) => at < end || word.startsWith('--'));
  const { unknown, stray, help } = await walk(
    known.map((word) => word.replace(/…$/, '')),
    groups,
  );
  if (help && unknown !== undefined)
    return isHelpTopic(unknown.word) ||
      unknown.word === guideTopic.name ||
      guidePages().includes(unknown.word)
      ? undefined
      : `${line}: ${unknown.word}`;
  return unknown === undefined && stray === undefined
    ? undefined
    : `${line}: ${unknown?.word ?? stray?.flag}`;
}

async function mistakesIn(lines: readonly string[]): Promise<string[]> {
  const found = await Promise.all([...new Set(lines)].map(mistakeIn));
  return found.filter((mistake) => mistake !== undefined).sort();
}

it('in the sources, each command that a text names is there, with its flags', async () => {
  const lines = filesIn('src', '.ts').flatMap((file) => textsOf(file).flatMap(linesIn));
  expect(lines.length).toBeGreaterThan(500);
  expect(await mistakesIn(lines)).toEqual([]);
});

it.each(
  ['README.md', ...filesIn('docs/guide', '.md'), ...filesIn('docs/contributing', '.md')].map((page) => [
    page,
  ]),
)('in %s, each command is there, with its flags', async (page) => {
  expect(await mistakesIn(linesOfPage(readFileSync(page, 'utf8')))).toEqual([]);
});
