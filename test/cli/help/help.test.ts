import { Chalk, type ChalkInstance } from 'chalk';
import { describe, expect, it } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { type Command, type Group, isGroup } from '../../../src/cli/declare/command.js';
import { rootEntries } from '../../../src/cli/declare/ways.js';
import { commandHelp, groupHelp, rootHelp } from '../../../src/cli/help/help.js';
import { helpLook } from '../../../src/cli/help/layout.js';
import { helpTopicNames } from '../../../src/cli/help/topic-names.js';
import { topicText } from '../../../src/cli/help/topics.js';
import { mistakeIn } from '../../../src/cli/parse/mistakes.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { unknownCommand } from '../../../src/cli/parse/suggest.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

/** Every group and command of the tree, with the words that reach it. */
async function everything(): Promise<{ path: string; node: Command | Group }[]> {
  const below = (node: Command | Group, path: string): { path: string; node: Command | Group }[] => [
    { path, node },
    ...(isGroup(node) ? node.commands.flatMap((child) => below(child, `${path} ${child.name}`)) : []),
  ];
  const loaded = await Promise.all(groups.map(async ({ name, load }) => below(await load(), name)));
  return loaded.flat();
}

const nodes = await everything();
const helpOf = (
  { path, node }: { path: string; node: Command | Group },
  width = 80,
  full = false,
  chalk?: ChalkInstance,
) => {
  const look = { ...helpLook(width, chalk), full };
  return isGroup(node) ? groupHelp(node, path, look) : commandHelp(node, path, look);
};

