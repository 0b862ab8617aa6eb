import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/base/exit-codes.js';
import type { Option } from '../../../src/cli/declare/command.js';
import { visibleOptions } from '../../../src/cli/declare/global-flags.js';
import { globalOptions } from '../../../src/cli/declare/global-options.js';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { describe as describeCommand } from '../../../src/cli/help/describe.js';
import { groups } from '../../../src/commands/index.js';
import { opened } from '../../opened.js';
import { startRecordingPlatform } from '../run/recording-platform.js';
import { faults, schemaFaults } from './json-schema.js';

/** `docs commands --json` and `docs commands schema`: enough to drive every command without reading help. */

const platform = opened(startRecordingPlatform);

const tree = await commandTree(groups);
const at = (path: string): TreeEntry => {
  const entry = tree.find((candidate) => candidate.path === path);
  if (entry === undefined) throw new Error(`no such command: docs ${path}`);
  return entry;
};
const none = { status: 500 };

describe('docs commands --json', () => {
  it('has the members that were promised, in each command', () => {
    for (const entry of tree) {
      expect(describeCommand(entry)).toMatchObject({
        path: expect.any(String),
        summary: expect.any(String),
        aliases: expect.any(Array),
        args: entry.command.args.map(({ name, required, variadic }) => ({ name, required, variadic })),
        options: visibleOptions<Option>(entry.command).map(
          ({ name, required, variadic, nullable, description }) => {
            return { flags: expect.stringContaining(name), name, required, variadic, nullable, description };
          },
        ),
        operations: entry.command.operations.map(({ method, path }) => ({ method, path })),
        examples: expect.any(Array),
        danger: expect.stringMatching(/^(read|change|confirm|type-title)$/),
      });
    }
  });

  it('says what a flag takes: type, limits, choices, null', () => {
    const option = (path: string, name: string) =>
      describeCommand(at(path)).options.find((candidate) => candidate.name === name);
    expect(option('members update', 'role')).toEqual({
      flags: '--role <role>',
      name: 'role',
      required: true,
      variadic: false,
      choices: ['admin', 'create', 'review', 'edit', 'comment', 'read'],
      nullable: true,
      description: 'Role in the organization; null makes the member a guest',
      type: 'string',
      closed: true,
      clearedBy: '--role none',
    });
    expect(option('spaces update', 'title')).toMatchObject({ type: 'string', limits: { maxLength: 50 } });
    expect(option('orgs update', 'sso')).toMatchObject({
      flags: '--[no-]sso',
      type: 'boolean',
      negative: '--no-sso',
    });
    expect(option('orgs update', 'logo')).toMatchObject({ nullable: true, clearedBy: '--unset logo' });
    expect(option('comments update', 'resolve')).toMatchObject({ negative: '--unresolve' });
    expect(option('members list', 'page-size')).toMatchObject({
      type: 'number',
      limits: { minimum: 1, maximum: 1000 },
      default: 1000,
    });
    expect(option('members list', 'role')).toMatchObject({ closed: true });
    expect(option('members list', 'sort')).toMatchObject({ closed: false });
    expect(option('saml create', 'certificate')).toMatchObject({ reads: ['@file', '-'] });
    expect(option('sites list', 'space-id')).toMatchObject({ idsFrom: 'docs spaces list' });
    expect(option('openapi publish', 'wait')).toMatchObject({ flags: '--wait [time]', valueOptional: true });
    expect(describeCommand(at('members update')).args[0]).toEqual({
      name: 'user',
      required: true,
      variadic: true,
      description: expect.stringContaining('one per line'),
      type: 'string',
      reads: ['@file', '-'],
      idsFrom: 'docs members list',
    });
    expect(describeCommand(at('config get')).args[0]).toMatchObject({
      choices: expect.arrayContaining(['org', 'page-size']),
    });
  });

  it('lists the flags of every command, too', () => {
    const { globals } = describeCommand(at('members list'));
    expect(globals.map(({ name }) => name)).toEqual(globalOptions.map(({ name }) => name));
    expect(globals.find(({ name }) => name === 'output')).toMatchObject({ short: 'o', closed: true });
  });

  it('says which request comes of it, and where each part of its path is from', () => {
    expect(describeCommand(at('members update')).request).toEqual([
      {
        method: 'PATCH',
        path: '/v1/orgs/{organizationId}/members/{userId}',
        parameters: { organizationId: '--org', userId: '<user>' },
        body: expect.objectContaining({ type: 'object', required: ['role'] }),
      },
    ]);
    expect(describeCommand(at('orgs get')).request[0]?.parameters).toEqual({ organizationId: '[org]' });
    expect(describeCommand(at('teams list')).request[0]?.query).toMatchObject({
      properties: { page: {}, limit: { maximum: 1000 }, title: {} },
    });
  });

  it.each<[string, object]>([
    ['members list', { undo: undefined, exposes: [], here: { programs: ['pager'] } }],
    ['members update', { undo: 'exact', exposes: ['role'], here: { files: ['--save-plan'] } }],
    ['members delete', { undo: 'none', exposes: [] }],
    // An icon comes back only in part, and other fields as they were.
    ['spaces update', { undo: 'best-effort', exposes: ['role'] }],
    ['saml update', { exposes: ['role', 'sign-up'], here: { programs: ['editor'] } }],
    // The least of several requests.
    ['members offboard', { undo: 'none', exposes: ['role'] }],
    ['spaces trash restore', { undo: 'exact', exposes: ['role', 'public'] }],
    ['apply', { undo: 'depends', exposes: ['role', 'public', 'sign-up'], here: { programs: ['git'] } }],
    ['api', { undo: 'depends', exposes: ['role', 'public', 'sign-up'] }],
    ['content files get', { here: { files: ['--download'], addresses: ['files'] } }],
    ['config set', { undo: undefined, exposes: [], here: { keeps: ['settings'] } }],
    ['pull', { here: { files: ['--dir'] } }],
  ])('says of %s what undo can do, what it exposes, and what it does here', (path, told) => {
    expect({ undo: undefined, ...describeCommand(at(path)) }).toMatchObject(told);
  });

  it('lists the exit codes that a command can end with', () => {
    const codes = (path: string) => describeCommand(at(path)).exitCodes.map(({ code }) => code);
    expect(codes('teams list')).toEqual([0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 130, 143]);
    expect(codes('teams create')).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 130, 143]);
    expect(codes('teams delete')).toContain(3);
    expect(codes('config path')).toEqual([0, 1, 2, 13, 130, 143]);
    for (const { code, name, meaning } of tree.flatMap((entry) => describeCommand(entry).exitCodes))
      expect(exitCodes[name]).toEqual({ code, meaning });
  });

  it('prints what was promised, and all of it with --full', async () => {
    const { stdout, code } = await platform.run(['commands', '--json'], none);
    expect(code).toBe(0);
    const printed = JSON.parse(stdout) as Record<string, unknown>[];
    expect(printed.map(({ path }) => path)).toEqual(tree.map(({ path }) => path));
    for (const command of printed)
      expect(Object.keys(command).filter((key) => !['why', 'undo'].includes(key))).toEqual(
        'path summary aliases args options operations examples danger exposes here usage'.split(' '),
      );
    expect(stdout.length).toBeLessThan(490_000);
    const full = await platform.run(['commands', '--full', '--json'], none);
    const whole = JSON.parse(full.stdout) as unknown[];
    expect(whole[0]).toEqual(JSON.parse(JSON.stringify(describeCommand(tree[0] as TreeEntry))));
  });

  it('prints a group, or one command, by the names and aliases that reach them', async () => {
    const paths = async (...words: string[]) =>
      (await platform.run(['commands', ...words, '-o', 'id'], none)).stdout.trim().split('\n');
    const below = (prefix: string) => tree.map(({ path }) => path).filter((path) => path.startsWith(prefix));
    expect(await paths('spaces')).toEqual(below('spaces '));
    expect(await paths('spaces', 'fields')).toEqual(below('spaces fields '));
    expect(await paths('spaces', 'delete')).toEqual(['spaces delete']);
    expect(await paths('docs spaces rm')).toEqual(['spaces delete']);
    expect(await paths('cr')).toEqual(below('change-requests '));
    expect(await paths('bulk')).toEqual(['bulk']);
    const unknown = await platform.run(['commands', 'spacs'], none);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('unknown command "spacs" for "docs". Did you mean docs spaces?');
  });

  it.each([[[]], [['-o', 'table']]])(
    'has one line of at most 80 characters a command as text: %j',
    async (more) => {
      const { stdout } = await platform.run(['commands', ...more], none);
      const lines = stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('PATH'));
      expect(lines).toHaveLength(tree.length);
      for (const [at, line] of lines.entries()) {
        expect(line.length, line).toBeLessThanOrEqual(80);
        expect(line).toContain(tree[at]?.command.summary);
      }
    },
  );

  it('refuses --full where it changes nothing, and fields of --full without it', async () => {
    expect((await platform.run(['commands', '--full'], none)).stderr).toContain('--full is for --json');
    const field = await platform.run(['commands', '--fields', 'path,result'], none);
    expect(field.stderr).toContain('the field "result" comes with --full only');
    expect((await platform.run(['commands', '--full', '--fields', 'path,result'], none)).code).toBe(0);
  });

  it('is made short by --fields', async () => {
    const short = await platform.run(['commands', '--json', '--fields', 'path,options.flags'], none);
    expect(JSON.parse(short.stdout)).toContainEqual({ path: 'auth logout', options: [{ flags: '--show' }] });
  });
});

