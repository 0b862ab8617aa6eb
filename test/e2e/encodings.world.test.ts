import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** Texts that are not UTF-8, at every place that reads a file or standard input. */

const platform = await stubPlatform((method) => ({
  status: method === 'PUT' ? 201 : 200,
  body: { id: 'x', title: 'x', items: [] },
}));
const home = freshHome({
  ...{ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' },
  ...{ DOCS_SPACE: 's1', DOCS_JOURNAL: 'off' },
});
beforeEach(() => {
  platform.requests.length = 0;
  platform.bodies.length = 0;
});
afterAll(async () => {
  home.remove();
  await platform.close();
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');
function file(name: string, content: Uint8Array | string): string {
  writeFileSync(join(home.path, name), content);
  return name;
}

describe('Latin-1 is refused before anything is sent, with the command line that reads it', () => {
  test.each<[string, string[], string]>([
    ['rows', ['bulk', 'teams', 'create', '--from', 'f'], 'title\nMünchen\n'],
    ['a long text', ['comments', 'create', '--body', '@f'], 'Grüße\n'],
    ['ids', ['members', 'delete', '@f', '--yes'], 'ü1\n'],
    ['a body', ['teams', 'create', '--input', 'f'], '{"title":"München"}'],
    ['a body of docs api', ['api', 'POST', '/v1/orgs', '--input', 'f'], '{"title":"München"}'],
    ['a field of docs api', ['api', 'POST', '/v1/orgs', '-F', 'title=@f'], 'München'],
    ['a value of a field', ['spaces', 'fields', 'set', 's1', 'owner=@f'], 'Müller'],
    ['a schema of visitors', ['sites', 'schema', 'set', 'w1', '@f'], '{"title":"ü"}'],
    ['a specification', ['openapi', 'publish', 'pets', 'f'], 'openapi: 3.0.0\ninfo:\n  title: Straße\n'],
    ['people to offboard', ['members', 'offboard', '--from', 'f', '--yes'], 'email\nü@x.example\n'],
    ['ids to offboard', ['members', 'offboard', '@f', '--yes'], 'ü1\n'],
    ['evidence', ['members', 'offboard', '--resume', 'f'], '{"format":"ü"}'],
    ['decisions', ['members', 'review', '--apply', 'f'], 'email,decision\nü@x.example,remove\n'],
    ['spaces to restore', ['trash', 'restore', '@f'], 'Händbuch\n'],
  ])('%s', async (_, args, text) => {
    file('f', latin1(text));
    const ran = await home.run([...args, '--json']);
    const { error } = JSON.parse(ran.stderr) as { error: { code: string; hint: string; details: object } };
    expect({ code: ran.code, stdout: ran.stdout, sent: platform.requests }).toEqual({
      code: 2,
      stdout: '',
      sent: [],
    });
    expect(error.code).toBe('bad_encoding');
    expect(error.details).toMatchObject({ line: expect.any(Number), encoding: 'windows-1252' });
    expect(error.hint).toBe(`docs ${args.join(' ')} --json --encoding windows-1252`);
  });

  test('a baseline, and an export for the sandbox, which docs itself wrote', async () => {
    file('links.json', latin1('{"format":"docs-links-baseline/1","findings":["ü"]}'));
    const check = await home.run(['links', 'check', '--baseline', 'links.json', '--json']);
    expect({ code: check.code, sent: platform.requests }).toEqual({ code: 2, sent: [] });
    expect(check.stderr).toContain('bad_encoding');
    file('state.json', latin1('{"ü":1}'));
    const seed = await home.run(['sandbox', 'seed', '--from', 'state.json', '--json']);
    expect(seed.code).toBe(2);
    expect(seed.stderr).toContain('bad_encoding');
  });

  test('standard input, by its name', async () => {
    const ran = await home.run(['comments', 'create', '--body', '-'], { stdin: latin1('Grüße') });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'standard input is not UTF-8 text: byte 3 (0xFC) on line 1; nothing was sent',
    );
    expect(ran.stderr).toContain('  Try: docs comments create --body - --encoding windows-1252\n');
  });
});

describe('what it says is what is sent', () => {
  test.each<[string, Uint8Array, string[]]>([
    ['--encoding latin1', latin1('title\nMünchen\n'), ['--encoding', 'latin1']],
    ['--encoding windows-1252', latin1('title\nMünchen\n'), ['--encoding', 'windows-1252']],
    ['--encoding utf-16le', Buffer.from('title\nMünchen\n', 'utf16le'), ['--encoding', 'utf-16le']],
    ['a mark of UTF-16', Buffer.from('\ufefftitle\nMünchen\n', 'utf16le'), []],
    ['a mark of UTF-16, the other end first', Buffer.from('\ufefftitle\nMünchen\n', 'utf16le').swap16(), []],
    ['a mark of UTF-8', Buffer.from('\ufefftitle\nMünchen\n'), []],
  ])('%s', async (_, content, more) => {
    await home.ok(['bulk', 'teams', 'create', '--from', file('t.csv', content), ...more]);
    expect(platform.bodies).toEqual([{ title: 'München' }]);
  });

  test('a long text without its mark', async () => {
    file('body.md', '\ufeffHello');
    await home.ok(['comments', 'create', '--body', '@body.md']);
    expect(platform.bodies).toEqual([{ body: { markdown: 'Hello' } }]);
  });
});

test('--encoding where nothing is read is refused, and so is one that is not known', async () => {
  const idle = await home.run(['teams', 'create', '--title', 'A', '--encoding', 'latin1']);
  expect({ code: idle.code, sent: platform.requests }).toEqual({ code: 2, sent: [] });
  expect(idle.stderr).toContain('--encoding is for a text from a file or standard input');
  const url = ['openapi', 'publish', 'pets', 'https://x.example/a.yaml', '--encoding', 'latin1'];
  expect((await home.run(url)).code).toBe(2);
  const unknown = await home.run(['teams', 'create', '--input', '-', '--encoding', 'ebcdic']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(
    '--encoding must be one of utf-8, utf-16le, utf-16be, latin1, windows-1252',
  );
  expect(platform.requests).toEqual([]);
});
