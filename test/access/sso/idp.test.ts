import { describe, expect, test } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { idpPeople } from '../../../src/commands/sso/idp.js';
import { parseRows } from '../../../src/jobs/rows.js';

/** People as identity providers export them. */

const read = async (text: string, column?: string) => idpPeople(await parseRows(text, 'users.csv'), column);
const json = async (value: unknown) => idpPeople(await parseRows(JSON.stringify(value), 'users.json'));

async function refusalOf(text: string, column?: string): Promise<[string, string]> {
  const cause: unknown = await read(text, column).catch((thrown: unknown) => thrown);
  expect(cause).toBeInstanceOf(DocsError);
  const { code, kind, message } = cause as DocsError;
  expect(kind).toBe('usage');
  return [code, message];
}

describe('the exports', () => {
  test('of Okta, whose login is another address than the email', async () => {
    const { people, column } = await read(
      'login,firstName,lastName,email,status\na.okafor@login.example,Ada,Okafor,ada@acme.example,ACTIVE\n' +
        'b@acme.example,Bo,Li,bo@acme.example,DEPROVISIONED\n',
    );
    expect(column).toBe('email');
    expect(people).toEqual([
      {
        ...{ line: 2, email: 'ada@acme.example', name: 'Ada Okafor', active: true },
        aliases: ['a.okafor@login.example'],
      },
      { line: 3, email: 'bo@acme.example', name: 'Bo Li', active: false, aliases: ['b@acme.example'] },
    ]);
  });

  test('of Entra, where mail may be empty', async () => {
    const { people, column } = await read(
      'userPrincipalName,displayName,mail,accountEnabled,proxyAddresses\n' +
        'ada@acme.example,Ada Okafor,Ada.Okafor@acme.example,True,SMTP:Ada.Okafor@acme.example;smtp:ada.o@acme.example\n' +
        'bo@acme.example,Bo Li,,False,\n',
    );
    expect(column).toBe('mail');
    expect(people).toMatchObject([
      { email: 'Ada.Okafor@acme.example', aliases: ['ada@acme.example', 'ada.o@acme.example'], active: true },
      { email: 'bo@acme.example', aliases: [], active: false },
    ]);
  });

  test('of Google, with brackets in its header', async () => {
    const { people, column } = await read(
      'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Recovery Email\n' +
        'Ada,Okafor,ada@acme.example,Active,ada@home.example\nBo,Li,bo@acme.example,Suspended,\n',
    );
    expect(column).toBe('Email Address [Required]');
    expect(people).toMatchObject([
      { name: 'Ada Okafor', active: true, aliases: [] },
      { name: 'Bo Li', active: false },
    ]);
  });

  test('as JSON, with the person in an object of its own', async () => {
    const { people } = await json([
      { status: 'SUSPENDED', profile: { login: 'x', email: 'ada@acme.example', displayName: 'Ada' } },
      { profile: { email: 'bo@acme.example' }, suspended: false },
    ]);
    expect(people).toMatchObject([
      { email: 'ada@acme.example', name: 'Ada', active: false },
      { email: 'bo@acme.example', active: true },
    ]);
  });
});

test('a column that is negative, such as suspended, wins over one that says active', async () => {
  const { people } = await read('email;active;suspended\na@x.example;true;true\nb@x.example;true;no\n');
  expect(people.map(({ active }) => active)).toEqual([false, true]);
});

test('duplicates, rows without an email and unknown states are told', async () => {
  const found = await read('email,status\na@x.example,odd\n"",ACTIVE\nA@x.example,\nnone,ACTIVE\n');
  expect(found.people).toHaveLength(1);
  expect(found.duplicates).toEqual([{ email: 'a@x.example', lines: [2, 4] }]);
  expect(found.withoutEmail).toEqual([3, 5]);
  expect([...found.unknownStates]).toEqual([['odd', 1]]);
  expect(found.people[0]?.active).toBeUndefined();
});

describe('the column with the email', () => {
  test('is named where two may hold it', async () => {
    const text = 'mail,email\na@x.example,b@x.example\n';
    expect(await refusalOf(text)).toEqual([
      'ambiguous_column',
      'Columns "mail" and "email" may both hold the email; name one with --idp-column.',
    ]);
    expect((await read(text, 'MAIL')).people[0]).toMatchObject({
      email: 'a@x.example',
      aliases: ['b@x.example'],
    });
  });

  test('is named where none is known', async () => {
    const [code, message] = await refusalOf('contact,team\na@x.example,docs\n');
    expect(code).toBe('missing_column');
    expect(message).toContain('("contact", "team"); name it with --idp-column.');
    expect((await read('contact,team\na@x.example,docs\n', 'contact')).people).toHaveLength(1);
    expect(await refusalOf('contact\na@x.example\n', 'kontakt')).toEqual([
      'missing_column',
      '--idp-column: column "kontakt" not found; the file has "contact".',
    ]);
  });
});
