import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/main.js';
import { type StubPlatform, stubPlatform } from '../e2e/stub-platform.js';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../fake-io.js';

/** `docs openapi publish` and `docs openapi wait` against a platform whose states are scripted. */

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-publish-'));
  writeFileSync(join(home, 'petstore.yaml'), yaml);
  writeFileSync(join(home, 'other.yaml'), yaml.replace('1.0.0', '2.0.0'));
  writeFileSync(join(home, 'empty.yaml'), '\n');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const yaml = 'openapi: 3.1.0\ninfo:\n  title: Petstore\n  version: 1.0.0\npaths: {}\n';
const document = { paths: {}, info: { version: '1.0.0', title: 'Petstore' }, openapi: '3.1.0' };
const path = '/v1/orgs/o1/openapi/petstore';

interface State {
  processingState: string;
  lastVersion?: string;
  lastProcessedAt?: string;
  lastProcessErrorCode?: string;
  sourceURL?: string;
}

const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
const v1: State = { processingState: 'complete', lastVersion: 'v1', lastProcessedAt: early };
const v2: State = { processingState: 'complete', lastVersion: 'v2', lastProcessedAt: late };
const pending: State = { ...v1, processingState: 'pending' };
const progress: State = { ...v1, processingState: 'progress' };

/** What the platform holds, and how its states follow each other once the spec is set. */
let before: State | undefined;
let states: (State | Answer)[];
let latest: unknown;
beforeEach(() => {
  before = v1;
  states = [pending, progress, v2];
  latest = { filesystem: { 'petstore.yaml': document }, url: 'https://acme.example/v1' };
});

interface Answer {
  status: number;
  body?: unknown;
}

/** A platform that holds the spec, as often as it is set and looked at. */
function scripted(isSetAlready: boolean): Promise<StubPlatform> {
  const left = [...states];
  let isSet = isSetAlready;
  return stubPlatform((method, { pathname }) => {
    if (pathname === `${path}/versions/latest/content`)
      return latest === undefined ? undefined : { body: latest };
    if (pathname === `${path}/versions/latest`) return { body: { id: 'v-latest' } };
    if (pathname === '/spec.json') return { body: document };
    if (pathname !== path) return undefined;
    isSet ||= method === 'PUT';
    const state = isSet ? (left.length > 1 ? left.shift() : left[0]) : before;
    if (state === undefined || 'status' in state) return state;
    return {
      status: method === 'PUT' && before === undefined ? 201 : 200,
      body: { object: 'openapi-spec', id: 'x1', slug: 'petstore', ...state },
    };
  });
}

/** What the command itself waits for is over at once, and the clock moves; time limits stay ahead. */
function quickIo(options: FakeIoOptions): FakeIo {
  const io = fakeIo({ cwd: home, ...options });
  const { sleep } = io;
  io.sleep = (ms, signal) => (signal === io.signal ? io.advance(ms) : sleep(ms, signal));
  return io;
}

async function docs(line: string, options: FakeIoOptions = {}) {
  const platform = await scripted(line.startsWith('openapi wait'));
  const env = { HOME: home, DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'token-of-a-test', DOCS_JOURNAL: 'off' };
  const io = quickIo({ ...options, env: { ...env, ...options.env } });
  const words = line.replace('PLATFORM', platform.url).split(' ');
  const code = await run([...words, '--org', 'o1', '--no-retry'], io);
  await platform.close();
  const puts = platform.bodies.filter((_, index) => platform.requests[index]?.startsWith('PUT '));
  return { code, stdout: io.stdout.text, stderr: io.stderr.text, sent: platform.requests, puts };
}

interface Failed {
  error: { code: string; exitCode: number; message: string; hint: string; details: unknown };
}
const failure = (stderr: string) => (JSON.parse(stderr) as Failed).error;

