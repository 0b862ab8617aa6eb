import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileIn, isInside, nameOf, refuseUnsafe } from '../../../src/agents/mcp/guard.js';
import { DocsError } from '../../../src/base/errors.js';
import { type Argument, type Command, camel, type Option } from '../../../src/cli/declare/command.js';
import { globalOptions } from '../../../src/cli/declare/global-options.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';

/** No call reads or writes a file that --files does not allow, over every flag and positional. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docs-inside-')));
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'docs-outside-')));
const clean = realpathSync(mkdtempSync(join(tmpdir(), 'docs-clean-')));
writeFileSync(join(folder, 'in.md'), 'x');
writeFileSync(join(clean, 'in.md'), 'x');
mkdirSync(join(clean, 'plain'));
writeFileSync(join(outside, 'id_rsa'), 'key');
symlinkSync(join(outside, 'id_rsa'), join(folder, 'link.md'));
symlinkSync(join(outside, 'nothing'), join(folder, 'dangling.md'));
mkdirSync(join(folder, 'plain'));
mkdirSync(join(folder, 'leaky'));
symlinkSync(outside, join(folder, 'leaky', 'out'));
afterAll(() => {
  for (const path of [folder, clean, outside]) rmSync(path, { recursive: true, force: true });
});

const tree = await commandTree(groups);

/** Flags that name no file although their placeholder looks like one. */
const notFiles = new Map([
  ['sections update --path', 'a path of the published site'],
  ['site-spaces update --path', 'a path of the published site'],
  ['impact rename --path', 'a path of the published site'],
  ['sites release cut --path', 'a path of the published site'],
  ['sites update --proxy', 'a domain and a path of the published site'],
  ['content files get <file>', 'the id of a file'],
  ['content files backlinks <file>', 'the id of a file'],
  ['api <method-or-path>', 'a path of the platform'],
  ['api <path>', 'a path of the platform'],
]);

const takers = tree.flatMap(({ path, command }) =>
  [...command.args, ...command.options].map((taker) => ({
    name: `${path} ${nameOf(taker)}`,
    command,
    taker,
  })),
);
const filed = takers.filter(({ taker }) => taker.reads !== undefined || taker.path !== undefined);

/** What is typed to name a file. */
function naming({ reads, path }: Argument | Option, file: string): string {
  if (path !== undefined || reads === 'path') return file;
  return reads === 'pair' ? `body=@${file}` : `@${file}`;
}

function refusal(
  command: Command,
  taker: Argument | Option,
  typed: string,
  files?: string,
): string | undefined {
  const value = taker.variadic ? [typed] : typed;
  const isOption = 'nullable' in taker;
  const line = {
    command,
    args: isOption ? {} : { [taker.name]: value },
    options: isOption ? { [camel(taker.name)]: value } : {},
    globals: {},
  };
  // What is not typed has its usual place, which is inside.
  try {
    refuseUnsafe({ context: {}, ...(files !== undefined && { files }) }, line, 'plan');
    return undefined;
  } catch (cause) {
    if (cause instanceof DocsError) return cause.code;
    throw cause;
  }
}

