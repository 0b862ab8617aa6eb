import { describe, expect, it } from 'vitest';
import type { Walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import type { Completion } from '../../src/completion/candidate.js';
import { complete } from '../../src/completion/complete.js';
import type { ValueSources } from '../../src/completion/values.js';

/** What can be typed next, over the real commands; ids, profiles and fields come from here. */

const asked: string[] = [];
const sources: ValueSources = {
  async ids(kind, place: Walk) {
    asked.push(
      `${kind.list} ${[...place.flags].map(([name, values]) => `${name}=${values}`).join(' ')}`.trim(),
    );
    return [
      { word: 'a1', note: `A ${kind.name}` },
      { word: 'b2', note: 'Another' },
    ];
  },
  profiles: async () => ['default', 'work'],
  fields: async () => ['id', 'title', 'user', 'user.email'],
};

const at = (line: string): Promise<Completion> => complete(line.split(' '), groups, sources);
const words = async (line: string): Promise<string[]> => (await at(line)).candidates.map(({ word }) => word);

describe('commands', () => {
  it('offers the groups, with what each is about', async () => {
    expect((await at('mem')).candidates).toEqual([{ word: 'members', note: 'Members of an organization' }]);
    expect(await words('')).toEqual(expect.arrayContaining(['auth', 'spaces', 'completion', 'help']));
    expect((await words('')).filter((word) => word.startsWith('_'))).toEqual([]);
  });

  it('offers the commands of a group and of a subgroup', async () => {
    expect(await words('members l')).toEqual(['list', 'link-sso']);
    expect(await words('spaces fields ')).toEqual(['list', 'set']);
  });

  it('understands short names, and offers them to those who type them', async () => {
    expect(await words('cr mer')).toEqual(['merge']);
    expect(await words('cr')).toEqual(['cr']);
    expect(await words('members ls --ro')).toEqual(['--role']);
  });

  it('is silent behind a word that is no command', async () => {
    expect(await at('nonsense ')).toEqual({ candidates: [] });
    expect(await at('members nonsense --')).toEqual({ candidates: [] });
  });

  it('looks past flags, their values and what is quoted in them', async () => {
    expect(await words('--profile members members g')).toEqual(['get']);
    expect(await words('-o json --sandbox members g')).toEqual(['get']);
    expect(await words('-ojson members g')).toEqual(['get']);
    expect(await words('--output=json members g')).toEqual(['get']);
  });

  it('offers topics and commands after help', async () => {
    expect(await words('help e')).toEqual(['exit-codes', 'environment']);
    expect(await words('help members up')).toEqual(['update']);
  });

  it('offers commands as the words of docs schema', async () => {
    expect(await words('schema members up')).toEqual(['update']);
    expect(await words('schema members update ')).toEqual([]);
  });
});

describe('flags', () => {
  it("offers a command's own before those of every command", async () => {
    expect(await words('members update u1 --r')).toEqual(['--role', '--retry']);
    expect((await words('teams create --'))[0]).toBe('--title');
  });

  it('offers both flags of a pair', async () => {
    expect(await words('orgs update --no-s')).toEqual(['--no-sso']);
    expect(await words('comments update k1 --unr')).toEqual(['--unresolve', '--unreact']);
  });

  it('offers a flag once, unless it may be repeated', async () => {
    expect(await words('teams create --title x --t')).toEqual(['--timeout']);
    expect(await words('teams create --member u1 --m')).toEqual(['--member', '--max-attempts']);
  });

  it('offers them behind a flag whose value may be left out', async () => {
    expect(await words('openapi publish petstore x.yaml --wait --cr')).toEqual(['--create']);
    expect(await words('openapi publish --wait --create petstore x.yaml --sk')).toEqual(['--skip-unchanged']);
  });

  it('offers none after --', async () => {
    expect(await at('sandbox clock -- -')).toEqual({ candidates: [] });
  });

  it('offers the flags where no more positionals are expected', async () => {
    expect(await words('teams get t1 ')).toContain('--org');
  });

  it('offers files to a program of its own', async () => {
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

  it('offers them behind = too, with what stands before', async () => {
    expect(await words('members list --role=a')).toEqual(['--role=admin']);
  });

  it('offers what a positional may be', async () => {
    expect(await words('config get pa')).toEqual(['page-size']);
    expect(await words('completion ')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await words('open chan')).toEqual(['change-request']);
  });

  it('offers profiles', async () => {
    expect(await words('--profile w')).toEqual(['work']);
    expect(await words('auth switch ')).toEqual(['default', 'work']);
  });

  it('offers the fields that are not there yet, and goes on', async () => {
    expect(await at('members list --fields id,ti')).toEqual({
      candidates: [{ word: 'id,title' }],
      goesOn: true,
    });
    expect(await words('members list --fields user,')).toEqual(['user,id', 'user,title', 'user,user.email']);
  });

  it('offers files where a file is read', async () => {
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

  it('offers no file for a path that is the platform’s', async () => {
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
  ])('docs %s asks for %s', async (line, list) => {
    asked.length = 0;
    await at(line);
    expect(asked).toEqual(list === undefined ? [] : [list]);
  });

  it('asks with the flags typed so far', async () => {
    asked.length = 0;
    expect(await words('content pages get --space s1 --change-request 5 a')).toEqual(['a1']);
    expect(await words('sections move x1 --site w1 --before=')).toEqual(['--before=a1', '--before=b2']);
    expect(asked).toEqual(['content pages list space=s1 change-request=5', 'sections list site=w1']);
  });

  it('offers no id twice in a row of them', async () => {
    expect(await words('members delete a1 ')).toEqual(['b2']);
  });
});
