import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateSpace } from '../../src/api/resources/spaces.js';
import { run } from '../../src/main.js';
import { widthOf } from '../../src/output/text-width.js';
import { type ImpactWorld, openImpactWorld } from '../access/impact/world.js';
import { startGateway } from '../e2e/gateway.js';
import { fakeIo } from '../fake-io.js';
import { seedId } from '../sandbox/client.js';

/** `docs impact`: what a person sees, and what a script can branch on. */

let world: ImpactWorld;
let home: string;
beforeAll(async () => {
  world = await openImpactWorld();
  home = mkdtempSync(join(tmpdir(), 'docs-impact-'));
});
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

const guide = seedId('space guide');

async function impact(
  words: readonly string[],
  { role = 'admin', terminal = false, url = world.sandbox.url } = {},
) {
  const { tokens, organizationId } = world.sandbox;
  const DOCS_TOKEN = tokens.find(({ name }) => name === role)?.token ?? '';
  const env = { HOME: home, DOCS_BASE_URL: url, DOCS_TOKEN, DOCS_ORG: organizationId };
  const io = fakeIo({ env, cwd: home, ...(terminal && { terminals: ['stdout'] }) });
  const code = await run(['impact', ...words], io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

describe('what the platform will refuse', () => {
  const site = seedId('site docs');
  const api = seedId('section docs API');
  const words = ['rename', 'section', api, '--site', site, '--path', 'guides'];

  it('is said first, and exits 17; no one is asked about access', async () => {
    const { code, stdout, stderr } = await impact(words);
    expect(code).toBe(17);
    expect(stdout.split('\n').slice(2, 4)).toEqual([
      'The platform will refuse it (1)',
      '  Guides  The path guides is that of Guides; the platform refuses it.',
    ]);
    expect(stdout).not.toContain('Items that name it, use it, or are deleted with it');
    expect(stderr).toContain('error: the platform will refuse it: The path guides is that of Guides;');
    const csv = await impact([...words, '-o', 'csv']);
    expect(csv.stdout.split('\n')[1]).toMatch(/^dependent,clash,/);
    const json = await impact([...words, '--only', 'urls', '--json']);
    expect([json.code, JSON.parse(json.stdout).dependents]).toMatchObject([17, [{ refused: true }]]);
  });

  it('is nothing where the path is free', async () => {
    const { code, stdout } = await impact([...words.slice(0, -1), 'free']);
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing else names it or uses it.');
  });
});

describe('what it prints', () => {
  it('counts and the first few of each on a terminal of 80 columns', async () => {
    const { code, stdout } = await impact(['delete', 'space', guide], { terminal: true });
    expect(code).toBe(0);
    expect(stdout).toContain(`Deleting space Product Guide (${guide})`);
    expect(stdout).toContain('Published URLs that stop working (10)');
    expect(stdout).toContain('docs.acme.example/guides/guide/ and 4 more');
    expect(stdout).toContain('To see all, add -o csv');
    for (const line of stdout.split('\n'))
      if (!line.includes('https:')) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it('where something goes by its title', async () => {
    const [labs, product] = [seedId('org labs'), seedId('collection product')];
    const moved = await impact(['move', 'space', guide, '--parent', product, '--only', 'links']);
    expect(moved.stdout).toContain(
      `Moving space Product Guide (${guide}) to collection Product (${product})\n`,
    );
    const left = await impact(['transfer', 'space', guide, '--to-org', labs, '--only', 'links']);
    expect(left.stdout).toContain(`(${guide}) to organization Acme Labs (${labs})\n`);
    const json = await impact(['move', 'space', guide, '--parent', product, '--only', 'links', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ target: { id: product, title: 'Product' } });
  });

  it('every address as a row, and as JSON', async () => {
    const { stdout } = await impact(['delete', 'space', guide, '--only', 'urls', '-o', 'csv']);
    expect(stdout.trim().split('\n')).toHaveLength(11);
    expect(stdout).toContain('https://docs.acme.example/guides/guide/concepts/projects');
    const json = await impact(['delete', 'space', guide, '--only', 'urls', '--json']);
    const printed = JSON.parse(json.stdout);
    expect(printed.urls).toHaveLength(10);
    expect(printed.looked).toEqual(['urls']);
    expect(printed.question).toEqual({ action: 'delete', things: [{ object: 'space', id: guide }] });
  });

  it('Markdown in which no text of the platform is markup', async () => {
    const title = '<img src=x> @ada [a](b) | c';
    await world.sandbox.admin.ok(updateSpace, { path: { spaceId: guide }, body: { title } });
    const words = ['delete', 'space', guide, '--no-people'];
    const { code, stdout: text } = await impact([...words, '-o', 'markdown']);
    expect(code).toBe(0);
    expect(text).not.toMatch(/<img|\[a\]\(b\)|@ada/);
    expect(text).toContain('**Published URLs that stop working (10)**');
    const body = { title: 'Product Guide' };
    await world.sandbox.admin.ok(updateSpace, { path: { spaceId: guide }, body });
  });
});

describe('where the platform shows a collection that is in itself', () => {
  const [product, internal] = [seedId('collection product'), seedId('collection internal')];

  it.each([
    ['another can move into it', ['move', 'collection', product, '--parent', internal]],
    ['it can be deleted', ['delete', 'collection', internal]],
  ])('%s', async (_, words) => {
    const gateway = await startGateway(world.sandbox.url);
    gateway.rewrite = (line, text) => {
      if (!line.includes('/collections?')) return text;
      const { items, ...rest } = JSON.parse(text) as { items: { id: string }[] };
      const all = items.map((one) => (one.id === internal ? { ...one, parent: internal } : one));
      return JSON.stringify({ ...rest, items: all });
    };
    try {
      const { url } = gateway;
      const { code, stdout } = await impact([...words, '--only', 'dependents', '--json'], { url });
      expect({ code, clashes: stdout.includes('"clash"') }).toEqual({ code: 0, clashes: false });
      expect(gateway.requests.join()).toContain('/collections?');
    } finally {
      await gateway.close();
    }
  });
});

describe('what is not there', () => {
  it.each([
    ['the thing itself', ['delete', 'space', 'nope'], 'docs spaces list'],
    ['the new place', ['move', 'space', guide, '--parent', 'nope'], 'docs collections list'],
    [
      'the site, which is not the thing itself',
      ['delete', 'section', 'nope', '--site', 'none'],
      'docs auth status',
    ],
  ])('%s: the hint lists its kind, if it was named', async (_, words, hint) => {
    const { code, stderr } = await impact([...words, '--json']);
    expect({ code, error: JSON.parse(stderr).error }).toMatchObject({ code: 6, error: { hint } });
  });
});

describe('what it names', () => {
  it('people whose access may change, where no change is certain', async () => {
    const words = ['delete', 'team', seedId('team writers'), '--only', 'people'];
    const { stdout } = await impact(words);
    expect(stdout).toContain('People whose access may change');
    expect(stdout).not.toContain('People whose access changes');
    expect((await impact([...words, '-o', 'markdown'])).stdout).toContain('People whose access may change');
    const certain = await impact(['delete', 'space', seedId('space board'), '--only', 'people']);
    expect(certain.stdout).toContain('People whose access changes');
  });
});

describe('a new title', () => {
  const team = seedId('team writers');
  const rename = ['rename', 'team', team, '--title'];

  it('says so where nothing holds the title, in every format', async () => {
    const words = [...rename, 'Authors'];
    const { code, stdout } = await impact(words, { terminal: true });
    expect(code).toBe(0);
    expect(stdout).toContain(`Renaming team Writers (${team}) to "Authors"`);
    expect(stdout).toContain('Links use ids, and no address contains the title.');
    expect(stdout).toContain('No other team found with this title.');
    const markdown = await impact([...words, '-o', 'markdown']);
    expect(markdown.stdout).toContain('Links use ids, and no address contains the title.');
    const { stdout: json } = await impact([...words, '--json']);
    expect(JSON.parse(json)).toMatchObject({ question: { to: { title: 'Authors' } }, dependents: [] });
    expect((await impact([...words, '-o', 'csv'])).code).toBe(0);
  });

  it('an organization, whose hostname is that of its title', async () => {
    const { organizationId } = world.sandbox;
    const { stdout } = await impact(['rename', 'org', organizationId, '--title', 'Ajax', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ unknown: [], urls: [], dependents: [] });
  });

  it('the same as now: nothing to do', async () => {
    const { code, stdout } = await impact([...rename, 'Writers']);
    expect(code).toBe(0);
    expect(stdout).toContain(`The title of team ${team} is the same as now.`);
    expect(stdout).not.toContain('No ');
  });

  it('a space: the sites that show it, and --fail-on for a title that another has', async () => {
    const space = ['rename', 'space', guide, '--title'];
    const { code, stdout, stderr } = await impact([...space, 'Welcome', '--fail-on', 'dependents']);
    expect(code).toBe(17);
    expect(stdout).toContain('It then has the same title');
    expect(stdout).toContain('so Product Guide becomes Welcome there.');
    expect(stderr).toContain('found ');
  });

  it.each([
    ['too long', ['rename', 'space', guide, '--title', 'x'.repeat(51)], '--title must be'],
    ['empty', [...rename, ''], '--title must be'],
    ['of what has none', ['rename', 'site-space', 'p1', '--site', 'w1', '--title', 'X'], '--title is for'],
    ['of a SAML provider', ['rename', 'saml', 'i1', '--title', 'X'], '--title is for'],
    ['none given', ['rename', 'space', guide], '--title is required'],
  ])('%s is refused before anything is read', async (_, words, message) => {
    const ran = await impact(words);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});

describe('what a script can branch on', () => {
  it('--fail-on exits 17 where one of the aspects was found', async () => {
    const { code, stderr } = await impact([
      'delete',
      'space',
      guide,
      '--only',
      'links,urls',
      '--fail-on',
      'links,urls',
    ]);
    expect(code).toBe(17);
    expect(stderr).toContain('found 10 URLs');
    const none = await impact(['delete', 'team', seedId('team writers'), '--fail-on', 'links']);
    expect(none.code).toBe(0);
  });

  it('what the token cannot read is told, and exits 3', async () => {
    const { code, stdout, stderr } = await impact(['delete', 'team', seedId('team writers')], {
      role: 'read',
    });
    expect(code).toBe(3);
    expect(stdout).toContain('Could not be read');
    expect(stdout).not.toContain("No one's access changes.");
    expect(stderr).toContain('could not be read, so more may break than is shown');
  });

  it('--fail-on exits 17 where the token cannot read all', async () => {
    const words = ['delete', 'team', seedId('team writers'), '--fail-on', 'dependents,people'];
    const { code, stderr } = await impact(words, { role: 'read' });
    expect(code).toBe(17);
    expect(stderr).toMatch(/found .*; \d+ reads? failed/);
  });

  it.each([
    ['an unknown id', ['delete', 'space', 'nothing-like-this'], 6],
    ['an unknown kind', ['delete', 'page', 'p1'], 2],
    ['an unknown aspect', ['delete', 'space', guide, '--only', 'pages'], 2],
    ['a flag of another kind', ['rename', 'site', 'w1', '--path', 'x'], 2],
    ['nothing to rename to', ['rename', 'site', 'w1'], 2],
    ['nowhere to move to', ['move', 'space', guide], 2],
    [
      'failing on what is not looked for',
      ['delete', 'space', guide, '--no-people', '--fail-on', 'people'],
      2,
    ],
    ['a section without its site', ['delete', 'section', 'n1'], 2],
  ])('%s', async (_, words, code) => {
    const ran = await impact(words);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toMatch(/^error: /);
  });

  it.each([
    ['docs spaces list', ['delete', 'space', 'nosuch']],
    ['docs sites list', ['delete', 'site', 'nosuch']],
    ['docs custom-fields list', ['delete', 'custom-field', 'nosuch']],
    ['docs collections list', ['move', 'space', guide, '--parent', 'nosuch']],
    ["docs impact delete space 'No Such' --by-title", ['delete', 'space', 'No Such']],
  ])('what is not there names the command that finds it: %s', async (command, words) => {
    const { stderr } = await impact(words);
    expect(stderr).toContain(`  Try: ${command}\n`);
  });
});
