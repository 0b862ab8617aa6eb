import { describe, expect, it } from 'vitest';
import { findCommands, limitationNote } from '../../src/agents/find/find-commands.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { run } from '../../src/main.js';
import { ASKED, type Asked, FURTHER, HELD_BACK } from '../data/asked-words.js';
import { fakeIo } from '../fake-io.js';

/** What `docs find` puts first: the commands that a person or an agent would have looked for. */

const tree = await commandTree(groups);
const firstThree = (words: string): string[] => findCommands(words, tree, 3).map(({ path }) => path);

it.each(tree.map(({ path, command }) => [path, command.summary]))(
  'finds docs %s by its own summary',
  (path, summary) => {
    expect(firstThree(summary)).toContain(path);
  },
);

/** Tasks as people put them, and the commands that would do; one of them is among the first three. */
const tasks: readonly (readonly [task: string, ...commands: string[]])[] = [
  ['who can publish', 'members list', 'members review'],
  ["take somebody's admin away", 'members update'],
  ['bring back what I deleted yesterday', 'spaces trash restore'],
  ['make someone an admin', 'members update'],
  ['kick somebody out of the organization', 'members delete', 'members offboard'],
  ['off-board an employee who leaves', 'members offboard'],
  ['who has access to our spaces', 'members spaces', 'members review'],
  ['which people were not seen for months', 'members review', 'members list'],
  ['what teams is this person in', 'members teams'],
  ['add people to a team', 'teams members set', 'teams members update'],
  ['throw someone out of a team', 'teams members delete'],
  ['rename a team', 'teams update'],
  ['new team for the writers', 'teams create'],
  ['stop an invitation link from working', 'invites delete'],
  ['set up Okta for sign in', 'saml create'],
  ['replace the certificate of our identity provider', 'saml update'],
  ['copy a space', 'spaces duplicate'],
  ['lock a space so that nobody edits it', 'spaces update'],
  ['get rid of a space', 'spaces delete'],
  ['give a space to another company', 'spaces transfer'],
  ['put a space into a folder', 'spaces move', 'collections move'],
  ['search for a word in all our docs', 'orgs search'],
  ['look for text in one space', 'spaces search'],
  ['set the owner field of a space', 'spaces fields set'],
  ['dead links on all pages', 'links check'],
  ['find 404s', 'links check'],
  ['which pages show this image', 'content files backlinks'],
  ['read a page as Markdown', 'content pages get'],
  ['upload content from a website', 'content import'],
  ['table of contents of a space', 'content pages list'],
  ['download a file', 'content files get'],
  ['open a draft for changes', 'change-requests create'],
  ['approve and merge a draft', 'change-requests merge'],
  ['get a branch up to date', 'change-requests pull'],
  ['print a change request as PDF', 'change-requests pdf'],
  ['answer a comment', 'comments replies create'],
  ['close a discussion thread', 'comments update'],
  ['unresolved comments', 'comments list'],
  ['make the site private', 'sites update'],
  ['add a tab to the site navigation', 'sections create'],
  ['put a space on the website', 'site-spaces create'],
  ['change the order of sections', 'sections move'],
  ['take a space off a site but keep it', 'site-spaces delete'],
  ['where is our site published', 'sites published', 'sites list', 'sites get'],
  ['upload our swagger file', 'openapi publish', 'openapi create', 'openapi set'],
  ['is the API spec processed yet', 'openapi wait', 'openapi get', 'openapi list'],
  ['undo my last change', 'undo'],
  ['what did I change last week', 'jobs list'],
  ['continue after Ctrl-C', 'jobs resume'],
  ['change the role of 200 people from a spreadsheet', 'bulk', 'members update'],
  ['save everything to disk', 'backup run'],
  ['compare two backups', 'backup diff'],
  ['is my backup old', 'backup status'],
  ['restore a backup', 'backup restore'],
  ['keep our settings in git as YAML', 'pull'],
  ['what was changed by hand', 'plan drift'],
  ['review a plan before it is applied', 'plan show', 'plan'],
  ['send a raw HTTP request', 'api'],
  ['log in', 'auth login'],
  ['use another account', 'auth switch'],
  ['it does not work, what is wrong', 'doctor'],
  ['try things without touching production', 'sandbox start', 'sandbox exec'],
  ['rehearse a script on a copy', 'rehearse'],
  ['try a change safely', 'rehearse'],
  ['what would this offboarding do', 'rehearse'],
  ['make the API fail to test error handling', 'sandbox fault'],
  ['tab completion in zsh', 'completion'],
  ['log me out', 'auth logout'],
  ['who am I', 'auth status', 'status'],
  ['revoke my API key', 'auth token', 'auth logout'],
  ['JSON schema of a command', 'commands schema'],
  ['who can see my site', 'access explain', 'access who', 'sites get'],
  ['what breaks if I delete a space', 'impact delete'],
  ['link people to single sign-on', 'sso link'],
  ['hand a space to another organization', 'spaces transfer', 'impact transfer'],
  ['compare access with last month', 'access diff'],
  ['why can this person edit the space', 'access explain'],
  ['who can merge in this space', 'access who'],
  ['what would change if she becomes a reader', 'impact access'],
  ["table of everybody's access to every space", 'access matrix'],
  ['is everybody ready for SSO', 'sso readiness'],
  ['what happens if I rename the site address', 'impact rename'],
  ['draw a graph of links between spaces', 'links graph'],
  ['what depends on this space', 'impact delete', 'impact move', 'links graph'],
];