describe('a flag or positional that names a file', () => {
  it('says so, wherever its placeholder or description looks like it', () => {
    const looks = /\b(file|folder|directory|path)\b|signers/i;
    const silent = takers.filter(({ taker }) => {
      const placeholder = 'nullable' in taker ? (taker.value ?? '') : taker.name;
      const isTold = taker.reads !== undefined || taker.path !== undefined;
      return !isTold && (looks.test(placeholder) || /@file|working folder/.test(taker.description));
    });
    const names = silent.map(({ name }) => name).filter((name) => !notFiles.has(name));
    expect(names.filter((name) => !/<key=value>/.test(name))).toEqual([]);
  });

  it.each(filed.map((one) => [one.name, one] as const))(
    '%s: is refused outside --files',
    (_, { command, taker }) => {
      const refused = command.passThrough ? 'refused_command' : 'refused_file';
      for (const file of ['~/.ssh/id_rsa', '/etc/passwd', 'in.md']) {
        expect(refusal(command, taker, naming(taker, file))).toBe(refused);
      }
      const escapes = [
        '../id_rsa',
        join(outside, 'id_rsa'),
        'link.md',
        'dangling.md',
        'leaky',
        'leaky/out/id_rsa',
        '-',
      ];
      for (const file of escapes) expect(refusal(command, taker, naming(taker, file), folder)).toBe(refused);
      if (!command.passThrough) {
        expect(refusal(command, taker, naming(taker, 'in.md'), clean)).toBeUndefined();
        expect(refusal(command, taker, naming(taker, join(clean, 'plain')), clean)).toBeUndefined();
      }
    },
  );

  it('is written by no read, wherever it lies', () => {
    const writing = filed.filter(
      ({ command, taker }) => taker.path?.use === 'writes' && !command.passThrough && 'nullable' in taker,
    );
    expect(writing.length).toBeGreaterThan(10);
    for (const { command, taker } of writing) {
      const line = { command, args: {}, options: { [camel(taker.name)]: 'plain/new.md' }, globals: {} };
      const read = () => refuseUnsafe({ context: {}, files: clean }, line, 'read');
      expect(read).toThrow('a read writes no files');
    }
  });

  it('is told from a text that names none', () => {
    expect(fileIn({ reads: 'at' }, 'plain text')).toBeUndefined();
    expect(fileIn({ reads: 'pair' }, 'mail=ada@acme.example')).toBeUndefined();
    expect(fileIn({ reads: 'unless-url' }, 'https://acme.example/openapi.json')).toBeUndefined();
  });
});

describe('a flag of whoever starts the server', () => {
  const owned = globalOptions.filter(({ sets }) => sets === 'owner');

  it('is every one that says as whom, where to, and with which trust', () => {
    expect(owned.map(({ name }) => name)).toEqual([
      'profile',
      'base-url',
      'policy',
      'sandbox',
      'ca-file',
      'debug',
    ]);
  });

  it.each(owned.map(({ name }) => [name]))('--%s is refused', (name) => {
    const command = tree.find(({ path }) => path === 'spaces list')?.command as Command;
    const line = { command, args: {}, options: {}, globals: { [camel(name)]: 'x' } };
    expect(() => refuseUnsafe({ context: {} }, line, 'read')).toThrow(`--${name} is refused here`);
  });

  it('holds for every call where it is context: another organization is refused, the same is not', () => {
    const command = tree.find(({ path }) => path === 'teams list')?.command as Command;
    const withOrg = (org: string) => () =>
      refuseUnsafe({ context: { org: 'o1' } }, { command, args: {}, options: { org }, globals: {} }, 'read');
    expect(withOrg('o2')).toThrow('--org is refused here: the server was started with --org o1');
    expect(withOrg('o1')).not.toThrow();
  });

  it('is every one that reads or prints a secret', () => {
    const secret = takers.filter(({ taker }) => 'secret' in taker && taker.secret);
    expect(secret.map(({ name }) => name)).toEqual(['auth login --with-token', 'auth status --show-token']);
    for (const { command, taker } of secret) expect(refusal(command, taker, 'true')).toBe('refused_flag');
  });
});

describe('a flag for terminals', () => {
  it.each(['watch', 'web'])('is refused: --%s', (name) => {
    const having = takers.filter(({ taker }) => 'nullable' in taker && taker.name === name);
    expect(having).not.toEqual([]);
    for (const { command, taker } of having) expect(refusal(command, taker, 'true')).toBe('refused_flag');
  });
});

describe('a folder', () => {
  it('holds what is in it, also what does not exist yet', () => {
    expect(isInside(folder, '.')).toBe(false); // It holds links that lead out.
    expect(isInside(folder, 'plain')).toBe(true);
    expect(isInside(folder, 'plain/new/file.md')).toBe(true);
    expect(isInside(folder, `${folder}-beside/x`)).toBe(false);
    expect(isInside(folder, 'plain/../../x')).toBe(false);
  });
});
