import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getMember, updateMember } from '../../src/api/resources/members.js';
import { command } from '../../src/cli/declare/define.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { describe as describeCommand } from '../../src/cli/help/describe.js';
import { groups } from '../../src/commands/index.js';
import {
  generatedFiles,
  generatedFolders,
  withManPages,
  withSections,
} from '../../src/reference/generated.js';
import { groupPage } from '../../src/reference/group-page.js';

/** What is made from the declarations is as they are now; else: `npm run docs:build`. */

const files = await generatedFiles(groups);
const page = (name: string): string => files.get(`docs/reference/${name}.md`) ?? '';
const manPage = (name: string): string => files.get(`docs/man/${name}.1`) ?? '';
const guide = ['README.md', ...readdirSync('docs/guide').map((name) => join('docs/guide', name))].filter(
  (path) => path.endsWith('.md'),
);

describe('the files of the project', () => {
  it.each([...files])('%s matches npm run docs:build', (path, text) => {
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'no such file').toBe(text);
  });

  it('package.json lists every man page, as npm run docs:build makes it', () => {
    const text = readFileSync('package.json', 'utf8');
    expect(text).toBe(withManPages(text, files.keys()));
    const { man } = JSON.parse(text) as { man: string[] };
    // npm links what ends in a section's number, by its name alone.
    expect(man.filter((path) => !/^docs\/man\/[\w-]+\.1$/.test(path))).toEqual([]);
    expect(new Set(man).size).toBe(man.length);
    expect(man).toEqual(
      readdirSync('docs/man')
        .map((name) => `docs/man/${name}`)
        .sort(),
    );
  });

  it.each(generatedFolders)('%s contains nothing else', (folder) => {
    const others = readdirSync(folder).map((name) => `${folder}/${name}`);
    expect(others.filter((path) => !files.has(path))).toEqual([]);
  });

  it.each(guide)('the tables of %s match npm run docs:build', (path) => {
    const text = readFileSync(path, 'utf8');
    expect(withSections(text)).toBe(text);
  });
});

it('a table of a page is made again, and the text around it stays', () => {
  const outdated = 'Before\n\n<!-- made: settings -->\n\n| Old |\n\n<!-- end -->\n\nAfter\n';
  const made = withSections(outdated);
  expect(made).toMatch(
    /^Before\n\n<!-- made: settings -->\n\n\|[\s\S]*DOCS_BASE_URL[\s\S]*\n\n<!-- end -->\n\nAfter\n$/,
  );
  expect(made).not.toContain('| Old |');
  expect(() => withSections(outdated.replace('settings', 'no such'))).toThrow('no such section: no such');
});

