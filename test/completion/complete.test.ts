import { describe, expect, it } from 'vitest';
import type { Walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import type { Completion } from '../../src/completion/candidate.js';
import { complete } from '../../src/completion/run-completion.js';
import type { ValueSources } from '../../src/completion/values.js';

/** What can be typed next, over the real commands; ids, profiles and fields come from here. */

const asked: string[] = [];
const sources: ValueSources = {
  async ids(kind, place: Walk) {
    asked.push(
      `${kind.command.words} ${[...place.flags].map(([name, values]) => `${name}=${values}`).join(' ')}`.trim(),
    );
    return [
      { word: 'a1', note: `A ${kind.name}` },
      { word: 'b2', note: 'Second' },
    ];
  },
  profiles: async () => ['default', 'work'],
  fields: async () => ['id', 'title', 'user', 'user.email'],
  offered: async (offer) => [{ word: `of-${offer}` }],
  aliases: async () =>
    new Map([
      ['co', 'change-requests list --all-spaces'],
      ['admins', 'members list --role admin'],
      ['rename', 'spaces update $1 --title $2'],
      ['role', 'members list --role=$1'],
      ['sps', 'spaces'],
    ]),
};

const at = (line: string): Promise<Completion> => complete(line.split(' '), groups, sources);
const words = async (line: string): Promise<string[]> => (await at(line)).candidates.map(({ word }) => word);

describe('commands', () => {
  it('offers the groups, with what each is about', async () => {
    expect((await at('mem')).candidates).toEqual([{ word: 'members', note: 'People and their roles' }]);
    expect(await words('')).toEqual(expect.arrayContaining(['auth', 'spaces', 'completion', 'help']));
    expect((await words('')).filter((word) => word.startsWith('_'))).toEqual([]);
  });

  it('offers the commands of a group and of a subgroup', async () => {
    expect(await words('members l')).toEqual(['list', 'link-sso']);
    expect(await words('spaces fields ')).toEqual(['list', 'set']);
  });

  it('accepts aliases and offers them if no full name matches', async () => {
    expect(await words('cr mer')).toEqual(['merge']);
    expect(await words('cr')).toEqual(['cr']);
    expect(await words('members ls --ro')).toEqual(['--role']);
  });

  it('offers nothing after an unknown command', async () => {
    expect(await at('nonsense ')).toEqual({ candidates: [] });
    expect(await at('members nonsense --')).toEqual({ candidates: [] });
  });

  it('skips flags and their values, quoted or not', async () => {
    expect(await words('--profile members members g')).toEqual(['get']);
    expect(await words('-o json --sandbox members g')).toEqual(['get']);
    expect(await words('-ojson members g')).toEqual(['get']);
    expect(await words('--output=json members g')).toEqual(['get']);
  });

  it('offers topics and commands after help', async () => {
    expect(await words('help e')).toEqual(['exit-codes', 'environment', 'errors-and-exit-codes']);
    expect(await words('help members up')).toEqual(['update']);
  });

  it('offers the pages of the guide after help, those that no command or topic hides', async () => {
    expect((await at('help off')).candidates).toEqual([{ word: 'offboarding', note: 'Guide: Offboarding' }]);
    expect(await words('help res')).toEqual(['restore']);
    expect(
      (await words('help ')).filter((word) => ['backup', 'plans', 'guide'].includes(word)).sort(),
    ).toEqual(['backup', 'guide', 'plans']);
  });

  it('offers every page after help guide, then its sections', async () => {
    expect(await words('help guide b')).toEqual(['backup', 'bulk']);
    expect((await at('help guide bulk t')).candidates).toContainEqual({ word: 'trash', note: 'Trash' });
    expect(await words('help offboarding pre')).toEqual(['preview']);
    expect(await at('help guide nonsense ')).toEqual({ candidates: [] });
    expect(await at('help guide bulk jobs ')).toEqual({ candidates: [] });
    expect(await at('help nonsense ')).toEqual({ candidates: [] });
    expect(await at('help members nonsense ')).toEqual({ candidates: [] });
  });

  it('offers commands as arguments of docs commands schema', async () => {
    expect(await words('commands schema members up')).toEqual(['update']);
    expect(await words('commands schema members update ')).toEqual([]);
  });
});

describe("people's words", () => {
  it.each([
    ['permissions', ['access who', 'access matrix', 'auth can-i']],
    ['perm', ['access who', 'access matrix', 'auth can-i']],
    ['who', ['whoami', 'access who']],
    ['users', ['members']],
    ['trash', ['spaces trash']],
    ['revert', ['undo']],
    ['jobs retry', ['resume']],
    ['members remove', ['delete']],
    ['teams add', ['members set']],
  ])('docs %s offers the commands that are meant, in place of the word', async (line, meant) => {
    const found = await at(line);
    expect(found.candidates.map(({ word }) => word)).toEqual(meant);
    expect(found.byTitle).toBe(true);
    expect(found.candidates.every(({ note = '' }) => note !== '')).toBe(true);
  });

  it.each([
    ['redirect', /^The API cannot list or set redirects; /],
    ['members invite', /^The API cannot add or invite a member; /],
    ['clear the cache', /^The API cannot clear a cache; /],
    ['jobs undo', /^docs undo: Undo a job$/],
    ['plan apply', /^docs apply: Apply a plan/],
    ['who can see', /^docs find who can see: /],
  ])('docs %s shows the limit or the command, and keeps the word', async (line, note) => {
    expect(await at(line)).toMatchObject({
      shown: true,
      candidates: [{ word: line.split(' ').at(-1), note: expect.stringMatching(note) }],
    });
  });

  it('are not sought where a command is begun, and not for a letter or two', async () => {
    expect(await words('invite')).toEqual(['invites']);
    expect(await words('us')).toEqual([]);
    expect(await words('undo l')).toEqual([]);
  });
});

describe('aliases', () => {
  it('are offered beside the commands, with what they stand for', async () => {
    expect((await at('adm')).candidates).toEqual([
      { word: 'admins', note: 'Alias for members list --role admin' },
    ]);
    expect(await words('rena')).toEqual(['rename']);
    expect(await words('')).toEqual(expect.arrayContaining(['spaces', 'sps']));
    expect(await words('spaces re')).not.toContain('rename');
    expect(await words('schema rena')).toEqual([]);
  });

  it('are completed as what they stand for', async () => {
    expect(await words('co --stat')).toEqual(['--status']);
    expect(await words('--json sps lis')).toEqual(['list']);
    expect(await words('rename ')).toEqual(['a1', 'b2']);
    expect(await words('rename a1 x --edit')).toEqual(['--edit-mode']);
  });

  it('are completed inside the word that their argument is part of', async () => {
    expect(await words('role ad')).toEqual(['admin']);
  });
});

describe('flags', () => {
  it("offers a command's own flags before the global ones", async () => {
    expect(await words('members update u1 --r')).toEqual(['--role', '--retry']);
    expect((await words('teams create --'))[0]).toBe('--title');
  });

  it('offers both flags of a pair', async () => {
    expect(await words('orgs update --no-s')).toEqual(['--no-sso']);
    expect(await words('comments update k1 --unr')).toEqual(['--unresolve', '--unreact']);
  });

  it('offers a flag once, unless it is repeatable', async () => {
    expect(await words('teams create --title x --t')).toEqual(['--timeout']);
    expect(await words('teams create --member u1 --m')).toEqual(['--member', '--max-attempts']);
  });

  it('offers flags after a flag with an optional value', async () => {
    expect(await words('openapi publish petstore x.yaml --wait --cr')).toEqual(['--create']);
    expect(await words('openapi publish --wait --create petstore x.yaml --sk')).toEqual(['--skip-unchanged']);
  });

  it('offers none after --', async () => {
    expect(await at('sandbox clock -- -')).toEqual({ candidates: [] });
  });

  it('offers flags if no more positionals are expected', async () => {
    expect(await words('teams get t1 ')).toContain('--org');
  });

  it('offers files for the arguments of another program', async () => {
    expect(await at('sandbox exec -- ./ni')).toEqual({
      candidates: [],
      files: { before: '', foldersOnly: false },
    });
  });
});

describe('values', () => {
  it('offers choices, and none for a nullable role', async () => {
    expect(await words('members list --role ')).toEqual([
      'admin',
      'create',
      'review',
      'edit',
      'comment',
      'read',
      'guest',
    ]);
    expect(await words('members update u1 --role n')).toEqual(['none']);
    expect(await words('-o t')).toEqual(['table', 'tsv']);
  });

  it('offers values after = too, with the flag in front', async () => {
    expect(await words('members list --role=a')).toEqual(['--role=admin']);
  });

  it('offers the choices of a positional', async () => {
    expect(await words('config get pa')).toEqual(['page-size', 'pager']);
    expect(await words('completion ')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await words('open chan')).toEqual(['change-request']);
  });

  it('offers profiles', async () => {
    expect(await words('--profile w')).toEqual(['work']);
    expect(await words('auth switch ')).toEqual(['default', 'work']);
  });

  it('offers the remaining fields, without a space after them', async () => {
    expect(await at('members list --fields id,ti')).toEqual({
      candidates: [{ word: 'id,title' }],
      goesOn: true,
    });
    expect(await words('members list --fields user,')).toEqual(['user,id', 'user,title', 'user,user.email']);
  });

  it('offers files for flags that read a file', async () => {
    const files = (before: string, foldersOnly = false) => ({
      candidates: [],
      files: { before, foldersOnly },
    });
    expect(await at('teams create --input ')).toEqual(files(''));
    expect(await at('teams create --input=')).toEqual(files('--input='));
    expect(await at('saml create --certificate @id')).toEqual(files('@'));
    expect(await at('members delete u1 @')).toEqual(files('@'));
    expect(await at('spaces fields set s1 owner=@')).toEqual(files('owner=@'));
    expect(await at('sandbox start --content ')).toEqual(files('', true));
  });

  it('offers no files for a path on the platform', async () => {
    expect(await at('sections update x1 --path ')).toEqual({ candidates: [] });
  });
});

describe('ids', () => {
  it.each([
    ['members get ', 'members list'],
    ['teams members delete t1 ', 'members list'],
    ['teams list --owner ', 'members list'],
    ['teams create --member ', 'members list'],
    ['spaces get ', 'spaces list'],
    ['sites list --space-id ', 'spaces list'],
    ['spaces list --collection ', 'collections list'],
    ['collections create --parent ', 'collections list'],
    ['--org ', undefined],
    ['members list --org ', 'orgs list'],
    ['sites get ', 'sites list'],
    ['openapi get ', 'openapi list'],
    ['custom-fields get ', 'custom-fields list'],
    ['custom-fields create ', undefined],
    ['saml get ', 'saml list'],
    ['saml create --default-team ', 'teams list'],
    ['spaces move s1 --before ', 'spaces list'],
    ['section-groups move g1 --after ', 'section-groups list'],
    ['open collection ', 'collections list'],
    ['open nonsense ', undefined],
  ])('docs %s requests %s', async (line, list) => {
    asked.length = 0;
    await at(line);
    expect(asked).toEqual(list === undefined ? [] : [list]);
  });

  it('passes the flags typed so far', async () => {
    asked.length = 0;
    expect(await words('content pages get --space s1 --change-request 5 a')).toEqual(['a1']);
    expect(await words('sections move x1 --site w1 --before=')).toEqual(['--before=a1', '--before=b2']);
    expect(asked).toEqual(['content pages list space=s1 change-request=5', 'sections list site=w1']);
  });

  it('does not offer an id that is already given', async () => {
    expect(await words('members delete a1 ')).toEqual(['b2']);
  });
});

describe('titles', () => {
  it('offers ids of whose title a word begins like what was typed', async () => {
    expect(await at('teams get sec')).toEqual({
      candidates: [{ word: 'b2', note: 'Second' }],
      byTitle: true,
    });
    expect(await words('teams get TEA')).toEqual(['a1']);
    expect(await words('teams get eam')).toEqual([]);
    expect(await at('teams get b')).toEqual({ candidates: [{ word: 'b2', note: 'Second' }] });
  });
});

describe('what this machine knows', () => {
  it('offers jobs that fit the command, and items', async () => {
    expect(await words('undo ')).toEqual(['of-undoable-jobs']);
    expect(await words('jobs show ')).toEqual(['of-jobs']);
    expect(await words('jobs resume ')).toEqual(['of-unfinished-jobs']);
    expect(await words('jobs settle ')).toEqual(['of-unsettled-jobs']);
    expect(await words('jobs settle x ')).toEqual(['of-unsettled-items']);
    expect(await words('undo x ')).toEqual(['of-job-items']);
    expect(await words('audit list --job ')).toEqual(['of-jobs']);
  });

  it('offers seeds, and values of settings', async () => {
    expect(await words('sandbox seed ')).toEqual(['tiny', 'acme', 'huge']);
    expect(await words('config set output n')).toEqual(['ndjson']);
    expect(await words('config set org ')).toEqual(['a1', 'b2']);
  });

  it('offers for bulk only commands that change something', async () => {
    expect(await words('bulk mem')).toEqual(['members']);
    expect(await words('bulk members ')).not.toContain('list');
    expect(await words('bulk members ')).toContain('update');
    expect(await words('bulk doc')).toEqual([]);
  });

  it('offers whole command lines after rehearse --', async () => {
    expect(await words('rehearse -- spaces del')).toEqual(['delete']);
    expect(await words('policy test -- spaces delete a')).toEqual(['a1']);
  });
});

describe('fields', () => {
  it('offers fields to sort by, and to add and drop', async () => {
    expect(await words('teams list --sort-by ti')).toEqual(['title']);
    expect(await words('teams list --sort-by id:desc,ti')).toEqual(['id:desc,title']);
    expect(await words('teams list --sort-by title:d')).toEqual(['title:desc']);
    expect(await words('teams list --fields +ti')).toEqual(['+title']);
    expect(await words('teams list --fields -id,+ti')).toEqual(['-id,+title']);
  });
});