it('is asked at least 60 tasks', () => {
  expect(new Set(tasks.map(([task]) => task)).size).toBeGreaterThanOrEqual(60);
});

it.each(tasks)('finds what does it: %s', (task, ...commands) => {
  const found = firstThree(task);
  expect(
    found.some((path) => commands.includes(path)),
    `found ${found.join(', ')}`,
  ).toBe(true);
});

it.each([
  'is the site up',
  'clear the cache',
  'pay the invoice',
  'upgrade our subscription',
  'change my avatar',
  'how many visitors does the site have',
  'order a pizza margherita',
  'book a flight',
  'play some music',
  'play a video',
])('finds nothing where no command does it: %s', (task) => {
  expect(findCommands(task, tree)).toEqual([]);
});

/** What a person is led to: commands among the first three or in the sentence on what the API cannot do. */
function leads({ words, leadsTo }: Asked): boolean {
  const cannot = limitationNote(words);
  if (leadsTo.length === 0) return cannot !== undefined;
  const named = leadsTo.filter((path) => cannot?.includes(`docs ${path}`));
  return (
    (cannot === undefined ? leadsTo.filter((path) => firstThree(words).includes(path)) : named).length > 0
  );
}

it.each(ASKED)('leads people to what they mean, or to what the API cannot do: $words', (asked) => {
  expect({
    leads: leads(asked),
    found: firstThree(asked.words),
    cannot: limitationNote(asked.words),
  }).toMatchObject({
    leads: true,
  });
});

it('leads them there from words that it was never taught', () => {
  const missed = HELD_BACK.filter((asked) => !leads(asked)).map(({ words }) => words);
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(1);
});

it('leads them there from four of ten further ones, as first measured', () => {
  const missed = FURTHER.filter((asked) => !leads(asked)).map(({ words }) => words);
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(6);
});

it('takes no task of a command for what the API cannot do', () => {
  const taken = [...tasks.map(([task]) => task), ...tree.map(({ command }) => command.summary)];
  expect(taken.filter((words) => limitationNote(words) !== undefined)).toEqual([]);
});

it('gives ten at most, best first, and none for words that no command knows', () => {
  expect(findCommands('list', tree)).toHaveLength(10);
  expect(findCommands('', tree)).toEqual([]);
  expect(findCommands('the of and', tree)).toEqual([]);
  expect(findCommands('qqqqqqqq', tree)).toEqual([]);
  expect(findCommands('x'.repeat(100_000), tree)).toEqual([]);
});

it('understands a mistyped word', () => {
  expect(firstThree('ofboard a membr')).toContain('members offboard');
  expect(firstThree('transfre a spcae')).toContain('spaces transfer');
});

