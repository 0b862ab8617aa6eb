import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  document,
  early,
  late,
  path,
  pending,
  progress,
  ScriptedSpec,
  v1,
  v2,
  yaml,
} from './scripted-spec.js';

/** `docs openapi publish` against a platform whose states are scripted. */

const spec = new ScriptedSpec();
beforeEach(() => spec.begin());
afterAll(() => spec.remove());

interface Failed {
  error: { code: string; exitCode: number; message: string; hint: string; details: unknown };
}
const failure = (stderr: string) => (JSON.parse(stderr) as Failed).error;

describe('docs openapi publish', () => {
  it('sends a URL, watches, and prints one line in a pipe', async () => {
    const ran = await spec.run('openapi publish petstore https://acme.example/petstore.yaml');
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
    const ran = await spec.run(`openapi publish petstore ${source}`, { stdin });
    expect({ code: ran.code, body: ran.puts[0] }).toEqual({
      code: 0,
      body: { source: { text: yaml } },
    });
  });

  it('prints the new and the previous version with --json', async () => {
    spec.states = [pending, { ...v2, sourceURL: 'https://acme.example/p' }];
    const ran = await spec.run('openapi publish petstore https://acme.example/p --json');
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

  it('prints a sentence on a terminal', async () => {
    const ran = await spec.run('openapi publish petstore petstore.yaml', { terminals: ['stdout'] });
    expect(ran.stdout).toBe('\u001b[32m✓\u001b[39m Updated petstore: version v2, previously v1\n');
  });

  it('waits longer than --timeout, which each request has for itself', async () => {
    spec.states = [pending, pending, pending, progress, v2];
    const ran = await spec.run('openapi publish petstore petstore.yaml --timeout 2s');
    expect(ran).toMatchObject({ code: 0, stdout: 'petstore\tupdated\tv2\n' });
    expect(ran.tookMs).toBeGreaterThan(2000);
  });

  it('creates a spec only with --create', async () => {
    spec.before = undefined;
    spec.states = [{ processingState: 'pending' }, { processingState: 'complete', lastVersion: 'v1' }];
    const refused = await spec.run('openapi publish petstore petstore.yaml --json');
    expect({ code: refused.code, sent: refused.sent }).toEqual({ code: 6, sent: [`GET ${path}`] });
    expect(failure(refused.stderr).hint).toBe(
      'docs openapi publish petstore petstore.yaml --create --org o1',
    );
    const ran = await spec.run('openapi publish petstore petstore.yaml --create');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tcreated\tv1\n' });
  });

  it('refuses an invalid slug before anything is sent', async () => {
    const ran = await spec.run('openapi publish Pet_Store petstore.yaml --create');
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 2, sent: [] });
    expect(ran.stderr).toContain('<slug>');
  });

  it.each([
    ['no such file', 'nowhere.yaml', 13, 'nowhere.yaml: no such file'],
    ['an empty file', 'empty.yaml', 2, 'empty.yaml is empty'],
    ['an invalid URL', 'https://', 2, 'must be an absolute URL'],
  ])('refuses %s', async (_, source, code, words) => {
    const ran = await spec.run(`openapi publish petstore ${source}`);
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code, sent: [] });
    expect(ran.stderr).toContain(words);
  });

  it('does not mistake the old complete for the new one', async () => {
    spec.states = [v1, v1, progress, v2];
    const ran = await spec.run('openapi publish petstore petstore.yaml');
    expect(ran.stdout).toBe('petstore\tupdated\tv2\n');
  });

  it.each([
    ['after pending, a younger state', [pending, { ...v1, updatedAt: late }]],
    ['after a while, a younger state', [v1, { ...v1, updatedAt: late }]],
  ])('accepts, %s, that there is no new version', async (_, states) => {
    spec.states = states;
    const ran = await spec.run('openapi publish petstore petstore.yaml');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tupdated\tv1\n' });
  });

  it('does not take the old complete for done where the platform answered pending', async () => {
    spec.states = [pending, v1, v1, v2];
    const ran = await spec.run('openapi publish petstore petstore.yaml');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tupdated\tv2\n' });
  });

  it.each([
    ['the old complete', [pending, v1]],
    ['an older state', [pending, { ...v1, updatedAt: '2001-01-01T00:00:00.000Z' }]],
    ['the old complete from the start', [v1]],
  ])(
    'exits 12 where the platform shows only %s: nothing was published that it knows of',
    async (_, states) => {
      spec.states = states;
      const ran = await spec.run('openapi publish petstore petstore.yaml --json');
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 12, stdout: '' });
      expect(failure(ran.stderr)).toMatchObject({ code: 'not_processed' });
    },
  );

  it('waits for a new spec that is not found at first', async () => {
    spec.before = undefined;
    spec.states = [
      { processingState: 'pending' },
      { status: 404 },
      { processingState: 'complete', lastVersion: 'v1' },
    ];
    const ran = await spec.run('openapi publish petstore petstore.yaml --create');
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 'petstore\tcreated\tv1\n' });
  });

  it.each([
    ['PARSE_ERROR', 'not an OpenAPI specification'],
    ['FETCH_TIMEOUT', 'did not answer in time'],
    ['FETCH_ERROR', 'could not read the URL'],
    ['NEW_CODE', 'NEW_CODE'],
  ])('exits 18 at %s', async (errorCode, words) => {
    spec.states = [pending, { ...v1, lastProcessedAt: late, lastProcessErrorCode: errorCode }];
    const ran = await spec.run('openapi publish petstore petstore.yaml --json');
    expect(failure(ran.stderr)).toMatchObject({
      code: 'processing_failed',
      exitCode: 18,
      message: expect.stringContaining(words),
      hint: 'docs openapi get petstore --org o1',
      details: { slug: 'petstore', errorCode, lastVersion: 'v1' },
    });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 18, stdout: '' });
  });

  it('does not mistake the previous error for a new one', async () => {
    spec.before = { ...v1, lastProcessErrorCode: 'PARSE_ERROR' };
    spec.states = [
      { ...pending, lastProcessErrorCode: 'PARSE_ERROR' },
      { ...progress, lastProcessErrorCode: 'PARSE_ERROR' },
      v2,
    ];
    expect((await spec.run('openapi publish petstore petstore.yaml')).code).toBe(0);
  });

  it('exits 12 when the time is up, and names the command that continues to wait', async () => {
    spec.states = [pending];
    const ran = await spec.run('openapi publish petstore petstore.yaml --wait 30s --json');
    expect({ code: ran.code, error: failure(ran.stderr) }).toMatchObject({
      code: 12,
      error: {
        code: 'not_processed',
        message: 'petstore was not processed within 30s; its state is pending',
        hint: 'docs openapi wait petstore --org o1',
      },
    });
    // 1 + 1.5 + 2.25 + 3.4 + 5.1 + 7.6 + the rest; the last look is at the end.
    expect(ran.sent.filter((request) => request === `GET ${path}`)).toHaveLength(1 + 7);
    expect(ran.tookMs).toBe(30_000);
  });

  it('looks again after a temporary failure', async () => {
    const broken: Answer = { status: 503, body: { error: { code: 503, message: 'Later.' } } };
    spec.states = [pending, broken, broken, broken, broken, v2];
    expect((await spec.run('openapi publish petstore petstore.yaml')).stdout).toBe('petstore\tupdated\tv2\n');
  });

  it.each(['--wait --json', '--wait=5m', '--wait 90'])('takes %s', async (wait) => {
    expect((await spec.run(`openapi publish petstore petstore.yaml ${wait}`)).code).toBe(0);
  });

  it('refuses a positional that follows --wait', async () => {
    const ran = await spec.run('openapi publish --wait petstore petstore.yaml');
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 2, sent: [] });
    expect(ran.stderr).toContain('invalid --wait "petstore"; expected a duration such as 30s or 5m');
  });

  it('shows the request with --dry-run and sends none', async () => {
    const ran = await spec.run('openapi publish petstore petstore.yaml --dry-run --json');
    expect(JSON.parse(ran.stdout)).toEqual({ method: 'PUT', path, body: { source: { text: yaml } } });
    expect({ code: ran.code, sent: ran.sent }).toEqual({ code: 0, sent: [`GET ${path}`] });
  });

  it('keeps a journal, so that undo knows the previous source', async () => {
    spec.before = { ...v1, sourceURL: 'https://acme.example/old' };
    const ran = await spec.run('openapi publish petstore petstore.yaml', { env: { DOCS_JOURNAL: 'on' } });
    expect(ran.code).toBe(0);
    const folder = join(spec.home, '.local', 'state', 'docs', 'jobs');
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
    const journal = readFileSync(join(folder, name), 'utf8');
    expect(journal).toContain('openapi publish');
    expect(journal).toContain('https://acme.example/old');
  });

  it('prints no token', async () => {
    spec.states = [pending, { ...v1, lastProcessErrorCode: 'PARSE_ERROR', lastProcessedAt: late }];
    const { stdout, stderr } = await spec.run('openapi publish petstore petstore.yaml --debug --json');
    expect(stderr).toContain('PUT ');
    expect(stdout + stderr).not.toContain('token-of-a-test');
  });
});

