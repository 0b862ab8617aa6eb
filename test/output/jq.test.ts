import { describe, expect, it } from 'vitest';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { compileJq } from '../../src/output/jq.js';
import { fakeIo } from '../fake-io.js';
import {
  ada,
  memberView,
  type PrintOptions,
  pagesOf,
  printed,
  printerFor,
  taro,
  terminal,
} from './printed.js';

const list = (options: PrintOptions, items: readonly unknown[] = [ada, taro]) =>
  printed(options, (printer) => printer.list(pagesOf(items.map((item) => [item])), memberView));
const one = (options: PrintOptions, value: unknown) =>
  printed(options, (printer) => printer.one(value, memberView));

describe('--jq', () => {
  it('runs over the whole list: strings as they are, the rest as compact JSON', async () => {
    expect(await list({ jq: '.[].user.displayName' })).toEqual({
      stdout: 'Ada Lovelace\n日本 太郎\n',
      stderr: '',
    });
    expect((await list({ jq: 'map(.teams) | add, ., {n: length}' })).stdout).toBe('2\n[2,0]\n{"n":2}\n');
    expect((await list({ jq: '.[] | select(.teams > 5)' })).stdout).toBe('');
    expect((await list({ jq: 'length' }, [])).stdout).toBe('0\n');
  });

  it('runs over one resource, and over what --fields keeps', async () => {
    expect((await one({ jq: '.role' }, ada)).stdout).toBe('admin\n');
    expect((await one({ jq: 'keys', fields: ['id', 'teams'] }, ada)).stdout).toBe('["id","teams"]\n');
  });

  it('prints JSON results whatever the format is set to', async () => {
    expect((await list({ jq: '.[0].id', format: 'table', ...terminal })).stdout).toBe('mbr_ada\n');
  });

  it('keeps strings whole in a pipe and sanitises them on a terminal', async () => {
    const item = { id: '  two\nlines \x1b[31m\u202e\n\n' };
    expect((await one({ jq: '.id' }, item)).stdout).toBe(`${item.id}\n`);
    expect((await one({ ...terminal, jq: '.id' }, item)).stdout).toBe('  two\nlines ␛[31m<U+202E>\n\n\n');
    expect((await one({ jq: '.' }, { id: '\u202e' })).stdout).toBe('{"id":"\\u202e"}\n');
  });

  it('keeps the digits of large numbers, and half characters do not break it', async () => {
    const n = new RawNumber('9007199254740993');
    expect((await one({ jq: '.n' }, { n })).stdout).toBe('9007199254740993\n');
    expect((await one({ jq: '.a, .b' }, { a: 'x\ud800y', b: '\\ud800' })).stdout).toBe('x\ufffdy\n\\ud800\n');
  });

  it('takes comments, definitions and what looks like a flag', async () => {
    expect((await one({ jq: '.id # the id' }, ada)).stdout).toBe('mbr_ada\n');
    expect((await one({ jq: 'def f: .teams; f + 1' }, ada)).stdout).toBe('3\n');
    expect((await one({ jq: '-1' }, ada)).stdout).toBe('-1\n');
  });

  it.each([
    ['.[', '--jq does not compile: syntax error, unexpected end of file'],
    ['nope(1)', '--jq does not compile: nope/1 is not defined'],
    ['.a) | (.b', '--jq does not compile: syntax error, unexpected INVALID_CHARACTER, expecting end of file'],
    ['', '--jq does not compile: Top-level program not given (try ".")'],
  ])('%j is refused before anything is sent', async (jq, message) => {
    const { io, printer } = printerFor({ jq });
    await expect(printer.check(memberView)).rejects.toMatchObject({ kind: 'usage', code: 'bad_jq', message });
    expect([io.stdout.text, io.stderr.text]).toEqual(['', '']);
  });

  it.each(['error', '.[] | error("x")', 'repeat(.)', 'halt_error'])(
    'does not run %j when checking',
    async (jq) => {
      await printerFor({ jq }).printer.check(memberView);
    },
  );

  it.each(['.id.x', '(1, 2, error("no"))', '("partial" | halt_error)'])(
    '%j fails with nothing printed',
    async (jq) => {
      const { io, printer } = printerFor({ jq });
      await printer.check(memberView);
      await expect(printer.one(ada, memberView)).rejects.toMatchObject({ kind: 'usage', code: 'jq_failed' });
      expect(io.stdout.text).toBe('');
    },
  );

  it('says what failed', async () => {
    const failing = printerFor({ jq: '.id.x' }).printer.one(ada, memberView);
    await expect(failing).rejects.toThrow(/^--jq failed: Cannot index string with string \(?"x"\)?$/);
  });

  it('says that its memory is full', async () => {
    const filter = await compileJq('if . == [1] then length else .[0] * 1000000000 end', fakeIo());
    await expect(filter.run('["a"]')).rejects.toThrow(
      '--jq failed: it needs more memory than it may have; pass',
    );
    expect(await filter.run('[1]')).toEqual(['1']);
  });

  it('says so where a constant of the filter needs too much memory', async () => {
    const refused = compileJq('"a" * 1000000000', fakeIo());
    await expect(refused).rejects.toMatchObject({ kind: 'usage', code: 'jq_failed' });
  });

  it('ends a filter that does not end, once its time is over', async () => {
    const running = async () => (await compileJq('until(false; .)', fakeIo(), 200)).run('1');
    const message = '--jq did not end within 0.2 s and printed nothing';
    await expect(running()).rejects.toMatchObject({ kind: 'deadline', code: 'jq_timeout', message });
  });

  it('ends a filter that does not end, as the run is interrupted', async () => {
    const io = fakeIo();
    const filter = await compileJq('until(false; .)', io);
    const running = filter.run('1');
    io.abort(new Error('SIGINT'));
    await expect(running).rejects.toThrow('SIGINT');
    await expect(filter.run('1')).rejects.toThrow('SIGINT');
  });

  it('refuses a list that it cannot hold, and prints none of it', async () => {
    async function* many() {
      for (let page = 0; page < 80; page += 1) yield { items: [{ id: 'x'.repeat(1_000_000) }], next: 'more' };
    }
    const { io, printer } = printerFor({ jq: 'length' });
    const listed = printer.list(many(), { columns: [{ path: 'id' }], fields: ['id'] });
    await expect(listed).rejects.toMatchObject({ kind: 'usage', code: 'jq_too_large' });
    expect(io.stdout.text).toBe('');
  });

  it('filters what an operation did that answers nothing', async () => {
    const output = await printed({ jq: '.status' }, (printer) =>
      printer.done({ id: 'a', status: 'deleted' }, 'Deleted a.'),
    );
    expect(output).toEqual({ stdout: 'deleted\n', stderr: '' });
  });
});
