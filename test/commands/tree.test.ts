import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/declare/command.js';
import { flagUsage } from '../../src/cli/declare/global-flags.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { describe as describeCommand } from '../../src/cli/help/describe.js';
import { parseCommand } from '../../src/cli/parse/parser.js';
import { walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import { requestOf, specifiedOperations } from '../api/specification.js';
import { shellWords } from './shell-words.js';

/** The interface as it was decided, `docs teams create --title --member…`, against the tree that is built. */

interface Row {
  /** `PUT /v1/orgs/{organizationId}/teams` */
  request: string;
  /** `teams create` */
  path: string;
  /** `<user…>`, `[org]` */
  args: string[];
  /** `--title`, `--member…`, `--[no-]sso` */
  flags: string[];
}

const rows: Row[] = readFileSync(new URL('../data/command-tree.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => /^\| `([A-Z]+ \/\S+)` \| `docs (.*)` \|$/.exec(line))
  .filter((match) => match !== null)
  .map((match) => readRow(match[1] ?? '', match[2] ?? ''));

function readRow(request: string, line: string): Row {
  const [words = '', flagText = ''] = line.split(/ (?=--|\()(.*)/s);
  const path: string[] = [];
  const args: string[] = [];
  for (const word of words.split(' ')) {
    if (word === '@file') args.push('<schema>');
    else (/^[<[]/.test(word) ? args : path).push(word);
  }
  const flags = [...flagText.matchAll(/--[^\s|)]+/g)].map(([flag]) => flag);
  if (/user=role…/.test(flagText)) flags[flags.indexOf('--membership')] = '--membership…';
  return { request, path: path.join(' '), args, flags };
}

const tree = await commandTree(groups);
const byPath = new Map(tree.map((entry) => [entry.path, entry.command]));

function commandAt(path: string): Command {
  const found = byPath.get(path);
  if (found === undefined) throw new Error(`no such command: docs ${path}`);
  return found;
}

const argumentText = ({ name, required, variadic }: Command['args'][number]) => {
  const inner = `${name}${variadic ? '…' : ''}`;
  return required ? `<${inner}>` : `[${inner}]`;
};

/** `--role <role>` and `--role <role>…` without the placeholder. */
const spelling = (option: Command['options'][number]) => flagUsage(option).replace(/^-\w, | <[^>]*>/g, '');

/** Flags of the row; those of `saml update` are "the flags of create". */
const flagsOf = (row: Row): string[] =>
  row.path === 'saml update' ? (rows.find(({ path }) => path === 'saml create')?.flags ?? []) : row.flags;

describe('the decided tree', () => {
  it('names each operation of the specification once', () => {
    expect(rows.map((row) => row.request).sort()).toEqual(specifiedOperations.map(requestOf).sort());
  });
});

describe.each(rows)('$request', (row) => {
  it(`is reached by docs ${row.path} alone`, () => {
    const reaching = tree.filter(
      ({ command }) =>
        command.spec !== undefined &&
        command.operations.some(({ method, path }) => `${method} ${path}` === row.request),
    );
    expect(reaching.map(({ path }) => path)).toEqual([row.path]);
  });

  it('takes the positionals in their order', () => {
    const all = commandAt(row.path).args.map(argumentText);
    // The row of the `latest` operation leaves out the version that the other row has.
    const named = all.filter((arg) => !(arg === '[version]' && row.request.includes('latest')));
    expect(named).toEqual(row.args);
  });

  it('takes the flags as they are written', () => {
    const flags = commandAt(row.path).options.map(spelling);
    for (const flag of flagsOf(row)) expect(flags).toContain(flag);
  });
});

/** What a command takes beside its row: its parents, what the grammar gives every list or body, additions. */
describe('flags beside the decided ones', () => {
  const grammar = [
    ...['--org', '--space', '--site', '--change-request'],
    ...['--limit', '--page-size', '--page', '--sort-by', '--input', '--unset…'],
    ...['--concurrency', '--fail-fast', '--allow-empty', '--again'],
    ...['--show', '--save-plan', '--encoding', '--watch [interval]', '--editor', '--web'],
  ];
  const additions: Record<string, string[]> = {
    'spaces update': ['--icon'],
    'openapi create': ['--text'],
    'openapi set': ['--text'],
    'change-requests list': ['--all-spaces', '--updated-before', '--updated-after'],
    'change-requests pdf': ['--download'],
    'change-requests merge': ['--if-links-clean', '--if-not-outdated', '--if-no-open-comments'],
    'sites schema set': ['--allow-broken'],
    'content get': ['--[no-]metadata', '--[no-]computed'],
    'content pages list': ['--[no-]metadata', '--[no-]computed'],
    'content pages get': ['--[no-]metadata', '--[no-]computed', '--raw'],
    'content files list': ['--[no-]metadata', '--[no-]computed'],
    'content files get': ['--[no-]metadata', '--[no-]computed', '--download'],
  };

  it.each([...new Set(rows.map(({ path }) => path))])('docs %s has no others', (path) => {
    const decided = rows.filter((row) => row.path === path).flatMap(flagsOf);
    const known = [...decided, ...grammar, ...(additions[path] ?? [])];
    const others = commandAt(path)
      .options.map(spelling)
      .filter((flag) => !known.includes(flag));
    expect(others).toEqual([]);
  });
});

describe('what the grammar asks of every command', () => {
  const overOperations = tree.filter(({ command }) => command.spec !== undefined);
  const names = (command: Command) => command.options.map((option) => option.name);

  it.each(
    overOperations.filter(({ command }) => command.operations.some((op) => op.returns.kind === 'page')),
  )('docs $path is a list with --limit, --page-size and --page', ({ command }) => {
    expect(names(command)).toEqual(expect.arrayContaining(['limit', 'page-size', 'page']));
  });

  it.each(overOperations.filter(({ command }) => command.operations.some((op) => op.body !== undefined)))(
    'docs $path sends a body and takes --input',
    ({ command }) => {
      expect(names(command)).toContain('input');
    },
  );

  it.each(overOperations.filter(({ command }) => command.options.some((option) => option.nullable)))(
    'docs $path has nullable fields, which --unset names',
    ({ command }) => {
      const nullable = command.options.filter((option) => option.nullable).map((option) => option.name);
      expect(command.options.find(({ name }) => name === 'unset')?.choices).toEqual(nullable);
    },
  );

  it.each(tree)('docs $path has no flag twice', ({ command }) => {
    expect(new Set(names(command)).size).toBe(names(command).length);
  });

  it.each(tree.filter(({ path }) => / (list|delete)$/.test(path)))(
    'docs $path has its short name',
    ({ path, command }) => {
      if (command.operations.length === 0) return;
      expect(command.aliases).toContain(path.endsWith('list') ? 'ls' : 'rm');
    },
  );
});

describe('every command and every group', () => {
  it('says in a sentence what it is for, beyond its summary', async () => {
    const nodes = await Promise.all(groups.map(async ({ name, load }) => [name, await load()] as const));
    const silent = nodes.flatMap(([name, node]) => silentIn(name, node));
    expect(silent).toEqual([]);
  });
});

/** Paths of what has no sentence, or one that only repeats the summary. */
function silentIn(path: string, node: Command | Group): string[] {
  const { why = '', summary } = node;
  const own = /^.+[.:)]$/s.test(why) && !why.startsWith(summary) ? [] : [path];
  return isGroup(node) ? [...own, ...node.commands.flatMap((c) => silentIn(`${path} ${c.name}`, c))] : own;
}

describe('every change says how much it can harm', () => {
  const dangers = (danger: string) =>
    tree
      .filter(({ command }) => command.operations.length > 0 && command.danger === danger)
      .map(({ path }) => path);

  it('asks for the title where a site, space or collection goes', () => {
    expect(dangers('type-title').sort()).toEqual(['collections delete', 'sites delete', 'spaces delete']);
  });

  it('asks before everything that cannot be taken back', () => {
    const others = dangers('confirm').filter((path) => !path.endsWith(' delete'));
    expect(others.sort()).toEqual([
      'apply',
      'backup restore',
      'change-requests merge',
      'change-requests stale',
      'collections transfer',
      'links fix',
      'members offboard',
      'section-groups remove',
      'sites arrange',
      'sites release cut',
      'spaces transfer',
      'sso link',
    ]);
  });

  it('holds only GETs harmless', () => {
    const changing = tree.filter(({ command }) => command.danger === 'read' && command.spec !== undefined);
    for (const { command } of changing)
      expect(command.operations.map((op) => op.method)).not.toContain('DELETE');
    expect(changing.flatMap(({ command }) => command.operations).every((op) => op.method === 'GET')).toBe(
      true,
    );
  });
});

describe('examples', () => {
  const examples = tree.flatMap(({ path, command }) => command.examples.map(({ run }) => ({ path, run })));

  it.each(examples)('docs $run', async ({ path, run }) => {
    const words = shellWords(run);
    const { command, ...walked } = await walk(words, groups);
    if (command === undefined) throw new Error(`docs ${run} names no command`);
    parseCommand(words, { ...walked, command });
    expect(walked.path.join(' ')).toBe(path);
  });
});

/** A flag as it is described, that has nothing beyond its words. */
const flag = (flags: string, description: string, more: object = {}) => ({
  ...{ flags, name: /^--([\w-]+)/.exec(flags)?.[1], description },
  ...{ required: false, variadic: false, nullable: false, ...more },
});

describe('docs commands', () => {
  it('describes a command completely', () => {
    const path = 'site-spaces update';
    const run = `docs ${path} FcDev2rqgrs1NtzOtuH8 --site MMeDFTQG7CxSHog1TZLV`;
    expect(describeCommand({ path, command: commandAt(path) })).toMatchObject({
      path,
      summary: 'Update a space of a site',
      aliases: [],
      args: [{ name: 'site-space', required: true, variadic: false, description: 'Site space' }],
      options: [
        flag('--path <path>', 'Path on the site'),
        flag(
          '--condition <expression>',
          'Expression that decides whether a visitor sees it; null removes it',
          { nullable: true },
        ),
        flag('--unset <field>…', 'Set a field to null; --input sends the text "null"', {
          variadic: true,
          choices: ['condition'],
        }),
        flag('--input <file|->', 'JSON body to start from; flags override it'),
        flag('--show', 'Print the record on a terminal instead of a sentence'),
        flag('--save-plan <file>', 'Write the changes to a file for docs apply; send only reads'),
        flag('--org <org>', 'Organization'),
        flag('--site <site>', 'Site'),
        flag('--encoding <encoding>', 'Encoding of the input text, unless it has a byte order mark', {
          choices: ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'windows-1252'],
        }),
      ],
      operations: [
        {
          method: 'PATCH',
          path: '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}',
          success: 200,
          returns: 'one',
        },
      ],
      examples: [
        { run: `${run} --path api`, does: 'change the path' },
        { run: `${run} --unset condition`, does: 'show the space to everyone' },
      ],
      danger: 'change',
    });
  });
});
