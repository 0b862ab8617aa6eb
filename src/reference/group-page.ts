import type { Group } from '../cli/declare/command.js';
import type { TreeEntry } from '../cli/declare/tree.js';
import type { DescribedCommand } from '../cli/help/described-command.js';
import { optionText } from '../cli/help/help.js';
import { shapesOf } from './fields.js';
import { anchor, code, escaped, lines, table } from './markdown.js';

/** The page of a group: each of its commands with everything that its declaration says. */

/** A command, and what is told of it. */
export interface Told {
  entry: TreeEntry;
  described: DescribedCommand;
}

/** A group in the root help. */
export interface GroupPage {
  name: string;
  aliases: readonly string[];
  summary: string;
  /** Absent for a command that stands at the root. */
  group?: Group;
  commands: readonly Told[];
}

/** The text of the page `docs/reference/<name>.md`. */
export function groupPage(page: GroupPage): string {
  const { name, aliases, summary, group, commands } = page;
  const index = commands.map(({ entry, described }) => [
    `[docs ${entry.path}](#${anchor(`docs ${entry.path}`)})`,
    escaped(described.summary),
  ]);
  const isGroup = group !== undefined;
  const shown = new Map<string, string>();
  return lines(
    `# docs ${name}`,
    '',
    escaped(`${group?.summary ?? summary}.${group?.why === undefined ? '' : ` ${group.why}`}`),
    ...(aliases.length === 0
      ? []
      : ['', `Also: ${aliases.map((alias) => code(`docs ${alias}`)).join(', ')}`]),
    ...(isGroup ? ['', ...table(['Command', ''], index)] : []),
    ...commands.flatMap((told) => ['', ...commandSection(told, isGroup, shown)]),
  );
}

/**
 * What is told of one command.
 * @param shown shapes that the page has told already, with the command that has them
 */
function commandSection({ entry, described }: Told, heading: boolean, shown: Map<string, string>): string[] {
  const { command } = entry;
  const { why, aliases, usage, danger } = described;
  const about = [`${described.summary}.`, ...(why === undefined ? [] : [why]), dangers[danger] ?? ''];
  return [
    ...(heading ? [`## docs ${entry.path}`, '', escaped(about.filter(Boolean).join(' ')), ''] : []),
    ...(!heading && why !== undefined ? [escaped(about.slice(1).filter(Boolean).join(' ')), ''] : []),
    '```text',
    usage,
    '```',
    ...(aliases.length === 0 ? [] : ['', `Alias: ${aliases.map(code).join(', ')}`]),
    ...titled(
      'Arguments',
      described.args.map((argument) => [
        code(argument.required ? `<${argument.name}>` : `[${argument.name}]`),
        escaped(withSource(argument.description, argument.idsFrom)),
      ]),
    ),
    ...titled(
      'Flags',
      described.options.map((option, at) => [
        code(option.flags),
        escaped(withSource(optionText(command.options[at] ?? never(option.name)), option.idsFrom)),
      ]),
    ),
    ...requests(described),
    ...results(entry.path, described, shown),
    '',
    `**Exit codes** ${described.exitCodes.map((exit) => exit.code).join(', ')} ([what they mean](${exitPage}))`,
    '',
    '**Examples**',
    '',
    '```sh',
    ...described.examples.flatMap(({ run, does }) => [`# ${does}`, run]),
    '```',
  ];
}

const exitPage = '../guide/errors-and-exit-codes.md';

const dangers: Readonly<Record<string, string>> = {
  confirm: 'Asks first; in scripts it needs --yes.',
  'type-title': 'Asks for the title or the id to be typed; in scripts it needs --yes.',
};

function never(name: string): never {
  throw new Error(`the description has a flag that the command has not: ${name}`);
}

function withSource(text: string, idsFrom: string | undefined): string {
  return idsFrom === undefined ? text : `${text}; ${idsFrom} lists them`;
}

function titled(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', ...table([title, ''], rows)];
}

function requests({ request }: DescribedCommand): string[] {
  if (request.length === 0) return [];
  const rows = request.map(({ method, path, parameters }) => {
    const from = Object.entries(parameters).map(([name, source]) => `${code(name)} from ${code(source)}`);
    return [code(`${method} ${path}`), from.join(', ')];
  });
  return ['', ...table(['Request', ''], rows)];
}

/** The shapes of the JSON; one that the page has told already is referred to. */
function results(path: string, { result }: DescribedCommand, shown: Map<string, string>): string[] {
  const shapes = shapesOf(result).flatMap(({ lead, fields }, index) => {
    const or = index === 0 ? '**JSON** ' : 'Or: ';
    const key = JSON.stringify(fields);
    const before = fields.length === 0 ? undefined : shown.get(key);
    if (before !== undefined)
      return [
        '',
        `${or}${escaped(lead.replace(/:$/, ''))} as of [docs ${before}](#${anchor(`docs ${before}`)}).`,
      ];
    shown.set(key, path);
    const rows = fields.map((field) => [code(field.path), escaped(field.type), escaped(field.description)]);
    const plain = rows.every(([, , description]) => description === '');
    const head = plain ? ['Field', 'Type'] : ['Field', 'Type', ''];
    return [
      '',
      `${or}${escaped(lead)}`,
      ...(rows.length === 0
        ? []
        : [
            '',
            ...table(
              head,
              rows.map((row) => row.slice(0, head.length)),
            ),
          ]),
    ];
  });
  return shapes;
}