describe('docs find, which sends nothing: no test of this layer could', () => {
  const docs = async (...words: string[]) => {
    const io = fakeIo({ env: { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't' } });
    const code = await run(words, io);
    return { code, stdout: io.stdout.text, stderr: io.stderr.text };
  };

  it('prints one line for each command, the best first', async () => {
    const { code, stdout, stderr } = await docs('find', 'take', "somebody's", 'admin', 'away');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 3)).toContain('members update\tChange the role of a member');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('prints path, summary and danger as JSON', async () => {
    const [first] = JSON.parse((await docs('find', 'delete a team', '--json')).stdout);
    expect(first).toEqual({ path: 'teams delete', summary: 'Delete a team', danger: 'confirm' });
  });

  it('names the search of content where that may be meant', async () => {
    const search = "To search the content itself: docs orgs search 'search for webhooks in all our docs'\n";
    expect((await docs('find', 'search for webhooks in all our docs')).stderr).toBe(search);
    const none = await docs('find', 'qqqqqqqq', '--json');
    expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(none.stderr).toContain('docs orgs search qqqqqqqq');
  });

  it('refuses words that are none', async () => {
    expect(await docs('find', ' ')).toMatchObject({ code: 2, stdout: '' });
    expect(await docs('find')).toMatchObject({ code: 2, stdout: '' });
  });

  it('says what the API cannot do in place of commands', async () => {
    const cannot =
      'The API cannot hide a space, or change its visibility; close it to everyone without a grant with ' +
      'docs spaces update --default-level none, or remove it from its sites with docs site-spaces delete.\n';
    expect(await docs('find', 'hide', 'a', 'space')).toEqual({ code: 0, stdout: '', stderr: cannot });
    expect(await docs('find', 'hide a space', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: cannot });
  });

  it.each(ASKED.filter(({ words }) => !/^(undo|export|approve)/.test(words)))(
    'typed as a command, "$words" leads on, too',
    async ({ words, leadsTo }) => {
      const { code, stdout, stderr } = await docs(...words.split(' '));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        leadsTo.length === 0
          ? /: the API cannot .*\n {2}Try: docs /
          : /Did you mean docs|the API cannot|Try: docs find /,
      );
    },
  );

  it.each([
    ['members add', 'add or invite a member'],
    ['members invite ada@acme.com --role edit', 'add or invite a member'],
    ['members create', 'add or invite a member'],
    ['invite ada@acme.com', 'add or invite a member'],
    ['spaces create --title x', 'create an empty space'],
    ['sites publish', 'publish or unpublish a site'],
    ['pages edit p1', 'create, edit, move or delete a page'],
    ['content pages create', 'create, edit, move or delete a page'],
    ['redirects', 'list or set redirects'],
    ['sites redirects set', 'list or set redirects'],
    ['spaces grant s1 u1', 'give one person or team access to a space or collection'],
    ['spaces teams add s1 t1', 'give one person or team access to a space or collection'],
    ['clear cache', 'clear a cache'],
    ['invites create', 'create or list invite links'],
  ])('docs %s: the API cannot %s', async (line, cannot) => {
    const { code, stderr } = await docs(...line.split(' '), '--json');
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'unknown_command',
      outcome: 'not-sent',
      hint: expect.stringMatching(/^docs /),
    });
    expect(error.message).toContain(`: the API cannot ${cannot}; `);
    expect(error.next).not.toEqual([]);
  });

  it.each([
    ['plan apply plan.json', 'docs apply plan.json'],
    ['jobs undo last', 'docs undo last'],
    ['backup list', 'docs backup log, or docs backup status'],
    ['permissions', 'docs access who, or docs access matrix, or docs auth can-i'],
    ['settings', 'docs config list, or docs orgs get'],
    ['spaces members s1', 'docs access who s1'],
    ['teams add t1 u1', 'docs teams members set t1 u1'],
  ])('docs %s means %s', async (line, meant) => {
    const { code, stderr } = await docs(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`Did you mean ${meant}?`) });
  });
});
