import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DocsError } from '../../src/base/errors.js';
import { checkLock, lockName, readLock, updateLock } from '../../src/plans/lock.js';
import type { LockEntry } from '../../src/plans/plan.js';

const head = { org: 'o1', origin: 'https://api.example' };
const entry = (id: string, applied: Readonly<Record<string, string>> = {}): LockEntry => ({ id, applied });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = () => readFileSync(join(folder, lockName), 'utf8');

function failure(work: () => unknown): DocsError {
  try {
    work();
  } catch (error) {
    if (error instanceof DocsError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('docs.lock.json', () => {
  it('is not there at first', () => {
    expect(readLock(folder)).toBeUndefined();
  });

  it('has an item a line, sorted, so that git merges it', () => {
    updateLock(folder, head, [
      { item: 'teams/writers', to: entry('t2', { title: 'h2', a: 'h1' }) },
      { item: 'people/ada@x.example', to: entry('u1', { role: 'h' }) },
    ]);
    updateLock(folder, head, [
      { item: 'teams/editors', to: entry('t1') },
      { item: 'people/ada@x.example', to: null },
      { item: 'people/nobody', to: null },
    ]);
    expect(text()).toBe(
      [
        '{',
        '  "version": 1,',
        '  "org": "o1",',
        '  "origin": "https://api.example",',
        '  "items": {',
        '    "teams/editors": {"id": "t1", "applied": {}},',
        '    "teams/writers": {"id": "t2", "applied": {"a": "h1", "title": "h2"}}',
        '  }',
        '}',
        '',
      ].join('\n'),
    );
    expect(readLock(folder)?.items['teams/writers']).toEqual(entry('t2', { title: 'h2', a: 'h1' }));
  });

  it('stays as it is without changes, and leaves no drafts', () => {
    updateLock(folder, head, [{ item: 'teams/a', to: entry('t') }]);
    const before = text();
    updateLock(folder, head, []);
    expect(text()).toBe(before);
    expect(readdirSync(folder)).toEqual([lockName]);
  });

  it.each([
    [{ ...head, org: 'o2' }, 'belongs to organization o1, not o2', 'docs config set org o1'],
    [
      { ...head, origin: 'https://other.example' },
      'belongs to the platform https://api.example',
      'docs auth list',
    ],
  ])('of another organization or platform is refused: %j', (other, words, hint) => {
    updateLock(folder, head, [{ item: 'teams/a', to: entry('t') }]);
    const before = text();
    const error = failure(() => updateLock(folder, other, [{ item: 'teams/b', to: entry('u') }]));
    expect(error).toMatchObject({ code: 'lock_foreign', exitCode: 2 });
    expect(error.message).toContain(words);
    expect(error.failure.hint).toContain(hint);
    expect(text()).toBe(before);
    expect(() => checkLock(folder, readLock(folder), head)).not.toThrow();
  });

  it('holds 100,000 items', () => {
    const changes = Array.from({ length: 100_000 }, (_, at) => ({
      item: `people/p${at}@x.example`,
      to: entry(`u${at}`, { role: 'abcdefghijklmnop' }),
    }));
    updateLock(folder, head, changes);
    expect(Object.keys(readLock(folder)?.items ?? {})).toHaveLength(100_000);
  });
});

describe('a broken lock', () => {
  const lines = (...items: string[]) =>
    [
      '{',
      '  "version": 1,',
      '  "org": "o1",',
      '  "origin": "x",',
      '  "items": {',
      ...items,
      '  }',
      '}',
      '',
    ].join('\n');
  const one = '    "teams/a": {"id": "t", "applied": {}}';
  it.each([
    [
      'a conflict of a merge',
      lines(`${one},`, '<<<<<<< HEAD', one, '=======', one, '>>>>>>> theirs'),
      7,
      'has merge conflict markers',
    ],
    ['a missing comma', lines(one, one.replace('/a', '/b')), 7, 'is not valid JSON'],
    ['a line that was cut', lines('    "teams/a": {"id": "t", "appl'), 6, 'is not valid JSON'],
    ['two entries for one item', lines(`${one},`, one), 7, 'has two entries for teams/a'],
    [
      'an entry without an id',
      lines('    "teams/a": {"applied": {}}'),
      6,
      'has an invalid entry for teams/a',
    ],
    [
      'a hash that is none',
      lines('    "teams/a": {"id": "t", "applied": {"title": 1}}'),
      6,
      'has an invalid entry for teams/a',
    ],
    ['another version', '{\n  "version": 2\n}\n', 2, 'has version 2'],
    ['a list', '[]', 1, 'has no "version": 1'],
    ['nothing', '', 1, 'is not valid JSON'],
  ])('%s is named with its line', (_, broken, line, words) => {
    writeFileSync(join(folder, lockName), broken);
    const error = failure(() => readLock(folder));
    expect(error).toMatchObject({ code: 'bad_lock', exitCode: 14, failure: { details: { line } } });
    expect(error.message).toContain(words);
    expect(error.message).toContain(`(line ${line})`);
    expect(failure(() => updateLock(folder, head, [])).code).toBe('bad_lock');
    expect(text()).toBe(broken);
  });
});