describe('docs openapi wait', () => {
  it('waits until it is processed', async () => {
    spec.states = [pending, progress, v2];
    const ran = await spec.run('openapi wait petstore --json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'petstore', status: 'complete', version: 'v2' });
    expect(ran.sent).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
  });

  it('asks for the version if the spec does not name it', async () => {
    spec.states = [{ processingState: 'complete' }];
    expect((await spec.run('openapi wait petstore')).stdout).toBe('petstore\tcomplete\tv-latest\n');
  });

  it('takes its time from --timeout', async () => {
    spec.states = [pending];
    const ran = await spec.run('openapi wait petstore --timeout 3s');
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain('petstore was not processed within 3s; its state is pending');
  });

  it('exits 18 if the processing failed, and 6 if there is no such spec', async () => {
    spec.states = [{ ...v1, lastProcessErrorCode: 'FETCH_ERROR' }];
    expect((await spec.run('openapi wait petstore')).code).toBe(18);
    expect((await spec.run('openapi wait nothing')).code).toBe(6);
  });
});

/** `--skip-unchanged`: what counts as the same. */

describe('docs openapi publish --skip-unchanged', () => {
  const publish = (file = 'petstore.yaml', ...more: string[]) =>
    spec.run(['openapi publish petstore', file, '--skip-unchanged', ...more].join(' '));
  const contentOf = (file: unknown) => ({ filesystem: { a: file }, url: 'https://acme.example/v1' });

  it.each([
    ['the same document in another order', document],
    ['the same document as text', JSON.stringify(document)],
    ['the same text', yaml],
  ])('sends nothing where the latest version is %s', async (_, file) => {
    spec.latest = contentOf(file);
    const ran = await publish('petstore.yaml', '--json');
    expect(JSON.parse(ran.stdout)).toEqual({
      ...{ id: 'petstore', status: 'unchanged', version: 'v1' },
      ...{ processingState: 'complete', lastProcessedAt: early },
    });
    expect({ code: ran.code, puts: ran.puts }).toEqual({ code: 0, puts: [] });
  });

  it('sends what differs', async () => {
    const ran = await publish('other.yaml');
    expect([ran.stdout, ran.puts.length]).toEqual(['petstore\tupdated\tv2\n', 1]);
  });

  it.each([
    ['JSON', '{"maximum": 12345678901234567890}'],
    ['YAML', 'maximum: 12345678901234567890\n'],
  ])('sees every digit of an integer, in %s', async (_, text) => {
    writeFileSync(join(spec.home, 'digits'), text);
    const puts: number[] = [];
    for (const published of [text.replace(/890(?!\d)/, '891'), text, '{"maximum":12345678901234567890}']) {
      spec.latest = contentOf(published);
      puts.push((await publish('digits')).puts.length);
    }
    expect(puts).toEqual([1, 0, 0]);
  });

  it('sends it if the last processing failed, is still running, or left no version', async () => {
    const puts: number[] = [];
    for (const state of [{ ...v1, lastProcessErrorCode: 'PARSE_ERROR' }, pending]) {
      spec.before = state;
      puts.push((await publish()).puts.length);
    }
    spec.before = v1;
    spec.latest = undefined;
    puts.push((await publish()).puts.length);
    expect(puts).toEqual([1, 1, 1]);
  });

  it('warns that a version of several files is not compared', async () => {
    spec.latest = { filesystem: { a: document, b: {} }, url: 'https://acme.example/v1' };
    const ran = await publish();
    expect(ran.stderr).toBe('The latest version of petstore has 2 files, so the content was not compared.\n');
    expect(ran.puts).toHaveLength(1);
  });

  it('compares the document at a URL, and says that the source remains', async () => {
    const ran = await publish('PLATFORM/spec.json');
    expect(ran.stdout).toBe('petstore\tunchanged\tv1\n');
    expect(ran.stderr).toBe(
      'The content is the same, so the source remains the text that was sent before.\n',
    );
    expect(ran.puts).toEqual([]);
  });

  it('warns that the URL cannot be read from here', async () => {
    const ran = await publish('PLATFORM/gone.yaml');
    expect(ran.stderr).toContain('/gone.yaml cannot be read from here, so the content was not compared.');
    expect(ran.puts).toHaveLength(1);
  });
});