describe('docs openapi publish', () => {
  it('sends a URL, watches, and prints one line in a pipe', async () => {
    const ran = await docs('openapi publish petstore https://acme.example/petstore.yaml');
    expect({ code: ran.code, stdout: ran.stdout, stderr: ran.stderr }).toEqual({
      code: 0,
      stdout: 'petstore\tupdated\tv2\n',
      stderr: '',
    });
    expect(ran.sent).toEqual([`GET ${path}`, `PUT ${path}`, ...[`GET ${path}`, `GET ${path}`]]);
    expect(ran.puts[0]).toEqual({ source: { url: 'https://acme.example/petstore.yaml' } });
  });

  it.each([
    ['a path', 'petstore.yaml', ''],
    ['@file', '@petstore.yaml', ''],
    ['-', '-', yaml],
  ])('sends the text of %s', async (_, source, stdin) => {
    const ran = await docs(`openapi publish petstore ${source}`, { stdin });
    expect({ code: ran.code, body: ran.puts[0] }).toEqual({
      code: 0,
      body: { source: { text: yaml } },
    });
  });

  it('tells with --json what it became and what it was', async () => {
    states = [pending, { ...v2, sourceURL: 'https://acme.example/p' }];
    const ran = await docs('openapi publish petstore https://acme.example/p --json');
    expect(JSON.parse(ran.stdout)).toEqual({
      id: 'petstore',
      status: 'updated',
      version: 'v2',
      previousVersion: 'v1',
      processingState: 'complete',
      lastProcessedAt: late,
      sourceURL: 'https://acme.example/p',
    });
  });

  it('says it in a sentence on a terminal', async () => {
    const ran = await docs('openapi publish petstore petstore.yaml', { terminals: ['stdout'] });
    expect(ran.stdout).toBe('Updated petstore: version v2, before v1.\n');
  });

  it('creates with --create alone', async () => {
    before = undefined;
    states = [{ processingState: 'pending' }, { processingState: 'complete', lastVersion: 'v1' }];
    const refused = await docs('openapi publish petstore petstore.yaml --json');
    expect({ code: refused.code, sent: refused.sent }).toEqual({ code: 6, sent: [`GET ${path}`] });
    expect(failure(refused.stderr).hint).toBe(
      'docs openapi publish petstore petstore.yaml --create --org o1',
    );
    const ran = await docs('openapi publish petstore petstore.yaml --create');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tcreated\tv1\n' });
  });

  it('refuses what cannot be a slug before anything is sent', async () => {
    const ran = await docs('openapi publish Pet_Store petstore.yaml --create');
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 2, sent: [] });
    expect(ran.stderr).toContain('<slug>');
  });

  it.each([
    ['no such file', 'nowhere.yaml', 13, 'there is no such file'],
    ['an empty file', 'empty.yaml', 2, 'empty.yaml is empty'],
    ['a URL that is none', 'https://', 2, 'must be an absolute URL'],
  ])('refuses %s', async (_, source, code, words) => {
    const ran = await docs(`openapi publish petstore ${source}`);
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code, sent: [] });
    expect(ran.stderr).toContain(words);
  });

  it('does not take the old complete for the new one', async () => {
    states = [v1, v1, progress, v2];
    const ran = await docs('openapi publish petstore petstore.yaml');
    expect(ran.stdout).toBe('petstore\tupdated\tv2\n');
  });

  it('believes in the end that nothing new was made', async () => {
    states = [v1];
    const ran = await docs('openapi publish petstore petstore.yaml');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tupdated\tv1\n' });
  });

  it.each([
    ['PARSE_ERROR', 'no OpenAPI specification'],
    ['FETCH_TIMEOUT', 'waited too long'],
    ['FETCH_ERROR', 'could not read the URL'],
    ['NEW_CODE', 'NEW_CODE'],
  ])('exits 18 at %s', async (errorCode, words) => {
    states = [pending, { ...v1, lastProcessedAt: late, lastProcessErrorCode: errorCode }];
    const ran = await docs('openapi publish petstore petstore.yaml --json');
    expect(failure(ran.stderr)).toMatchObject({
      code: 'processing_failed',
      exitCode: 18,
      message: expect.stringContaining(words),
      hint: 'docs openapi get petstore --org o1',
      details: { slug: 'petstore', errorCode, lastVersion: 'v1' },
    });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 18, stdout: '' });
  });

  it('does not take the error of before for the new one', async () => {
    before = { ...v1, lastProcessErrorCode: 'PARSE_ERROR' };
    states = [
      { ...pending, lastProcessErrorCode: 'PARSE_ERROR' },
      { ...progress, lastProcessErrorCode: 'PARSE_ERROR' },
      v2,
    ];
    expect((await docs('openapi publish petstore petstore.yaml')).code).toBe(0);
  });

  it('exits 12 when the time is up, with the command that goes on', async () => {
    states = [pending];
    const ran = await docs('openapi publish petstore petstore.yaml --wait 30s --json');
    expect({ code: ran.code, error: failure(ran.stderr) }).toMatchObject({
      code: 12,
      error: {
        code: 'not_processed',
        message: 'petstore was not processed within 30s; its state is pending.',
        hint: 'docs openapi wait petstore --org o1',
      },
    });
    // 1 + 1.5 + 2.25 + 3.4 + 5.1 + 7.6 + the rest; the last look is at the end.
    expect(ran.sent.filter((request) => request === `GET ${path}`)).toHaveLength(1 + 7);
  });

  it('looks again after a failure that may pass', async () => {
    const broken: Answer = { status: 503, body: { error: { code: 503, message: 'Later.' } } };
    states = [pending, broken, broken, broken, broken, v2];
    expect((await docs('openapi publish petstore petstore.yaml')).stdout).toBe('petstore\tupdated\tv2\n');
  });

  it.each(['--wait --json', '--wait=5m', '--wait 90'])('takes %s', async (wait) => {
    expect((await docs(`openapi publish petstore petstore.yaml ${wait}`)).code).toBe(0);
  });

  it('tells a positional behind --wait from its time', async () => {
    const ran = await docs('openapi publish --wait petstore petstore.yaml');
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 2, sent: [] });
    expect(ran.stderr).toContain('--wait takes a time such as 30s or 5m, not "petstore"');
  });

  it('shows the request with --dry-run and sends none', async () => {
    const ran = await docs('openapi publish petstore petstore.yaml --dry-run --json');
    expect(JSON.parse(ran.stdout)).toEqual({ method: 'PUT', path, body: { source: { text: yaml } } });
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 0, sent: [`GET ${path}`] });
  });

  it('keeps a journal, so that undo knows what was before', async () => {
    before = { ...v1, sourceURL: 'https://acme.example/old' };
    const ran = await docs('openapi publish petstore petstore.yaml', { env: { DOCS_JOURNAL: 'on' } });
    expect(ran.code).toBe(0);
    const folder = join(home, '.local', 'state', 'docs', 'jobs');
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
    const journal = readFileSync(join(folder, name), 'utf8');
    expect(journal).toContain('openapi publish');
    expect(journal).toContain('https://acme.example/old');
  });

  it('prints no token', async () => {
    states = [pending, { ...v1, lastProcessErrorCode: 'PARSE_ERROR', lastProcessedAt: late }];
    const { stdout, stderr } = await docs('openapi publish petstore petstore.yaml --debug --json');
    expect(stderr).toContain('PUT ');
    expect(stdout + stderr).not.toContain('token-of-a-test');
  });
});

