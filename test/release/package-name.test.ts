import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Whether the package is on npm is decided in one place: `private` in package.json, with which npm refuses to publish
 * it. As long as it stands there, nothing tells people to install docs by its name.
 */

const own = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; private?: boolean };
const isPublished = own.private !== true;
const notice = 'docs is not published on npm yet';

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesIn('docs', /\.(?:md|1|txt)$/)];
const sources = filesIn('src', /\.(?:ts|json|md)$/);

/** The commands in a text that take the package from the registry. */
function installsByName(text: string): string[] {
  const name = own.name.replaceAll(/[/]/g, '\\/');
  const commands = `(?:(?:npm|pnpm|yarn|bun)\\b[^\\n|;&\`]*\\b(?:i|install|add|exec|update|dlx|x)|npx|bunx)`;
  const found = text.matchAll(new RegExp(`${commands}\\b[^\\n|;&\`]*[\\s'"]${name}(?![\\w/])`, 'g'));
  return [...found].map(([command]) => command);
}

describe('a command that installs by name is found', () => {
  it.each([
    `npm install --global ${own.name}`,
    `npm i -g ${own.name}@latest`,
    `run: npm --silent install "${own.name}"`,
    `npx ${own.name} spaces list`,
    `npx --yes ${own.name}@0.1.0`,
    `pnpm add --global ${own.name}`,
  ])('%s', (text) => {
    expect(installsByName(text)).toHaveLength(1);
  });

  it.each([
    `npm unlink --global ${own.name}`,
    'npm install --global --ignore-scripts "$DOCS_TARBALL"',
    'npm install --global ./docs-cli-docs-0.1.0.tgz',
    `installed globally by npm, in /usr/lib/node_modules/${own.name}`,
  ])('and not in: %s', (text) => {
    expect(installsByName(text)).toEqual([]);
  });
});

it('no page and no text of the program installs docs by name while it is not published', () => {
  const found = [...pages, ...sources].flatMap((path) =>
    installsByName(readFileSync(path, 'utf8')).map((command) => `${path}: ${command}`),
  );
  if (!isPublished) expect(found).toEqual([]);
});

it.each(['README.md', 'docs/guide/install.md'])('%s says so, as long as it is so', (path) => {
  const text = readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ');
  expect(text.includes(notice)).toBe(!isPublished);
});
