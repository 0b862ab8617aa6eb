import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { visibleOptions } from '../../src/cli/declare/global-flags.js';
import { globalOptions } from '../../src/cli/declare/global-options.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';

/** A flag that help or the guide names by itself is one that the help of today lists, where it says so. */

const entries = await commandTree(groups);
const ofAll = new Set([...globalOptions.map(({ name }) => name), 'help', 'full', 'version']);
/** Most commands take these: they are named as such. */
for (const context of ['org', 'space', 'site']) ofAll.add(context);
const flagsOf = new Map(
  entries.map(({ path, command }) => [path, new Set(visibleOptions(command).map(({ name }) => name))]),
);
const anywhere = new Set([...ofAll, ...[...flagsOf.values()].flatMap((names) => [...names])]);

/** Names of the flags in a text, without `no-` and `un-`, whose positive forms are declared. */
const flagsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z])/g)].map(([, name = '']) => name);
const isKnown = (names: ReadonlySet<string>, name: string) =>
  names.has(name) || names.has(name.replace(/^(?:no-|un)/, ''));

/** Commands that a text names: their flags may be those it names, too. */
const namedIn = (text: string): string[] =>
  [...flagsOf.keys()].filter((path) => new RegExp(`\\b${path}\\b`).test(text));

it.each(entries)(
  'the help of docs $path names its own flags, or those of a command that it names',
  ({ path, command }) => {
    const texts = [
      command.summary,
      command.why ?? '',
      ...command.args.map(({ description = '' }) => description),
      ...visibleOptions(command).map(({ description = '' }) => description),
    ];
    const strange = texts.flatMap((text) => {
      const known = new Set([path, ...namedIn(text)].flatMap((one) => [...(flagsOf.get(one) ?? [])]));
      return flagsIn(text).filter((name) => !isKnown(ofAll, name) && !isKnown(known, name));
    });
    expect(strange).toEqual([]);
  },
);

const pages = readdirSync('docs/guide').filter((name) => name.endsWith('.md'));

/** Of other programs. */
const ofOthers = ['global', 'ignore-scripts', 'sum', 'from', 'prefix'];

it.each(['README.md', ...pages.map((name) => join('docs/guide', name))])(
  'the prose of %s names flags that commands list',
  (page) => {
    const prose = readFileSync(page, 'utf8')
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .replaceAll('no `--token` flag', '');
    const spans = [...prose.matchAll(/`([^`]+)`/g)]
      .map(([, span = '']) => span)
      .filter((span) => span.startsWith('--'));
    const strange = spans
      .flatMap(flagsIn)
      .filter((name) => !isKnown(anywhere, name) && !ofOthers.includes(name));
    expect([...new Set(strange)]).toEqual([]);
  },
);