describe('docs openapi publish --skip-unchanged', () => {
  const contentOf = (file: unknown) => ({ filesystem: { a: file }, url: 'https://acme.example/v1' });

  it.each([
    ['the same document in another order', document],
    ['the same document as text', JSON.stringify(document)],
    ['the same text', yaml],
  ])('sends nothing where the latest version is %s', async (_, file) => {
    latest = contentOf(file);
    const ran = await docs('openapi publish petstore petstore.yaml --skip-unchanged --json');
    expect(JSON.parse(ran.stdout)).toEqual({
      ...{ id: 'petstore', status: 'unchanged', version: 'v1' },
      ...{ processingState: 'complete', lastProcessedAt: early },
    });
    expect({ code: ran.code, puts: ran.puts }).toEqual({ code: 0, puts: [] });
  });

  it('sends what differs', async () => {
    const ran = await docs('openapi publish petstore other.yaml --skip-unchanged');
    expect({ stdout: ran.stdout, puts: ran.puts.length }).toEqual({
      stdout: 'petstore\tupdated\tv2\n',
      puts: 1,
    });
  });

  it('sends it where the last processing failed, is going on, or left no version', async () => {
    const puts: number[] = [];
    for (const state of [{ ...v1, lastProcessErrorCode: 'PARSE_ERROR' }, pending]) {
      before = state;
      puts.push((await docs('openapi publish petstore petstore.yaml --skip-unchanged')).puts.length);
    }
    before = v1;
    latest = undefined;
    puts.push((await docs('openapi publish petstore petstore.yaml --skip-unchanged')).puts.length);
    expect(puts).toEqual([1, 1, 1]);
  });

  it('says so where a version of several files is not compared', async () => {
    latest = { filesystem: { a: document, b: {} }, url: 'https://acme.example/v1' };
    const ran = await docs('openapi publish petstore petstore.yaml --skip-unchanged');
    expect(ran.stderr).toBe('The latest version of petstore has 2 files, so it was not compared.\n');
    expect(ran.puts).toHaveLength(1);
  });

  it('compares what a URL gives, and says that the source stays', async () => {
    const ran = await docs('openapi publish petstore PLATFORM/spec.json --skip-unchanged');
    expect(ran.stdout).toBe('petstore\tunchanged\tv1\n');
    expect(ran.stderr).toBe('The content is the same, so the source stays a text that was sent.\n');
    expect(ran.puts).toEqual([]);
  });

  it('says so where the URL cannot be read from here', async () => {
    const ran = await docs(`openapi publish petstore PLATFORM/gone.yaml --skip-unchanged`);
    expect(ran.stderr).toContain('/gone.yaml cannot be read from here, so it was not compared.');
    expect(ran.puts).toHaveLength(1);
  });
});

describe('docs openapi wait', () => {
  it('waits until it is processed', async () => {
    states = [pending, progress, v2];
    const ran = await docs('openapi wait petstore --json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'petstore', status: 'complete', version: 'v2' });
    expect(ran.sent).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
  });

  it('asks for the version where the spec does not tell', async () => {
    states = [{ processingState: 'complete' }];
    expect((await docs('openapi wait petstore')).stdout).toBe('petstore\tcomplete\tv-latest\n');
  });

  it('takes its time from --timeout', async () => {
    states = [pending];
    const ran = await docs('openapi wait petstore --timeout 3s');
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain('petstore was not processed within 3s; its state is pending.');
  });

  it('exits 18 where it failed, and 6 where there is no such spec', async () => {
    states = [{ ...v1, lastProcessErrorCode: 'FETCH_ERROR' }];
    expect((await docs('openapi wait petstore')).code).toBe(18);
    expect((await docs('openapi wait nothing')).code).toBe(6);
  });
});
