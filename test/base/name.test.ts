import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesIn } from '../../src/access/names.js';
import { chosenProviders, providerFacts } from '../../src/access/saml-providers.js';
import type { Client } from '../../src/api/client.js';
import { createTeam } from '../../src/api/resources/teams.js';
import { anchor, emailKey, nameKey, sameEmail, searchKey, slug } from '../../src/base/name.js';
import { nearest } from '../../src/base/nearest.js';
import { shellWord } from '../../src/base/shell-word.js';
import { Exempt } from '../../src/change-requests/find-stale.js';
import { findAllByTitle, findByTitle } from '../../src/cli/resolve/find-by-title.js';
import { decisionsIn } from '../../src/commands/members/review-apply.js';
import { pickSpaces } from '../../src/commands/shared/backup-flags.js';
import { deletedSpaceNamed } from '../../src/commands/spaces/trash.js';
import { idpPeople } from '../../src/commands/sso/idp.js';
import { namedBy } from '../../src/completion/candidate.js';
import { traceOf } from '../../src/jobs/creations.js';
import { parseRows } from '../../src/jobs/rows.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { resources } from '../../src/model/resources.js';
import { decide } from '../../src/policy/decide.js';
import { policyOf } from '../policy/world.js';

const commands = ['orgs', 'members', 'teams', 'spaces', 'sites', 'change-requests', 'comments', 'content'];

describe('nearest', () => {
  test.each([
    ['memebrs', 'members'],
    ['member', 'members'],
    ['ORGS', 'orgs'],
    ['org', 'orgs'],
    ['spcaes', 'spaces'],
    ['stie', 'sites'],
    ['change', 'change-requests'],
    ['chnage-requets', 'change-requests'],
  ])('%s means %s', (typed, meant) => {
    expect(nearest(typed, commands)).toBe(meant);
  });

  test.each(['', 'x', 'xyz', 'billing', 'co', 'a'.repeat(100_000)])('nothing is near %.20s', (typed) => {
    expect(nearest(typed, commands)).toBeUndefined();
  });

  test('flags: the dashes make nothing nearer', () => {
    expect(nearest('--titel', ['--title', '--limit'])).toBe('--title');
    expect(nearest('--xyz', ['--all', '--org'])).toBeUndefined();
  });

  test('the first of equals', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });

  test('a swap of neighbours is one edit, so a word of three letters may have one', () => {
    expect(nearest('ogr', ['org'])).toBe('org');
    expect(nearest('oxx', ['org'])).toBeUndefined();
  });

  test('a known word is always its own nearest', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z-]{1,20}$/), { minLength: 1 }), (words) => {
        for (const word of words) expect(nearest(word, words)).toBe(word);
      }),
    );
  });
});

/** Names in all spellings, by everything that compares them. */

const name = 'Café Notes';

/** A client whose every list has one team. */
const client = {
  async *call() {
    yield { id: 't1', title: name };
  },
} as unknown as Client;

const rowsWith = (column: string) =>
  parseRows(JSON.stringify([{ email: 'ada@acme.example', [column]: 'keep' }]), 'rows.json');

/** Whether each finds what has the name by another spelling of it. */
const users: Record<string, (spelling: string) => boolean | Promise<boolean>> = {
  'a title that was typed': async (text) => {
    const lookup = { text, known: {}, parents: async () => ({ organizationId: 'o1' }) };
    return (await findByTitle(client, resources.team, lookup)).is === 'title';
  },
  'titles of a bulk change': async (text) =>
    (await findAllByTitle(client, resources.team, [text], { organizationId: 'o1' })).get(text)?.id === 't1',
  'what a policy protects': async (text) => {
    const policy = await policyOf(`allow: ["*"]\nprotect: ["team:${name}"]`);
    const named = [{ kind: 'team', names: ['t1', text] }];
    const command = 'teams delete';
    return (
      decide([policy], { command, operation: command, effect: 'delete', resources: named }).is === 'deny'
    );
  },
  'a space of a backup': (text) => {
    const space = { id: 's1', title: name, folder: 'cafe', state: 'complete' as const };
    const manifest = { spaces: [space] } as unknown as Parameters<typeof pickSpaces>[0];
    return pickSpaces(manifest, [text], 'backup').length === 1;
  },
  'a deleted space': (text) => {
    const times = { deletedAt: '', restorableUntil: '', hoursLeft: 1, job: 'j1' };
    return deletedSpaceNamed(text, [{ id: 's1', title: name, ...times }]) === 's1';
  },
  'a SAML provider': (text) => {
    const saml = { id: 'p1', label: name, service: { startURL: '' } } as Parameters<typeof providerFacts>[0];
    return chosenProviders([providerFacts(saml, 0)], text).length === 1;
  },
  'what a creation may have made': (text) =>
    traceOf(createTeam, allRules)?.like({ id: 't1', title: text }, { body: { title: name } }) !== 'unlike',
  'a column of an identity provider': async (text) => idpPeople(await rowsWith(name), text).column === name,
  'change requests that are left alone': (text) => {
    const request = { id: 'c1', number: 3, space: { id: 's1', title: name } };
    const found = new Exempt([{ text: `${text}/3` }]).of(request as unknown as Parameters<Exempt['of']>[0]);
    return found !== undefined;
  },
};

