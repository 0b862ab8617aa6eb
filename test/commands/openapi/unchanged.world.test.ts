import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { document, early, pending, ScriptedSpec, v1, yaml } from './scripted-spec.js';

/** `--skip-unchanged`: what counts as the same. */

const spec = new ScriptedSpec();
beforeEach(() => spec.begin());
afterAll(() => spec.remove());

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
