import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Pages written by hand: their excerpts are real, their links lead somewhere, the files they name exist. */

const text = (path: string): string => readFileSync(path, 'utf8');
const excerpts = [...text('CONTRIBUTING.md').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
  ([, path = '', code = '']) => ({ path, code }),
);

/** The report that the page adds is in the tests alone, whose imports have a longer way. */
const sourceOf = (path: string): string => {
  if (existsSync(path)) return text(path);
  return text(join('test/cli/run/example', basename(path))).replaceAll("'../../../../src/", "'../../");
};

describe('the example of CONTRIBUTING.md', () => {
  it('has an excerpt for each of its steps, and those of a report', () => {
    const operation = ['src/api', 'src/commands', 'src/sandbox', 'src/jobs', 'test/jobs'];
    const rooms = [...operation, 'src/commands', 'src/commands', 'src/model'];
    expect(excerpts.map(({ path }) => path.split('/').slice(0, 2).join('/'))).toEqual(rooms);
  });

  it.each(excerpts)('matches $path', ({ path, code }) => {
    for (const part of code.split('\n\n')) expect(sourceOf(path)).toContain(part.trimEnd());
  });
});

const pagesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...['docs/guide', 'docs/contributing', 'docs/decisions'].flatMap(pagesIn),
];

describe('links', () => {
  it.each(pages)('of %s are valid', (path) => {
    // What stands in a block of code is an example, and leads nowhere.
    const prose = text(path).replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      if (!target.startsWith('https:')) expect(existsSync(join(dirname(path), target)), target).toBe(true);
    }
  });
});

describe('files that CONTRIBUTING.md names', () => {
  const named = [...text('CONTRIBUTING.md').matchAll(/`((?:src|test|docs|scripts)\/[\w/.-]+)`/g)];

  it.each(named.map(([, path = '']) => path))('%s exists', (path) => {
    expect(existsSync(path)).toBe(true);
  });
});
