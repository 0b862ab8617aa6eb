import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeIoOptions } from '../../fake-io.js';
import { type Answer, type RecordingPlatform, startRecordingPlatform } from './recording-platform.js';
import type { SentRequest } from './request-cases.js';

/** `--download`: whole files or none, nothing overwritten unasked, the token only for the platform. */

const bytes = new Uint8Array([0, 159, 146, 150, 10, 13, 255]);

let platform: RecordingPlatform;
let elsewhere: RecordingPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startRecordingPlatform();
  elsewhere = await startRecordingPlatform();
});
afterAll(async () => {
  await platform.close();
  await elsewhere.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-download-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface File {
  name?: string;
  size?: number;
  from?: RecordingPlatform;
  bytes?: Answer;
}

/** The platform with one file: its resource, and its bytes at the address the resource gives. */
const withFile =
  ({
    name = 'logo.png',
    size = bytes.length,
    from = platform,
    bytes: answer = { status: 200, body: bytes },
  }: File = {}) =>
  ({ path }: SentRequest): Answer => {
    const resource = {
      id: 'f1',
      name,
      contentType: 'image/png',
      size,
      downloadURL: `${from.url}/bytes/f1?sig=1`,
    };
    return path.startsWith('/bytes/') ? answer : { status: 200, body: resource };
  };

const get = (words: string[], file: File = {}, io: FakeIoOptions = {}) =>
  platform.run(['content', 'files', 'get', 'f1', '--space', 's1', ...words], withFile(file), {
    cwd: folder,
    ...io,
  });

const files = () => readdirSync(folder).sort();
const saved = (name: string) => new Uint8Array(readFileSync(join(folder, name)));

describe('--download <file>', () => {
  it('saves the bytes and says what it did', async () => {
    const { code, stdout, sent } = await get(['--download', 'my.png', '--json']);
    expect({ code, result: JSON.parse(stdout) }).toEqual({
      code: 0,
      result: { id: 'f1', status: 'saved', path: join(folder, 'my.png'), bytes: 7 },
    });
    expect(saved('my.png')).toEqual(bytes);
    expect(sent.map(({ path, query }) => [path, query])).toEqual([
      ['/v1/spaces/s1/content/files/f1', []],
      ['/bytes/f1', [['sig', '1']]],
    ]);
    expect(files()).toEqual(['my.png']);
  });

  it('does not overwrite a file unasked, and asks the platform nothing', async () => {
    writeFileSync(join(folder, 'my.png'), 'mine');
    const { code, stderr, sent } = await get(['--download', 'my.png']);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('my.png already exists. Add --yes to replace it.');
    expect(readFileSync(join(folder, 'my.png'), 'utf8')).toBe('mine');
  });

  it('replaces it with --yes', async () => {
    writeFileSync(join(folder, 'my.png'), 'mine');
    expect((await get(['--download', 'my.png', '--yes'])).code).toBe(0);
    expect(saved('my.png')).toEqual(bytes);
  });

  it.each([
    ['fewer bytes than it said', 9, 15],
    ['more bytes than it said', 3, 15],
  ])('keeps the old file where the platform sends %s', async (_, size, exit) => {
    writeFileSync(join(folder, 'my.png'), 'mine');
    const { code, stderr } = await get(['--download', 'my.png', '--yes'], { size });
    expect(code).toBe(exit);
    expect(stderr).toContain(`expected ${size} bytes`);
    expect(files()).toEqual(['my.png']);
    expect(readFileSync(join(folder, 'my.png'), 'utf8')).toBe('mine');
  });

  it('leaves nothing where the bytes cannot be had', async () => {
    const { code } = await get(['--download', 'my.png'], { bytes: { status: 404 } });
    expect(code).toBe(6);
    expect(files()).toEqual([]);
  });

  it('writes to files and folders only', async () => {
    // A socket, and not a device of the system: where the check fails, it is replaced.
    const socket = createServer().listen(join(folder, 'socket'));
    await once(socket, 'listening');
    const { code, stderr, sent } = await get(['--download', 'socket', '--yes']);
    socket.close();
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('socket is neither a file nor a folder');
  });
});

describe('--download <folder>', () => {
  it('uses the name of the file', async () => {
    await get(['--download', '.']);
    expect(files()).toEqual(['logo.png']);
  });

  it.each([
    ['../../escape.png', 'escape.png'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['.bashrc', 'bashrc'],
    ['con.txt', '_con.txt'],
  ])('makes %j safe', async (name, safe) => {
    await get(['--download', folder], { name });
    expect(files()).toEqual([safe]);
  });

  it('gives another name where one is taken', async () => {
    writeFileSync(join(folder, 'logo.png'), 'mine');
    const { code, stdout } = await get(['--download', '.']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'f1\tsaved\n' });
    expect(files()).toEqual(['logo (2).png', 'logo.png']);
    expect(readFileSync(join(folder, 'logo.png'), 'utf8')).toBe('mine');
  });

  it('does not write through a link that lies there', async () => {
    mkdirSync(join(folder, 'target'));
    writeFileSync(join(folder, 'victim'), 'mine');
    symlinkSync(join(folder, 'victim'), join(folder, 'target', 'logo.png'));
    await get(['--download', 'target/']);
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine');
    expect(saved('target/logo (2).png')).toEqual(bytes);
  });

  it('names a folder that is not there', async () => {
    const { code, stderr } = await get(['--download', 'nowhere/']);
    expect(code).toBe(13);
    expect(stderr).toContain('nowhere');
  });
});

describe('--download -', () => {
  it('writes the bytes alone to standard output', async () => {
    const { code, stdout, stderr } = await get(['--download', '-'], {
      bytes: { status: 200, body: Buffer.from('<svg/>\n') },
      size: 7,
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '<svg/>\n', stderr: '' });
    expect(files()).toEqual([]);
  });

  it('is refused on a terminal: bytes could command it', async () => {
    const { code, stderr, sent } = await get(['--download', '-'], {}, { terminals: ['stdout'] });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('redirect it, or name a file');
  });

  it.each([['--json'], ['--jq=.id'], ['--fields=id']])('does not go with %s', async (flag) => {
    const { code, sent } = await get(['--download', '-', flag]);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });
});

describe('where the bytes come from', () => {
  it('sends the token to the platform, and to no other host', async () => {
    const own = await get(['--download', 'own.png']);
    expect(own.tokens).toEqual(['Bearer token-of-a-test', 'Bearer token-of-a-test']);
    await elsewhere.run(['--version'], { status: 200, body: bytes });
    const { code, tokens } = await get(['--download', 'other.png'], { from: elsewhere });
    expect({ code, tokens }).toEqual({ code: 0, tokens: ['Bearer token-of-a-test'] });
    expect(elsewhere.noted().tokens).toEqual([undefined]);
    expect(saved('other.png')).toEqual(bytes);
  });

  it.each(['http://files.example/f1', 'file:///etc/passwd', 'not a url'])(
    'refuses %s',
    async (downloadURL) => {
      const { code, sent } = await platform.run(
        ['content', 'files', 'get', 'f1', '--space', 's1', '--download', '.'],
        { status: 200, body: { id: 'f1', name: 'x', contentType: 'x', size: 1, downloadURL } },
        { cwd: folder },
      );
      expect([14, 15]).toContain(code);
      expect(sent).toHaveLength(1);
      expect(files()).toEqual([]);
    },
  );
});

describe('change-requests pdf --download', () => {
  const pdf = ({ path }: SentRequest): Answer =>
    path === '/bytes/pdf'
      ? { status: 200, body: bytes }
      : { status: 200, body: { url: `${platform.url}/bytes/pdf` } };

  it('saves the PDF under the number of the change request', async () => {
    const words = [
      'change-requests',
      'pdf',
      '5',
      '--space',
      's1',
      '--only',
      '--page-id',
      'p1',
      '--download',
      '.',
    ];
    const { code, stdout, sent } = await platform.run(words, pdf, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '5\tsaved\n' });
    expect(sent[0]?.query).toEqual([
      ['only', 'true'],
      ['page', 'p1'],
    ]);
    expect(files()).toEqual(['change-request-5.pdf']);
  });

  it('prints the address without --download', async () => {
    const { stdout } = await platform.run(['cr', 'pdf', '5', '--space', 's1'], pdf, { cwd: folder });
    expect(stdout).toBe(`${platform.url}/bytes/pdf\n`);
  });
});

it('--dry-run reads, and fetches and writes nothing', async () => {
  const { code, stdout, sent } = await get(['--download', 'my.png', '--dry-run', '--json']);
  expect({ code, result: JSON.parse(stdout), requests: sent.length }).toEqual({
    code: 0,
    result: { id: 'f1', status: 'not saved', path: join(folder, 'my.png'), bytes: 7 },
    requests: 1,
  });
  expect(files()).toEqual([]);
});
