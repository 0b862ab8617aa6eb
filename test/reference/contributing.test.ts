import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The pages at the root, and those of the guide: their excerpts are real, their links lead somewhere. */

const text = (path: string): string => readFileSync(path, 'utf8');
const excerpts = [...text('CONTRIBUTING.md').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
  ([, path = '', code = '']) => ({ path, code }),
);

describe('the example of CONTRIBUTING.md', () => {
  it('has an excerpt for each of its steps', () => {
    expect(excerpts.map(({ path }) => path.split('/')[1])).toEqual(['api', 'commands', 'sandbox', 'jobs']);
  });

  it.each(excerpts)('matches $path', ({ path, code }) => {
    for (const part of code.split('\n\n')) expect(text(path)).toContain(part.trimEnd());
  });
});

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].concat(
  ...['sign-in', 'output-and-scripting', 'ci-recipes', 'sandbox', 'errors-and-exit-codes', 'security'].map(
    (name) => `docs/guide/${name}.md`,
  ),
);

describe('links', () => {
  it.each(pages)('of %s are valid', (path) => {
    for (const [, target = ''] of text(path).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      if (!target.startsWith('https:')) expect(existsSync(join(dirname(path), target)), target).toBe(true);
    }
  });
});
