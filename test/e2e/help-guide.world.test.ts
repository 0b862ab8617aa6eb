import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { freshHome } from './program.js';
import { onTerminal } from './terminal.js';

/** `docs help <page>`: Markdown in a pipe, text to read on a terminal, a usage error for a page that is not there. */

const home = freshHome();
afterAll(() => home.remove());

const sourceOf = (page: string) => readFileSync(`docs/guide/${page}.md`, 'utf8');
const onScreen = (words: readonly string[], columns: number) =>
  onTerminal(['help', ...words], { cwd: home.path, columns, env: { ...home.env, PAGER: 'cat' } });

describe('in a pipe', () => {
  it('a page is its Markdown, byte for byte', async () => {
    expect(await home.ok(['help', 'offboarding'])).toBe(sourceOf('offboarding'));
    expect(await home.ok(['help', 'guide', 'backup'])).toBe(sourceOf('backup'));
    expect(await home.ok(['--no-color', 'help', 'guide', '--no-pager', 'backup'])).toBe(sourceOf('backup'));
  });

  it('a topic is no command: with --help alone it is not known', async () => {
    const { code, stdout, stderr } = await home.run(['exit-codes', '--help']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('unknown command "exit-codes"');
  });

  it('a command and a topic win over the page of their name; the help of the command names it', async () => {
    expect(await home.ok(['help', 'backup'])).toBe(await home.ok(['backup', '--help']));
    expect(await home.ok(['backup', '--help'])).toContain('\nRun "docs help guide backup" for the guide.\n');
    const topic = await home.ok(['help', 'plans']);
    expect(topic).toMatch(/^Save a change as a plan/);
    expect(topic).not.toContain('`');
  });

  it('a topic leaves the commands of the group of its name alone', async () => {
    expect(await home.ok(['help', 'jobs'])).toMatch(/^Change many items at once/);
    expect(await home.ok(['help', 'jobs', 'list'])).toBe(await home.ok(['jobs', 'list', '--help']));
  });

  it('an alias does not hide the guide', async () => {
    await home.ok(['config', 'alias', 'set', 'guide', 'spaces list']);
    expect(await home.ok(['help', 'guide', 'sso'])).toBe(sourceOf('sso'));
    await home.ok(['config', 'alias', 'delete', 'guide']);
  });
});

describe('what is not there', () => {
  it.each([
    [
      ['guide', 'bakup'],
      'guide page "bakup" not found. Did you mean docs help guide backup? (usage, exit 2)\n  Try: docs help guide\n',
    ],
    [
      ['guide', 'nothing-like-it'],
      'guide page "nothing-like-it" not found (usage, exit 2)\n  Try: docs help guide\n',
    ],
    [
      ['ofboarding'],
      'unknown command "ofboarding" for "docs". Did you mean docs help offboarding? (usage, exit 2)\n  Try: docs help offboarding\n',
    ],
    [
      ['guide', 'bulk', 'job'],
      'section "job" not found in guide page "bulk". Did you mean docs help guide bulk jobs? (usage, exit 2)\n' +
        '  Try: docs help guide bulk\n',
    ],
  ])('docs help %j exits 2', async (words, said) => {
    const { code, stdout, stderr } = await home.run(['help', ...words]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `error: ${said}` });
  });

  it.each([
    [['guide', 'bakup'], 'docs help guide backup'],
    [['guide', 'bulk', 'job'], 'docs help guide bulk jobs'],
  ])('docs help %j tells programs what to run', async (words, command) => {
    const { stderr } = await home.run(['help', ...words, '--json']);
    const { error } = JSON.parse(stderr) as { error: { next: { command: string }[] } };
    expect(error.next[0]?.command).toBe(command);
    expect(await home.ok(command.split(' ').slice(1))).toMatch(/^#/);
  });
});

describe.each([60, 120])('on a terminal of %i columns', (columns) => {
  it('a page is rendered, and its links are commands', async () => {
    const terminal = onScreen(['guide', 'restore'], columns);
    const { code, screen } = await terminal.ended;
    expect(code).toBe(0);
    const lines = stripVTControlCharacters(terminal.bytes).split('\r\n');
    expect(lines[0]).toBe('# Restore a backup');
    expect(lines.filter((line) => line.length > columns && !line.startsWith('    '))).toEqual([]);
    expect(lines.slice(0, 8).join(' ')).toContain('(docs help guide backup) with its organization');
    expect(terminal.bytes).toContain('\x1b[36mdocs backup restore\x1b[39m');
    expect(screen).not.toMatch(/```|<!--|\]\(/);
  });

  it('without colour, marks say what is code', async () => {
    const terminal = onScreen(['guide', 'restore', '--no-color'], columns);
    await terminal.ended;
    expect(terminal.bytes).not.toContain('\x1b[');
    expect(terminal.bytes).toContain('`docs backup restore`');
  });

  it('the list has a page a line', async () => {
    const { screen } = await onScreen(['guide'], columns).ended;
    expect(screen).toMatch(/^ {2}restore +Restore a backup$/m);
  });

  it('a topic has the words that it has in a pipe, in colour', async () => {
    const terminal = onScreen(['jobs'], columns);
    await terminal.ended;
    expect(terminal.bytes).toContain('\x1b[36m@file\x1b[39m');
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    expect(words(stripVTControlCharacters(terminal.bytes))).toEqual(words(await home.ok(['help', 'jobs'])));
  });
});