describe('a section of a command', () => {
  /** A command of the test's own, so that the words of others may change. */
  const give = command({
    name: 'give',
    aliases: ['gv'],
    operation: updateMember,
    why: 'Roles go from admin to read.',
    args: { userId: '<user...>' },
    danger: 'confirm',
    examples: { 'roles give u1 --role read': 'let somebody read' },
  });
  const show = command({
    name: 'show',
    operation: getMember,
    args: { userId: '<user>' },
    examples: { 'roles show u1': 'one member' },
  });
  const group = { name: 'roles', summary: 'Roles', why: 'Of members.', commands: [show, give] };
  const told = group.commands.map((one) => {
    const entry = { path: `roles ${one.name}`, command: one, group };
    return { entry, described: describeCommand(entry) };
  });
  const text = groupPage({ name: 'roles', aliases: ['role'], summary: 'Roles', group, commands: told });

  it('has usage, arguments, flags with limits, request, JSON, exit codes and examples', () => {
    expect(text.slice(text.indexOf('## docs roles give'))).toBe(`## docs roles give

Change the role of a member. Roles go from admin to read. Asks for confirmation; scripts must pass --yes.

\`\`\`text
docs roles give <user…> [flags]
\`\`\`

Alias: \`gv\`

| Arguments |  |
| --- | --- |
| \`<user>\` | User; - or @file reads ids, one per line; docs members list lists them |

| Flags |  |
| --- | --- |
| \`--role <role>\` | Role in the organization; null makes the member a guest (required; one of admin, create, review, edit, comment, read; or none) |
| \`--unset <field>…\` | Set a field to null; --input sends the text "null" (one of role) |
| \`--input <file\\|->\` | JSON body to start from; flags override it |
| \`--concurrency <n>\` | Requests sent in parallel (default 8) |
| \`--fail-fast\` | Start no further item after a failure |
| \`--allow-empty\` | Accept an empty list of ids |
| \`--again\` | Start over, even if a job with the same input is unfinished |
| \`--show\` | Print the record on a terminal instead of a sentence |
| \`--save-plan <file>\` | Write the changes to a file for docs apply; send only reads |
| \`--org <org>\` | Organization; docs orgs list lists them |
| \`--encoding <encoding>\` | Encoding of the input text, unless it has a byte order mark (one of utf-8, utf-16le, utf-16be, latin1, windows-1252; default utf-8) |

| Request |  |
| --- | --- |
| \`PATCH /v1/orgs/{organizationId}/members/{userId}\` | \`organizationId\` from \`--org\`, \`userId\` from \`<user>\` |

**JSON** An object, as for [docs roles show](#docs-roles-show).

Or: A list (several ids, or ids from a file or stdin: one result per id). Each item:

| Field | Type |  |
| --- | --- | --- |
| \`index\` | integer | Place in the input |
| \`id\` | string |  |
| \`status\` | one of ok, failed, unknown, skipped |  |
| \`error?\` | object |  |
| \`error.code\` | string | Stable name of the error, such as unknown\\_flag |
| \`error.exitCode\` | integer |  |
| \`error.message\` | string |  |
| \`error.status?\` | integer | HTTP status, if there was a response |
| \`error.method?\` | string |  |
| \`error.path?\` | string | Path and query of the request |
| \`error.requestId?\` | string |  |
| \`error.attempts?\` | integer |  |
| \`error.retryable\` | boolean | Whether the same command may succeed when run again |
| \`error.outcome?\` | one of not-sent, refused, unknown, done | Known effect of the request |
| \`error.hint?\` | string | One command to run next |
| \`error.next?\` | list of object | Commands to run next, the likeliest first; never the one that failed |
| \`error.next[].command\` | string | Complete, to be run as printed |
| \`error.next[].when\` | string | Purpose |
| \`error.details?\` | object |  |

**Exit codes** 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 130, 143 ([meanings](../guide/errors-and-exit-codes.md))

**Examples**

\`\`\`sh
# let somebody read
docs roles give chiara@acme.example --role read
\`\`\`
`);
  });

  it('follows the summary of the group and the list of its commands', () => {
    expect(text.slice(0, text.indexOf('## docs roles show'))).toBe(`# docs roles

Roles. Of members.

Alias: \`docs role\`

| Command |  |
| --- | --- |
| [docs roles show](#docs-roles-show) | Get a member |
| [docs roles give](#docs-roles-give) | Change the role of a member |

`);
  });

  it('exists once for each command', async () => {
    for (const { path, group } of await commandTree(groups)) {
      if (group === undefined) continue;
      const name = path.split(' ')[0] ?? '';
      expect(page(name).split(`\n## docs ${path}\n`)).toHaveLength(2);
      expect(manPage(`docs-${name}`).split(`\n.SS "docs ${path.replaceAll('-', '\\-')}"\n`)).toHaveLength(2);
    }
  });
});

describe('links', () => {
  it.each([...files].filter(([path]) => path.endsWith('.md')))('of %s are valid', (path, text) => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const at = file === '' ? path : join(dirname(path), file);
      expect(files.has(at) || existsSync(at), `${path}: ${target}`).toBe(true);
      if (heading !== undefined) {
        const headings = (files.get(at) ?? '').matchAll(/^#+ (.*)$/gm);
        const anchors = [...headings].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
        expect(anchors).toContain(heading);
      }
    }
  });
});

it('man pages escape text at the start of a line', () => {
  for (const text of files.keys()) {
    if (!text.endsWith('.1')) continue;
    const commands = new Set((files.get(text) ?? '').match(/^\.\S+/gm));
    const known = ['.\\"', '.TH', '.SH', '.SS', '.PP', '.TP', '.nf', '.fi', '.RS', '.RE', '.br', '.sp'];
    expect([...commands].filter((name) => !known.includes(name))).toEqual([]);
  }
});
