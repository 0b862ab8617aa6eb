import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Holder, Pair } from '../../../src/access/person.js';
import { run } from '../../../src/main.js';
import { fakeIo } from '../../fake-io.js';
import { cellOf, pageData, rowsOf } from '../../reports/page-data.js';
import { accessWorldOfFile, org, person, space } from '../access-world.js';

/** `docs access matrix --html`: the page has what the matrix says, and why. */

const world = await accessWorldOfFile();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-matrix-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const docs = (...words: string[]) => world.docs(['access', 'matrix', ...words], { home });
const page = () => pageData(join(home, 'access.html'));
const html = ['--html', 'access.html'];

describe('the page', () => {
  test('has the role of each pair, and what gives it', async () => {
    const without = await docs('--json');
    const ran = await docs('--json', ...html);
    expect(ran).toMatchObject({ code: 0, stdout: without.stdout });
    expect(ran.stderr).toMatch(/^Wrote access\.html \([\d.]+ kB\)\.\n7 people, 5 spaces\.\n$/);
    const { title, parts, missing, facts, about } = page();
    expect({ title, missing }).toEqual({ title: 'Access matrix of Acme Docs', missing: [] });
    expect(about.join()).toContain('7 people by 5 spaces');
    expect(facts).toEqual({ Organization: `Acme Docs (${org})`, Platform: world.gateway.url });
    const levels = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'];
    expect(parts[0]).toMatchObject({ levels, aside: 0 });
    const granted =
      'Granted to them or to a team of theirs. Organization role and default levels alone give read.';
    for (const [who, where, ...why] of [
      ['Ada Okafor', 'Board Notes', 'admin', 'An admin of the organization has admin everywhere.'],
      ['Chiara Rossi', 'API Reference', 'edit', granted],
      ['Farah Haddad', 'API Reference', 'read', expect.stringMatching(/^Organization role and default lev/)],
      ['Goran Novak', 'API Reference', 'none', 'No access: guests get access from grants alone.'],
    ])
      expect(cellOf(parts, who, where)).toEqual(why);
  });

  test('agrees with the reasons of `access who` and the rows of the matrix', async () => {
    await docs(...html);
    const { parts } = page();
    for (const { person: who, space: where, role } of await world.json<Pair[]>(['access', 'matrix']))
      expect(cellOf(parts, who.displayName, where.title)[0]).toBe(role ?? 'none');
    const begins: Record<string, string> = {
      admin: 'An admin',
      default: 'Organization role and default levels explain it',
      granted: 'Granted',
    };
    const words = ['access', 'who', ...['api', 'board', 'handbook'].map(space)];
    for (const { person: who, space: where, via } of await world.json<Holder[]>(words))
      expect(cellOf(parts, who.displayName, where.title)[1]).toContain(begins[via]);
  });

  test('counts the roles of people and of spaces', async () => {
    await docs(...html);
    const { parts } = page();
    expect(rowsOf(parts, 'People').find((row) => row.ID === person('chiara'))).toEqual({
      ...{ Person: 'Chiara Rossi', Email: 'chiara@acme.example', ID: person('chiara') },
      ...{
        'Organization role': 'review',
        Admin: 0,
        Create: 0,
        Review: 2,
        Edit: 2,
        Comment: 1,
        Read: 0,
        None: 0,
      },
    });
    expect(rowsOf(parts, 'Spaces').find((row) => row.ID === space('api'))).toMatchObject({
      ...{ Space: 'API Reference', Collection: 'Product', 'Default level': 'read' },
      ...{ Admin: 1, Edit: 2, None: 1 },
    });
  });

  test('shows no other roles than those asked for', async () => {
    await docs('--role', 'admin', ...html);
    const { parts, about } = page();
    expect(about.join('\n')).toContain('Only these roles were asked for: admin. Other pairs are not shown.');
    expect(rowsOf(parts, 'People')).toEqual([expect.objectContaining({ Person: 'Ada Okafor', Admin: 5 })]);
    await docs('--role', 'edit', '--space', space('api'), '--space', space('board'), ...html);
    const narrow = page();
    expect(cellOf(narrow.parts, 'Chiara Rossi', 'API Reference')[0]).toBe('edit');
    expect(cellOf(narrow.parts, 'Deniz Yıldız', 'Board Notes')).toEqual(['not shown', 'Left out by --role.']);
    expect(narrow.parts[0]).toMatchObject({ aside: 1 });
  });
});

describe('a matrix that is not whole', () => {
  test('is written, says what is missing, and exits 3', async () => {
    world.refuse(new RegExp(`members/${person('farah')}/spaces`));
    const ran = await docs(...html);
    expect(ran.code).toBe(3);
    const { missing, parts } = page();
    expect(missing).toEqual([
      expect.stringContaining(`member spaces farah@acme.example (${person('farah')})`),
    ]);
    expect(cellOf(parts, 'Farah Haddad', 'Board Notes')).toEqual([
      'unknown',
      'The spaces of this person could not be read.',
    ]);
    expect(parts[0]).toMatchObject({ aside: 1 });
    expect(rowsOf(parts, 'People').map((row) => row.Unknown)).toEqual([0, 5, 0, 0, 0, 0, 0]);
  });

  test('is drawn without the title of the organization where that cannot be read', async () => {
    world.refuse(new RegExp(`GET /v1/orgs/${org}$`), 403);
    expect((await docs(...html)).code).toBe(0);
    expect(page().title).toBe(`Access matrix of ${org}`);
  });

  test('is not written where nobody can be read', async () => {
    world.refuse(/\/members(\?|$)/);
    expect((await docs(...html)).code).not.toBe(0);
    expect(existsSync(join(home, 'access.html'))).toBe(false);
  });
});

test('says that there is no page where the reader of the output left', async () => {
  const { gateway, sandbox } = world;
  const env = { DOCS_BASE_URL: gateway.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: org, HOME: home };
  const io = fakeIo({ env, cwd: home });
  io.stdout.failWith = 'EPIPE';
  expect(await run(['access', 'matrix', ...html], io)).toBe(0);
  expect(io.stderr.text).toBe('Did not write access.html: not all of it was read.\n');
  expect(existsSync(join(home, 'access.html'))).toBe(false);
});

describe('refusals', () => {
  test('another file stays, and nothing is asked of the platform', async () => {
    writeFileSync(join(home, 'access.html'), 'mine');
    const before = world.gateway.requests.length;
    const ran = await docs(...html);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('access.html already exists and is not a report of docs');
    expect(world.gateway.requests).toHaveLength(before);
    expect(readFileSync(join(home, 'access.html'), 'utf8')).toBe('mine');
  });

  test('a page of part of the rows is a contradiction; a dry run writes none', async () => {
    expect((await docs('--limit', '2', ...html)).stderr).toContain(
      '--html and --limit contradict each other',
    );
    const dry = await docs('--dry-run', ...html);
    expect(dry).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Dry run: did not write access.html.'),
    });
    expect(existsSync(join(home, 'access.html'))).toBe(false);
  });
});
