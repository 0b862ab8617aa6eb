import { exitCodes } from '../base/errors.js';
import { topics } from '../cli/declare/command.js';
import { globalOptions } from '../cli/declare/global-flags.js';
import { argumentUsage, flagUsage, type HelpTopic, optionText } from '../cli/help/help.js';
import { helpLook } from '../cli/help/look.js';
import { topicText } from '../cli/help/topics.js';
import type { GroupPage, Told } from './group-page.js';
import { bold, literal, macro, roff, term } from './roff.js';

/** `docs.1` and `docs-<group>.1`. Without date and version, so that they change only with the commands. */

/** The width of text that is laid out like help. */
const columns = 72;

export function rootManPage(pages: readonly (GroupPage & { topic: string })[]): string {
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

export function groupManPage({ name, summary, group, commands, aliases }: GroupPage): string {
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

function commandSection({ entry, described }: Told): string[] {
  const { command } = entry;
  const { summary, why, aliases, request } = described;
  return [
    macro('SS', `docs ${entry.path}`),
    roff([`${summary}.`, why ?? ''].filter(Boolean).join(' ')),
    ...aliasLine(aliases),
    ...command.args.flatMap((argument) =>
      term(argumentUsage({ ...argument, variadic: false }), argument.description),
    ),
    ...command.options.flatMap((option) => term(flagUsage(option), optionText(option))),
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
