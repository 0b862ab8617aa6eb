import { exitCodes } from '../base/exit-codes.js';
import { type GroupEntry, isGroup, topics } from '../cli/declare/command.js';
import { flagUsage, visibleOptions } from '../cli/declare/global-flags.js';
import { globalOptions } from '../cli/declare/global-options.js';
import { commandTree } from '../cli/declare/outline.js';
import { describe } from '../cli/help/describe.js';
import { argumentUsage, optionText } from '../cli/help/help.js';
import { helpLook } from '../cli/help/layout.js';
import { previews } from '../cli/help/previews.js';
import type { HelpTopic } from '../cli/help/topic-names.js';
import { topicText } from '../cli/help/topics.js';
import { tableLines } from '../document/markdown.js';
import { limitations } from '../model/cannot.js';
import { boundaries, cellText, ownAccount, promises, seatBelt } from '../policy/boundaries.js';
import { settingKeys } from '../settings/setting-keys.js';
import { code, escaped, type GroupPage, groupPage, lines, type PageCommand } from './group-page.js';

/** Generated tables in handwritten pages, between two marks each. */

const sections: Readonly<Record<string, () => string[]>> = {
  'exit codes': () =>
    tableLines(
      ['Code', 'Name', 'Meaning'],
      Object.entries(exitCodes).map(([name, exit]) => [String(exit.code), code(name), escaped(exit.meaning)]),
    ),
  settings: () =>
    tableLines(
      ['Setting', 'Meaning', 'Flag', 'Variable', 'Project file'],
      settingKeys.map(({ name, description, flag, environment, inProjectFile, property }) => [
        code(name),
        escaped(description),
        flag === undefined ? '' : code(flag),
        environment === undefined ? '' : code(environment),
        inProjectFile ? code(property) : '',
      ]),
    ),
  limits: () =>
    tableLines(
      ['The API cannot', 'Do this instead'],
      limitations.map(({ cannot, instead }) => [cannot, instead]),
    ),
  previews: () =>
    tableLines(
      ['Question', 'Preview', 'Shows', 'Sends', 'Example'],
      previews.map(({ name, question, shows, sends, example }) => [
        question,
        code(name),
        escaped(shows),
        escaped(sends),
        code(example),
      ]),
    ),
  boundaries: () => [
    ...Object.values(boundaries).map(({ title, who }) => `- **${title}**: ${who}`),
    '',
    ...tableLines(
      ['Promise', ...Object.values(boundaries).map(({ title }) => title)],
      Object.values(promises).map(({ says, holds }) => [says, ...Object.values(holds).map(cellText)]),
    ),
    '',
    ownAccount,
    '',
    seatBelt,
  ],
};

const marks = /^<!-- made: ([\w ]+) -->\n[\s\S]*?^<!-- end -->$/gm;

/** Updates the tables of a page from the declarations. */
export function withSections(page: string): string {
  return page.replaceAll(marks, (_, name: string) => {
    const make = sections[name];
    if (make === undefined) throw new Error(`no such section: ${name}`);
    return [`<!-- made: ${name} -->`, '', ...make(), '', '<!-- end -->'].join('\n');
  });
}

/** All files generated from the declarations; `npm run docs:build` writes them, a test compares them. */

/** Folders that contain only generated files. */
export const generatedFolders = ['docs/reference', 'docs/man'] as const;

/** The reference page of one group or command at the root; undefined where there is none. */
export async function referencePage(
  groups: readonly GroupEntry[],
  name: string,
): Promise<string | undefined> {
  const [page] = await groupPages(groups.filter((entry) => entry.name === name));
  return page && groupPage(page);
}

/** The generated files: text by path in the project. */
export async function generatedFiles(groups: readonly GroupEntry[]): Promise<Map<string, string>> {
  const pages = await groupPages(groups);
  return new Map([
    ['docs/reference/README.md', indexPage(pages)],
    ...pages.map((page): [string, string] => [`docs/reference/${page.name}.md`, groupPage(page)]),
    ['docs/man/docs.1', rootManPage(pages)],
    ...pages.map((page): [string, string] => [`docs/man/docs-${page.name}.1`, groupManPage(page)]),
  ]);
}

async function groupPages(groups: readonly GroupEntry[]): Promise<(GroupPage & { topic: string })[]> {
  const tree = await commandTree(groups);
  return Promise.all(
    groups.map(async ({ name, topic, aliases = [], load }) => {
      const node = await load();
      const { summary } = node;
      const own = tree.filter(({ path }) => path === name || path.startsWith(`${name} `));
      return {
        name,
        topic,
        summary,
        aliases,
        ...(isGroup(node) && { group: node }),
        commands: own.map((entry) => ({ entry, described: describe(entry) })),
      };
    }),
  );
}

/**
 * `package.json` with the man pages that an install links. npm takes no folder here: of `directories.man` in a
 * package from a registry or an archive, it links nothing.
 */
