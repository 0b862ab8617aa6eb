import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readProjectFile } from '../../src/settings/settings.js';
import { failureOf, freshWorld, giveAway, isRoot, stranger } from './world.js';

function inFolder(content: unknown) {
  const world = freshWorld();
  const cwd = join(world.home, 'project');
  const path = world.write(join(cwd, '.docs.json'), content);
  return { ...world, cwd, path, io: world.with({ cwd }) };
}

describe('the search', () => {
  test('in the working directory and above; only the nearest file counts', () => {
    const { io, path, cwd, write, with: change } = inFolder({ org: 'outer' });
    expect(readProjectFile(io)).toEqual({ path, values: { org: 'outer' } });
    const deep = join(cwd, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    expect(readProjectFile(change({ cwd: deep }))).toEqual({ path, values: { org: 'outer' } });
    const inner = write(join(cwd, 'a', '.docs.json'), { site: 'inner' });
    expect(readProjectFile(change({ cwd: deep }))).toEqual({ path: inner, values: { site: 'inner' } });
  });

  test('stops at the home directory for a working directory inside it', () => {
    const { home, write, with: change } = freshWorld();
    write(join(home, '.docs.json'), { org: 'above' });
    const ada = join(home, 'ada');
    mkdirSync(join(ada, 'work'), { recursive: true });
    expect(readProjectFile(change({ cwd: join(ada, 'work'), env: { HOME: ada } }))).toBeUndefined();
    expect(readProjectFile(change({ cwd: join(ada, 'work'), env: { HOME: '/nonexistent' } }))).toBeDefined();
  });

  test('includes the home directory', () => {
    const { io, home, write } = freshWorld();
    const path = write(join(home, '.docs.json'), { org: 'mine' });
    expect(readProjectFile(io)).toEqual({ path, values: { org: 'mine' } });
  });
});

describe('allowed keys', () => {
  test('org, space, site, output, fields, page size, profile', () => {
    const values = {
      org: 'o',
      space: 's',
      site: 't',
      output: 'json',
      fields: ['a'],
      pageSize: 5,
      profile: 'p',
    };
    expect(readProjectFile(inFolder(values).io)?.values).toEqual(values);
  });

  test.each([
    'baseUrl',
    'base-url',
    'token',
    'proxy',
    'ca',
    'caFile',
    'command',
    'path',
    'timeout',
    'x',
    '__proto__',
  ])('%s makes the file untrusted: exit 14, nothing is sent', async (key) => {
    const { io, path } = inFolder(`{"org":"o","${key}":"https://evil.example"}`);
    expect(await failureOf(() => readProjectFile(io))).toEqual({
      code: 'untrusted_project_file',
      exitCode: 14,
      message: `${path} may not set "${key}", only org, space, site, output, fields, pageSize, profile; nothing was sent`,
      retryable: false,
      outcome: 'not-sent',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
      hint: `${'${EDITOR:-vi}'} ${path}`,
      details: {
        file: path,
        key,
        allowed: ['org', 'space', 'site', 'output', 'fields', 'pageSize', 'profile'],
      },
    });
  });

  test('escapes control characters in a key', async () => {
    const { io } = inFolder({ '\u001b]0;x\u0007\u202e\u009b': 1 });
    const { message } = await failureOf(() => readProjectFile(io));
    expect(message).toContain('"\\u001b]0;x\\u0007\\u202e\\u009b"');
  });
});

describe('invalid files', () => {
  test.each([
    ['{"org": "o",}', 'is not valid JSON (line 1, column 13)'],
    ['', 'is not valid JSON'],
    ['[]', 'is not a JSON object'],
    ['{"org": 5}', 'has a value of the wrong type for "org"'],
    ['{"org": ""}', 'has a value of the wrong type for "org"'],
    ['{"fields": [1]}', 'has a value of the wrong type for "fields"'],
    [`{"org":"${'x'.repeat(70_000)}"}`, 'is larger than 64 KB'],
  ])('%.30s', async (text, what) => {
    const { io, path } = inFolder(text);
    expect(await failureOf(() => readProjectFile(io))).toMatchObject({
      exitCode: 14,
      code: 'invalid_project_file',
      message: `${path} ${what}; nothing was sent`,
    });
  });

  test('a pipe, which would block for ever', async () => {
    const { home, with: change } = freshWorld();
    execFileSync('mkfifo', [join(home, '.docs.json')]);
    expect(await failureOf(() => readProjectFile(change({})))).toMatchObject({
      exitCode: 14,
      message: `${join(home, '.docs.json')} is not a file; nothing was sent`,
    });
  });

  test('a dangling symbolic link', async () => {
    const { home, io } = freshWorld();
    symlinkSync('/nonexistent', join(home, '.docs.json'));
    expect(await failureOf(() => readProjectFile(io))).toMatchObject({ exitCode: 14 });
  });
});

// Only root can make files of another user; that these rules hold for everybody is the same code.
describe.runIf(isRoot)('whose it is (as root)', () => {
  test('refuses a file, folder or link of another user, for root too', async () => {
    const file = inFolder({ org: 'o' });
    giveAway(file.path);
    expect(await failureOf(() => readProjectFile(file.io))).toMatchObject({
      exitCode: 14,
      code: 'untrusted_project_file',
      message: `${file.path} or its folder belongs to another user; nothing was sent`,
      hint: `sudo chown "$(id -u)" ${file.cwd} ${file.path}`,
    });
    const folder = inFolder({ org: 'o' });
    giveAway(folder.cwd);
    expect(await failureOf(() => readProjectFile(folder.io))).toMatchObject({ exitCode: 14 });
    const link = inFolder({ org: 'o' });
    const target = link.write(join(link.home, 'theirs.json'), { org: 'theirs' });
    chownSync(target, stranger, stranger);
    mkdirSync(join(link.home, 'linked'));
    symlinkSync(target, join(link.home, 'linked', '.docs.json'));
    const io = link.with({ cwd: join(link.home, 'linked') });
    expect(await failureOf(() => readProjectFile(io))).toMatchObject({ exitCode: 14 });
  });

  test("accepts the caller's file under sudo", () => {
    const { path, with: change, cwd } = inFolder({ org: 'o' });
    giveAway(path);
    expect(readProjectFile(change({ cwd, env: { SUDO_UID: String(stranger) } }))?.values).toEqual({
      org: 'o',
    });
  });

  test('skips the file in a world-writable folder', () => {
    const { io, path, cwd } = inFolder({ org: 'o' });
    giveAway(path);
    chmodSync(cwd, 0o1777);
    expect(readProjectFile(io)).toBeUndefined();
  });
});

describe.runIf(!isRoot)('whose it is (not as root)', () => {
  test('trusts a file of root', () => {
    const { home, io } = freshWorld();
    symlinkSync('/etc/hostname', join(home, '.docs.json'));
    expect(() => readProjectFile(io)).toThrow(/is not valid JSON/);
  });
});
