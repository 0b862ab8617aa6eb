import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import type { LiveItem } from '../../../src/organization/model.js';
import { person, platform, there } from '../planner/build.js';
import { diff, type Folder, folderEach, membership } from './world.js';

const folderOf = folderEach();

const writers = there('teams', 't1', { title: 'Writers' });
const editors = there('teams', 't2', { title: 'Editors' });
const one = (index: number, role = 'read') => person(`p${String(index).padStart(5, '0')}@acme.example`, role);
const people = Array.from({ length: 5001 }, (_, index) => one(index));
const members = [
  membership(writers, people[1] as LiveItem, 'owner'),
  membership(editors, people[1] as LiveItem, 'member'),
];
const live = (all: readonly LiveItem[] = people, more: readonly LiveItem[] = members) =>
  platform([...all, writers, editors, ...more]);

/** With a people.csv of somebody's own. */
function written(rows: string | Buffer): Folder {
  const folder = folderOf();
  mkdirSync(folder.path);
  const teams = 'teams:\n- {key: writers, title: Writers}\n- {key: editors, title: Editors}\n';
  const texts = {
    'org.yaml': 'guards: {}\n',
    'people.yaml': 'people: !file people.csv\n',
    'teams.yaml': teams,
  };
  for (const [name, text] of Object.entries({ ...texts, 'people.csv': rows }))
    writeFileSync(folder.file(name), text);
  return folder;
}

const csv = (folder: Folder) => readFileSync(folder.file('people.csv'), 'utf8');

async function linesOf(work: Promise<unknown>): Promise<readonly string[]> {
  const error = await work.then(() => undefined).catch((cause: unknown) => cause);
  if (!(error instanceof DocsError)) throw new Error('no error');
  return error.failure.lines ?? [];
}

describe('people.csv', () => {
  it('runs nothing in a spreadsheet, shows what cannot be seen, and is read and rewritten as it was', async () => {
    const emails = ['=1+1@acme.example', '-x\u200b@acme.example'];
    const all = [...people, ...emails.map((email) => person(email, 'read'))];
    const folder = folderOf();
    await folder.pull(live(all));
    expect(csv(folder)).toContain("\n'=1+1@acme.example,read");
    expect(csv(folder)).toContain("\n'-x<U+200B>@acme.example,read");
    const { items } = await folder.read();
    for (const email of emails) expect(items.has(`people/${email}`)).toBe(true);
    await folder.pull(live([...people, ...emails.map((email) => person(email, 'edit'))]));
    expect(csv(folder)).toContain("\n'=1+1@acme.example,edit");
  });

  it('is written for more than 5,000 people, and read again', async () => {
    const folder = folderOf();
    await folder.pull(live());
    expect(readFileSync(folder.file('people.yaml'), 'utf8')).toContain('people: !file people.csv\n');
    expect(csv(folder).split('\n').slice(0, 4)).toEqual([
      'email,role,sso,teams',
      'p00000@acme.example,read,,',
      'p00001@acme.example,read,,editors writers:owner',
      'p00002@acme.example,read,,',
    ]);
    const { items } = await folder.read();
    expect(items.get('memberships/writers/p00001@acme.example')?.fields).toEqual({ role: 'owner' });
    expect(items.get('people/p00003@acme.example')).toMatchObject({
      fields: { role: 'read' },
      at: { file: 'people.csv', line: 5, path: 'people[3]' },
    });
    expect(await folder.pull(live())).toEqual({ written: [], kept: [], lock: [] });
  });

  it('changes in the rows of those who changed', async () => {
    const few = people.slice(0, 30);
    const folder = folderOf();
    await folder.pull(live(few));
    const rows = few.map((_, at) => `p${String(at).padStart(5, '0')}@acme.example,read,,`);
    rows[1] += 'editors writers:owner';
    const before = `email,role,sso,teams\n${rows.join('\n')}\n`;
    writeFileSync(folder.file('people.yaml'), 'people: !file people.csv\n');
    writeFileSync(folder.file('people.csv'), before);
    const next = [
      ...few.slice(0, 7),
      one(7, 'admin'),
      ...few.slice(8, 10),
      ...few.slice(11),
      person('p00003b@acme.example', 'guest'),
    ];
    await folder.pull(
      live(next, [
        membership(writers, people[1] as LiveItem, 'member'),
        membership(writers, people[20] as LiveItem, 'member'),
      ]),
    );
    expect(diff(before, csv(folder)).sort()).toEqual([
      '+p00001@acme.example,read,,writers',
      '+p00003b@acme.example,guest,,',
      '+p00007@acme.example,admin,,',
      '+p00020@acme.example,read,,writers',
      '-p00001@acme.example,read,,editors writers:owner',
      '-p00007@acme.example,read,,',
      '-p00010@acme.example,read,,',
      '-p00020@acme.example,read,,',
    ]);
    expect(csv(folder).indexOf('p00003b')).toBeGreaterThan(csv(folder).indexOf('p00003@'));
    expect(csv(folder).indexOf('p00003b')).toBeLessThan(csv(folder).indexOf('p00004@'));
  });

  it('keeps separators, line breaks, quotes and the order of its rows and columns', async () => {
    const rows = [
      '"role";email',
      '"read";p00002@acme.example',
      '',
      'read ; p00001@acme.example',
      'guest;p00000@acme.example',
    ];
    const folder = written(`\ufeff${rows.join('\r\n')}`);
    await folder.pull(live([one(0, 'guest'), one(1), one(2)], []));
    await folder.pull(live([one(0, 'guest'), one(1), one(2, 'admin')], []));
    expect(csv(folder)).toBe(
      '\ufeff"role";email\r\nadmin;p00002@acme.example\r\nread ; p00001@acme.example\r\nguest;p00000@acme.example\r\n',
    );
  });

  it('has its mistakes told with their lines, all at once', async () => {
    const folder = written(
      'email,role,sso,teams\na@x.example,amdin,,\n,read,,\n"b@x.example",read,maybe,"writers\n wirters"\na@x.example,read,,writers:boss,x\na@x.example,read,,writers:boss\n',
    );
    expect(await linesOf(folder.read())).toEqual([
      'people.csv:2:1 people[0].role must be one of admin, create, review, edit, comment, read, guest; did you mean "admin"?',
      'people.csv:3:1 people[1].email is missing',
      'people.csv:4:1 people[2].sso must be true or false',
      'people.csv:4:1 people[2] names a team that no file has; did you mean "writers"?',
      'people.csv:6:1 people[3] has 5 cells where the header has 4',
      'people.csv:7:1 people[4] names people/a@x.example again; it is also at people.csv:2',
      'people.csv:7:1 people[4].teams.role must be one of owner, member',
    ]);
  });

  it.each([
    [
      'email,roel\n',
      ['people.csv:1:1 roel is not a known column (email, role, sso, teams); did you mean "role"?'],
    ],
    ['role\n', ['people.csv:1:1 email is missing from the header']],
    ['email,email\n', ['people.csv:1:1 email is there twice']],
    ['', ['people.csv:1:1 the file has no header line']],
    [
      'email\n"a@x.example\n',
      ['people.csv:2:1 the file is not valid CSV: a quote is missing, or a row is too long'],
    ],
  ])('%j is refused', async (text, lines) => {
    expect(await linesOf(written(text).read())).toEqual(lines);
  });

  it('in another encoding is refused', async () => {
    const folder = written(Buffer.from('email\nj\xf6rg@x.example\n', 'latin1'));
    expect(await linesOf(folder.read())).toEqual(['people.csv:1:1 the file is not UTF-8 text']);
  });
});