describe.each(tree.map((entry) => ({ path: entry.path, entry })))(
  'docs commands schema $path',
  ({ entry }) => {
    const described = describeCommand(entry);

    it('gives schemas', () => {
      const { input, body, result, preview } = described;
      for (const schema of [input, body, result, preview].filter((one) => one !== undefined)) {
        expect(schemaFaults(schema)).toEqual([]);
        expect(JSON.stringify(schema)).not.toContain('x-known');
      }
    });

    it('tells what is printed', () => {
      expect(Object.keys(described.result), 'an entry in manual-results.ts').not.toEqual([]);
    });
  },
);

describe('a hand-written command', () => {
  it('declares what it prints', () => {
    const silent = tree.filter(({ command }) => command.spec === undefined && command.returns === undefined);
    expect(silent.map(({ path }) => path)).toEqual([]);
    // What a list says that is empty.
    const mute = tree.filter(({ command }) => command.view?.empty === '');
    expect(mute.map(({ path }) => path)).toEqual([]);
  });
});

describe('docs commands schema', () => {
  it('prints input, body, result, preview and error, each a document', async () => {
    const { stdout } = await platform.run(['schema', 'members', 'update'], none);
    const printed = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(Object.keys(printed)).toEqual(['command', 'input', 'body', 'result', 'preview', 'error']);
    expect(printed.input).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'docs members update: input',
      properties: { args: { required: ['user'] }, flags: {}, globals: { properties: { json: {} } } },
      required: ['args'],
    });
    expect(faults(printed.input ?? {}, { args: { user: ['u1'] }, flags: { role: 'none' } })).toEqual([]);
    expect(faults(printed.input ?? {}, { args: { user: [] }, flags: { rol: 'edit' } })).toHaveLength(2);
    expect(faults(printed.body ?? {}, { role: null })).toEqual([]);
    expect(faults(printed.body ?? {}, { role: 'king' })).not.toEqual([]);
  });

  it('prints the schema of what a rehearsal reports', async () => {
    const { stdout } = await platform.run(['schema', 'rehearsal'], none);
    expect(JSON.parse(stdout)).toMatchObject({
      properties: {
        organization: { properties: { id: { type: 'string' }, title: { type: 'string' } } },
        failed: { description: 'Requests among them that the copy refused' },
      },
    });
  });

  it('tells what a flag is by default', async () => {
    const { stdout } = await platform.run(['schema', 'members', 'list', '--part', 'input'], none);
    expect(JSON.parse(stdout)).toMatchObject({
      properties: { flags: { properties: { 'page-size': { default: 1000 } } } },
    });
  });

  it('describes errors as they are printed', async () => {
    const { stdout } = await platform.run(['schema', 'members', 'get', '--part', 'error'], none);
    const { stderr } = await platform.run(['members', 'get', 'u1', '--org', 'o1', '--json'], {
      status: 404,
      body: { error: { code: 404, message: 'No.' } },
    });
    expect(faults(JSON.parse(stdout), JSON.parse(stderr))).toEqual([]);
  });

  it('describes a preview as it is printed', async () => {
    const words = ['members', 'update', 'u1', '--role', 'edit', '--org', 'o1'];
    const { stdout } = await platform.run([...words, '--dry-run', '--json'], {
      status: 200,
      body: { items: [] },
    });
    const { preview } = describeCommand(at('members update'));
    expect(faults(preview ?? {}, JSON.parse(stdout))).toEqual([]);
  });

  it('prints one part', async () => {
    const { stdout } = await platform.run(['schema', 'teams list', '--part', 'result'], none);
    expect(JSON.parse(stdout)).toMatchObject({ title: 'docs teams list: result', type: 'array' });
    const missing = await platform.run(['schema', 'teams', 'list', '--part', 'body'], none);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('sends no body') });
  });

  it('understands short names, and names the nearest command', async () => {
    const { stdout } = await platform.run(['schema', 'cr', 'ls', '--jq', '.command'], none);
    expect(stdout).toBe('change-requests list\n');
    expect((await platform.run(['schema', 'members', 'updat'], none)).stderr).toContain(
      'unknown command "updat" for "docs members". Did you mean docs members update?',
    );
    expect((await platform.run(['schema', 'invites'], none)).stderr).toContain(
      'is a group; its commands: invites get, invites update, invites delete',
    );
  });
});
