import { Chalk } from 'chalk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/output/markdown.js';
import { widthOf } from '../../src/output/text-width.js';
import { runs } from '../runs.js';

const plainly = (text: string, columns = 60, title?: string) =>
  renderMarkdown(text, { columns, chalk: undefined, ...(title !== undefined && { title }) });
const coloured = (text: string, columns = 60) =>
  renderMarkdown(text, { columns, chalk: new Chalk({ level: 1 }) });

/** What is left of a painted text once the colours that chalk writes are taken away. */
const unpainted = (text: string) => text.replaceAll(/\x1b\[\d+m/g, '');
const widest = (text: string) => Math.max(...text.split('\n').map((line) => widthOf(line)));

describe('Markdown on a terminal', () => {
  it('keeps headings, lists, quotes, code and links readable without colour', async () => {
    const text =
      '# Title\n\nSome **bold** `code` ~~old~~ [site](https://x.example).\n\n- a\n  1. b\n- [x] c\n\n> quoted\n\n```sh\ndocs  status\n```\n';
    expect(await plainly(text)).toBe(
      [
        '# Title',
        '',
        'Some bold `code` ~~old~~ site (https://x.example).',
        '',
        '• a',
        '  1. b',
        '• [x] c',
        '',
        '│ quoted',
        '',
        '    docs  status',
        '',
      ].join('\n'),
    );
  });

  it('has the same words in colour', async () => {
    const text = '# Title\n\nSome **bold** words and *more* of [them](https://x.example).';
    expect(unpainted(await coloured(text))).toBe(await plainly(text));
  });

  it('has its title above it, once', async () => {
    expect(await plainly('Text.', 60, 'Setup')).toBe('# Setup\n\nText.\n');
    expect(await plainly('# Setup\n\nText.', 60, 'Setup')).toBe('# Setup\n\nText.\n');
    expect(await plainly('', 60, 'Setup\x1b[2J')).toBe('# Setup␛[2J\n');
  });

  it('wraps tables within their cells, and lists the cells of those with too many columns', async () => {
    const long = `| name | about |\n|---|--:|\n| ada | ${'word '.repeat(40)}|\n`;
    expect(widest(await plainly(long))).toBeLessThanOrEqual(60);
    expect(await plainly(long)).toContain('ada');
    const wide = `${'| h '.repeat(30)}|\n${'|-'.repeat(30)}|\n${'| cell '.repeat(30)}|\n`;
    expect(await plainly(wide)).toContain('h: cell\nh: cell');
  });

  it('shows raw HTML and where links lead, and makes nothing of either', async () => {
    const shown = await coloured('<script>alert(1)</script>\n\n[click](javascript:alert(1)) <b>x</b>');
    expect(unpainted(shown)).toBe('<script>alert(1)</script>\n\nclick (javascript:alert(1)) <b>x</b>\n');
    expect(shown).not.toContain('\x1b]');
  });

  it.each([
    ['escape codes', '\x1b[2J\x1b]0;title\x07 text \x9b31m'],
    ['escape codes as entities', '&#27;[2J &#x9b;31m &#7;'],
    [
      'escape codes in code, HTML and addresses',
      '`\x1b[2J`\n\n    \x1b[2J\n\n<p \x1b[2J>\n\n[a](<x\x1b[2Jy>)',
    ],
    ['bidi controls', 'abc \u202egnp.exe\u202c | [a\u2067](x\u202e)'],
    ['escape codes in a table', '| a\x1b[2J | b |\n|---|---|\n| \x1b[2J | \u202e |'],
  ])('lets no %s through', async (_, text) => {
    const shown = unpainted(await coloured(text));
    expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });

  it.each([
    ['1 MB', `${'word '.repeat(200)}\n\n`.repeat(1000)],
    ['quotes 5,000 deep', `${'>'.repeat(5000)} x`],
    ['lists 2,000 deep', `${'- '.repeat(2000)}x`],
    ['40,000 open brackets', '['.repeat(40_000)],
    ['a word of 30,000 letters', 'x'.repeat(30_000)],
    ['a table of 2,000 columns', `${'| a '.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'| b '.repeat(2000)}|\n`],
  ])('comes through %s', async (_, text) => {
    const shown = await plainly(text);
    expect(shown.length).toBeGreaterThan(text.length / 6);
  });

  it('gives up indents where there is no room for them', async () => {
    const table = await plainly('> - 1. > word| a | b |\n|--|--|\n', 28);
    expect(table.split('\n').filter((line) => widthOf(line) > 28)).toEqual([]);
    expect(await plainly('> - 1. > quoted words that fill their lines', 28)).toBe(
      '│ • 1. quoted words that\n│      fill their lines\n',
    );
    expect(await plainly('> > - words that fill the line to its end', 24)).toBe(
      '│ │ •\n│ │ words that fill the\n│ │ line to its end\n',
    );
  });

  it('fits into any window, whatever it is', async () => {
    const part = fc.constantFrom(
      ...['# ', '- ', '> ', '1. ', '**', '`', '[', '](u)', '\n', '\n\n', '| a | b |\n|--|--|\n'],
      ...['日本', '👩‍👩‍👧', ' ', 'word'],
      ...['\u202e', '\x1b[31m', '&#27;', '<b>', '~~', '\t', '\u00a0', 'é'],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 40 }),
        fc.integer({ min: 24, max: 120 }),
        async (parts, columns) => {
          const shown = await plainly(parts.join(''), columns);
          const lines = shown.split('\n').filter((line) => !line.startsWith('    ') && !/<|`{3}/.test(line));
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(shown).not.toMatch(/[\x1b\u202e]/);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