describe('help', () => {
  it.each(nodes.filter(({ node }) => isGroup(node)))('says why there is docs $path', ({ node }) => {
    expect(node.why ?? '').toMatch(/\.$/);
  });

  it.each(nodes)('of docs $path has examples, and no two blank lines', (each) => {
    const text = helpOf(each);
    expect(text).toContain('\nExamples:\n  # ');
    expect(text).not.toMatch(/\n\n\n|^\n|\n\n$/);
  });

  it.each([60, 80, 140])('fits %i columns, but for commands, which can be copied as a line', (width) => {
    const texts = [rootHelp(groups, helpLook(width)), ...nodes.map((each) => helpOf(each, width))];
    const lines = texts.flatMap((text) => text.split('\n'));
    const copied = /^( {2}docs |Usage: | {2}(GET|POST|PUT|PATCH|DELETE) | {2}# )/;
    expect(
      lines.filter((line) => line.length > width && !copied.test(line) && line.trim().includes(' ')),
    ).toEqual([]);
  });

  it('is the same text with colours and without', () => {
    for (const each of nodes) {
      expect(helpOf(each, 80, false, new Chalk({ level: 1 })).replace(/\x1b\[\d+m/g, '')).toBe(helpOf(each));
    }
  });

  it('of a command tells limits, choices, defaults, what clears a flag, and its request', () => {
    const update = nodes.find(({ path }) => path === 'orgs update');
    const text = helpOf(update as { path: string; node: Command }, 140);
    expect(text).not.toContain('PATCH');
    expect(text).toContain('--title <title>');
    expect(text).toMatch(/--title .*\(2 to 255 characters\)/);
    expect(text).toMatch(/--default-role .*one of admin, create, review, edit, comment, read; or none\)/);
    expect(text).toMatch(/--logo .*--unset logo clears it/);
    const whole = helpOf(update as { path: string; node: Command }, 140, true);
    expect(whole).toContain('PATCH  /v1/orgs/{organizationId}');
    const list = nodes.find(({ path }) => path === 'change-requests list');
    expect(helpOf(list as { path: string; node: Command }, 140)).toMatch(/--status .*default open\)/);
  });

  it('lists what is read before a change, and the ping of a sign-in', () => {
    const text = (path: string) =>
      nodes.filter((one) => one.path === path).map((one) => helpOf(one, 80, true))[0];
    expect(text('change-requests merge')).toMatch(
      /Requests:\n {2}POST .*\/merge\n(.*\n)* {2}GET .*\/comments\n/,
    );
    expect(text('auth login')).toContain('  POST  /v1/orgs/{organizationId}/ping\n');
  });

  it('of what cannot be undone says that it asks', () => {
    const deletion = nodes.find(({ path }) => path === 'spaces delete');
    expect(helpOf(deletion as { path: string; node: Command }).replaceAll(/\s+/g, ' ')).toContain(
      'asks for the title; --yes skips the',
    );
  });

  it('of docs groups the commands and names the topics', () => {
    const text = rootHelp(groups, helpLook(80));
    const headings = text.split('\n').filter((line) => /^\w.*:$/.test(line));
    expect(headings).toEqual([
      ...['Start:', 'People:', 'Content:', 'Publishing:', 'Safe change:', 'Automation:'],
      ...['Examples:', 'Flags:'],
    ]);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
    expect(rootEntries(groups)).toHaveLength(39);
    const listed = topicText('topics', helpLook(80));
    for (const topic of helpTopicNames) {
      if (topic !== 'topics') expect(listed).toContain(`  ${topic} `);
      expect(topicText(topic, helpLook(60))).toMatch(/^.+\.\n\n/);
    }
  });

  it('of org-as-code says what becomes of items that no file names', () => {
    const text = topicText('org-as-code', helpLook(80)).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '"manage: additive" (the default) leaves them alone; "manage: exact" deletes them',
    );
  });

  it.each([
    ['agents', 80],
    ['policy', 80],
  ] as const)('of %s has at most %i lines of 80 characters', (topic, most) => {
    const lines = topicText(topic, helpLook(80)).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(most);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('a command line that is none', () => {
  const meant = async (...argv: string[]) =>
    (await unknownCommand(await walk(argv, groups), groups, 'linux')).message;

  it.each([
    ['membrs list', 'docs members list'],
    ['spaces lst', 'docs spaces list'],
    ['list spaces', 'docs spaces list'],
    ['get space s1', 'docs spaces get s1'],
    ['content page get p1', 'docs content pages get p1'],
    ['spaces pages list', 'docs content pages list'],
    ['teams members st t1 u1', 'docs teams members set t1 u1'],
    ['login', 'docs auth login'],
    ['search foo', 'docs orgs search foo, or docs spaces search foo, or docs backup search foo'],
    ['-o json --profile work spacs list', 'docs spaces list'],
    ['create team --title x', 'docs teams create --title x'],
    ['contxt', 'docs help context'],
    ['members remove u1', 'docs members delete u1'],
    ['teams add', 'docs teams members set'],
    ['spaces show s1', 'docs spaces get s1'],
    ['show spaces', 'docs spaces get'],
    ['edit team t1', 'docs teams update t1'],
  ])('docs %s is answered with %s', async (typed, right) => {
    expect(await meant(...typed.split(' '))).toMatch(new RegExp(`Did you mean ${right}\\?$`));
  });

  it('keeps words of several together', async () => {
    expect(await meant('create', 'team', '--title', 'Two words')).toContain(
      "docs teams create --title 'Two words'?",
    );
  });

  it.each(['members add u1', 'add member', 'remove', 'new space'])(
    'docs %s is not answered with a command of some other group',
    async (typed) => {
      expect(await meant(...typed.split(' '))).not.toContain('Did you mean');
    },
  );

  it('that is like nothing gets no guess', async () => {
    expect(await meant('xyzzy')).toBe('unknown command "xyzzy" for "docs"');
  });

  it.each([
    [['members', 'list', '--rol', 'admin'], 'Did you mean --role?'],
    [['--limit', '3', 'members', 'list'], 'docs members list --limit'],
    [['members', 'list', 'a'], 'unexpected argument "a" for "docs members list", which takes no arguments'],
    [['members', 'update', 'u1', '--role'], '--role needs a value, --role <role>: one of admin,'],
    [['members', 'list', '--limit', 'many'], '--limit must be a number, not "many"'],
    [['members', 'update', 'u1', '--role', 'admn'], 'not "admn". Did you mean admin?'],
    [
      ['completion', 'bahs'],
      '<shell> must be one of bash, zsh, fish, powershell, not "bahs". Did you mean bash?',
    ],
    [['completion', 'bash', '--install', '--uninstall'], '--uninstall and --install contradict each other'],
    [['members', 'list', '--timeout', 'soon'], '"soon" is not a duration'],
  ])('says what is wrong: %j', async (argv, said) => {
    const error = await refusal(argv);
    expect(error.message).toContain(said);
    expect(error.exitCode).toBe(2);
  });
});

/** What the words are refused for, before anything is read or sent. */
async function refusal(argv: readonly string[]): Promise<DocsError> {
  const { command, ...walked } = await walk(argv, groups);
  const mistake = await mistakeIn({ ...walked, ...(command && { command }) }, argv, groups, 'linux');
  if (mistake !== undefined) return mistake;
  if (command === undefined) throw new Error('names no command');
  try {
    parseCommand(argv, { ...walked, command });
  } catch (cause) {
    if (cause instanceof DocsError) return cause;
    throw cause;
  }
  throw new Error('is not refused');
}