describe.each(Object.keys(users))('%s', (user) => {
  test.each([
    ['as it is written', name],
    ['in another case', 'CAFÉ notes'],
    ['with a no-break space', 'Café\u00a0Notes'],
    ['with more spaces', '  Café \t Notes '],
    ['in full-width letters', 'Ｃａｆé Ｎｏｔｅｓ'],
    ['with the accent as a character of its own', 'Cafe\u0301 Notes'],
  ])('%s', async (_, spelling) => {
    expect(await users[user]?.(spelling)).toBe(true);
  });
});

test.each(['Email', ' EMAIL ', 'ｅmail'])(
  'columns of members and decisions in any spelling: %j',
  async (column) => {
    const rows = await parseRows(`${column},Decision \nada@acme.example,keep\n`, 'review.csv');
    expect(namesIn(rows).names.map(({ text }) => text)).toEqual(['ada@acme.example']);
    expect(decisionsIn(rows).decided.map(({ decision }) => decision)).toEqual([{ is: 'keep' }]);
  },
);

test('of two names that differ in case, the one as typed is meant', async () => {
  const teams = [
    { id: 't1', title: 'docs' },
    { id: 't2', title: 'Docs' },
  ];
  const two = {
    async *call() {
      yield* teams;
    },
  } as unknown as Client;
  const found = await findAllByTitle(two, resources.team, ['Docs', 'docs'], { organizationId: 'o1' });
  expect([...found.values()].map(({ id }) => id)).toEqual(['t2', 't1']);
});

test('names that only look alike are others', () => {
  expect(nameKey('Cafe Notes')).not.toBe(nameKey(name));
  expect(nameKey('CaféNotes')).not.toBe(nameKey(name));
});

test('emails are the same in any case, and no address in other letters is', () => {
  expect(sameEmail('Ada@Acme.example', ' ada@acme.example')).toBe(true);
  expect(sameEmail('ａda@acme.example', 'ada@acme.example')).toBe(false);
  expect(sameEmail(undefined, undefined)).toBe(false);
  expect(emailKey('ADA@ACME.EXAMPLE')).toBe('ada@acme.example');
});

describe('a search', () => {
  test.each([
    ['cafe', 'Café Notes'],
    ['ΣΟΦΟΣ', 'σοφός'],
    ['file', 'ﬁle'],
    ['Ａcme', 'acme'],
  ])('finds %j in %j', (typed, text) => {
    expect(searchKey(text)).toContain(searchKey(typed));
  });

  test('keeps the marks of scripts where they are vowels', () => {
    expect(searchKey('की')).not.toBe(searchKey('क'));
  });

  test('has a key that is made up of those of the characters', () => {
    const text = 'Ünïcode: ﬁ, ½, Σίσυφος, 한글, 😀';
    expect([...text].map(searchKey).join('')).toBe(searchKey(text));
  });

  test('completes ids by words of titles, whatever their accents', () => {
    const ids = [{ word: 's1', note: 'Le Café' }];
    expect(namedBy('caf', ids).candidates).toEqual(ids);
    expect(namedBy('CAFE', ids).candidates).toEqual(ids);
    expect(namedBy('af', ids).candidates).toEqual([]);
  });
});

test.each([
  ['Café & Bar', {}, 'cafe-bar'],
  ['--1.0 (beta)', {}, '1-0-beta'],
  ['日本', {}, ''],
  ['日本 2', { others: /[^\p{L}\p{N}]+/gu }, '日本-2'],
  ['a bc', { most: 2 }, 'a'],
])('the slug of %j with %j is %j', (text, options, expected) => {
  expect(slug(text, options)).toBe(expected);
});

test('the anchor of a heading', () => {
  expect(anchor('What `docs` does: Überblick')).toBe('what-docs-does-überblick');
});

/** Words for the shells of Linux and macOS; those of Windows are in files/windows.test.ts. */

test.each([
  ['plan.json', 'plan.json'],
  ['My Files/a.json', "'My Files/a.json'"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('%s is %s', (text, word) => {
  expect(shellWord(text, 'linux')).toBe(word);
});