export function withManPages(packageText: string, paths: Iterable<string>): string {
  const { man: _, ...others } = JSON.parse(packageText) as Record<string, unknown>;
  const man = [...paths].filter((path) => path.startsWith('docs/man/')).sort();
  const entries = Object.entries(others).flatMap((entry) =>
    entry[0] === 'files' ? [['man', man], entry] : [entry],
  );
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** `docs/reference/README.md`: all groups, and the global flags. */

function indexPage(pages: readonly (GroupPage & { topic: string })[]): string {
  return lines(
    '# Commands',
    '',
    'Generated from the command declarations by `npm run docs:build`; do not edit.',
    '',
    'In a JSON table, `?` marks a field that may be absent, `[]` each item of a list. Additional fields from the',
    'platform are printed as well. `docs commands schema <command>` prints the same as JSON Schema.',
    ...topics.flatMap((topic) => {
      const own = pages.filter((page) => page.topic === topic);
      const rows = own.map((page) => [
        `[docs ${page.name}](${page.name}.md)`,
        escaped(page.summary),
        page.commands
          .map(({ entry }) => entry.path.split(' ').slice(1).join(' '))
          .filter(Boolean)
          .join(', '),
      ]);
      return ['', `## ${topic}`, '', ...tableLines(['Group', '', 'Commands'], rows)];
    }),
    '',
    '## Global flags',
    '',
    ...tableLines(
      ['Flag', ''],
      globalOptions.map((option) => [code(flagUsage(option)), escaped(optionText(option))]),
    ),
  );
}

/** `docs.1` and `docs-<group>.1`. Without date and version, so that they change only with the commands. */

/** The width of text that is laid out like help. */
const columns = 72;

function rootManPage(pages: readonly (GroupPage & { topic: string })[]): string {
  return text([
    macro('TH', 'DOCS', '1', '', 'docs', 'User Commands'),
    macro('SH', 'NAME'),
    roff('docs - administer a documentation platform from the shell'),
    macro('SH', 'SYNOPSIS'),
    `${bold('docs')} ${roff('<group> [<subgroup>] <verb> [ids…] [flags]')}`,
    macro('SH', 'DESCRIPTION'),
    roff(
      'Organizations, members, teams, SSO, spaces, content, change requests, comments, sites. docs --sandbox runs ' +
        'any command against a local sandbox, without an account or a network.',
    ),
    ...topics.flatMap((topic) => [
      macro('SS', topic),
      ...pages
        .filter((page) => page.topic === topic)
        .flatMap(({ name, summary }) => term(`docs ${name}`, `${summary}. See docs-${name}(1).`)),
    ]),
    macro('SH', 'OPTIONS'),
    ...globalOptions.flatMap((option) => term(flagUsage(option), optionText(option))),
    ...(['output', 'context', 'environment'] as const).flatMap(topic),
    macro('SH', 'EXIT STATUS'),
    ...Object.values(exitCodes).flatMap(({ code, meaning }) => term(String(code), meaning)),
    macro('SH', 'SEE ALSO'),
    roff(`${pages.map(({ name }) => `docs-${name}(1)`).join(', ')}`),
  ]);
}

function topic(name: HelpTopic): string[] {
  const lines = topicText(name, helpLook(columns)).trimEnd().split('\n').slice(2);
  return [macro('SH', name.toUpperCase()), ...literal(lines)];
}

function groupManPage({ name, summary, group, commands, aliases }: GroupPage): string {
  const title = `docs-${name}`;
  return text([
    macro('TH', title.toUpperCase(), '1', '', 'docs', 'User Commands'),
    macro('SH', 'NAME'),
    roff(`${title} - ${summary}`),
    macro('SH', 'SYNOPSIS'),
    ...commands.flatMap(({ described }, index) => [...(index === 0 ? [] : ['.br']), bold(described.usage)]),
    ...(group?.why === undefined ? [] : [macro('SH', 'DESCRIPTION'), roff(group.why)]),
    ...aliasLine(aliases.map((alias) => `docs ${alias}`)),
    macro('SH', 'COMMANDS'),
    ...commands.flatMap(commandSection),
    macro('SH', 'EXIT STATUS'),
    roff('See docs(1).'),
    macro('SH', 'SEE ALSO'),
    roff('docs(1)'),
  ]);
}

function commandSection({ entry, described }: PageCommand): string[] {
  const { command } = entry;
  const { summary, why, aliases, request } = described;
  return [
    macro('SS', `docs ${entry.path}`),
    roff([`${summary}.`, why ?? ''].filter(Boolean).join(' ')),
    ...aliasLine(aliases),
    ...command.args.flatMap((argument) =>
      term(argumentUsage({ ...argument, variadic: false }), argument.description),
    ),
    ...visibleOptions(command).flatMap((option) => term(flagUsage(option), optionText(option))),
    ...(request.length === 0
      ? []
      : ['.PP', 'Request:', ...literal(request.map(({ method, path }) => `${method} ${path}`))]),
    '.PP',
    roff(`Exit codes: ${described.exitCodes.map(({ code }) => code).join(', ')}.`),
    '.PP',
    'Examples:',
    ...literal(described.examples.flatMap(({ run, does }) => [`# ${does}`, run])),
  ];
}

function aliasLine(aliases: readonly string[]): string[] {
  return aliases.length === 0 ? [] : ['.PP', roff(`Alias: ${aliases.join(', ')}`)];
}

function text(lines: readonly string[]): string {
  return `${['.\\" Generated from the command declarations by npm run docs:build; do not edit.', ...lines].join('\n')}\n`;
}

/** Builds man pages for groff and mandoc. */

/** Escapes all characters with a meaning in roff; non-ASCII by code point. */
function roff(text: string): string {
  return [...text]
    .map(letter)
    .join('')
    .replace(/^([.'])/, '\\&$1');
}

const named: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function letter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return named[character] ?? character;
  return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Words to type literally. */
function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A macro line with quoted arguments. */
function macro(name: string, ...args: readonly string[]): string {
  return `.${name}${args.map((arg) => ` "${roff(arg).replaceAll('"', '\\(dq')}"`).join('')}`;
}

/** A term with its meaning. */
function term(name: string, meaning: string): string[] {
  return ['.TP', bold(name), roff(meaning === '' ? ' ' : meaning)];
}

/** Lines without filling. */
function literal(texts: readonly string[]): string[] {
  return ['.PP', '.nf', '.RS 4', ...texts.map((text) => (text === '' ? '.sp' : roff(text))), '.RE', '.fi'];
}
