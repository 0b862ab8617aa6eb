import { describe, expect, it } from 'vitest';
import { startRecordingPlatform } from '../cli/run/recording-platform.js';
import { opened } from '../opened.js';

/** Where one command reaches several operations, or one field has several flags. */

const platform = opened(startRecordingPlatform);

const run = (line: string, body: unknown = {}) => platform.run(line.split(' '), { status: 200, body });

it.each([
  // What the platform has for spaces only.
  [
    '--status is not available for a change request',
    'content pages links p1 --space s1 --change-request 5 --status ok',
  ],
  [
    'unknown flag "--change-request" for "docs comments replies update"',
    'comments replies update k1 r1 --space s1 --change-request 5 --body x',
  ],
  [
    '--format is not available for a space',
    'comments replies create k1 --space s1 --body x --format markdown',
  ],
  // Two flags for one field.
  [
    '--space-id and --new-space contradict each other',
    'sites create --org o1 --space-id s1 --new-space empty',
  ],
  [
    '--url and --text contradict each other',
    'openapi set petstore --org o1 --url https://a.example --text x',
  ],
  ['--resolve and --unresolve contradict each other', 'comments update k1 --space s1 --resolve --unresolve'],
  ['--url is required', 'openapi create petstore --org o1'],
  [
    '--url must be an absolute URL, not "petstore.yaml"',
    'openapi create petstore --org o1 --url petstore.yaml',
  ],
  // Moves.
  ['--before or --after is required', 'sections move x1 --org o1 --site w1'],
  ['--before or --after is required', 'site-spaces move y1 --org o1 --site w1'],
  [
    '--before must be an id, section:<id> or group:<id>, not "section:"',
    'section-groups move g1 --org o1 --site w1 --before section:',
  ],
  // A list that turned out empty.
  ['no ids given for <user>; add --allow-empty to allow that', 'members delete - --org o1 --yes'],
  // Without a terminal nobody can be asked.
  ['Add --yes', 'change-requests merge 5 --space s1'],
])('%s docs %s is refused before anything is sent', async (message, line) => {
  const { code, stderr, sent } = await run(line);
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(stderr).toContain(message);
});

describe('openapi versions', () => {
  it.each([
    ['openapi versions get petstore --org o1', '/v1/orgs/o1/openapi/petstore/versions/latest'],
    ['openapi versions get petstore latest --org o1', '/v1/orgs/o1/openapi/petstore/versions/latest'],
    ['openapi versions get petstore v1 --org o1', '/v1/orgs/o1/openapi/petstore/versions/v1'],
    [
      'openapi versions content petstore latest --org o1',
      '/v1/orgs/o1/openapi/petstore/versions/latest/content',
    ],
  ])('docs %s', async (line, path) => {
    const { code, sent } = await run(line);
    expect({ code, paths: sent.map((request) => request.path) }).toEqual({ code: 0, paths: [path] });
  });
});

describe('two flags for one field', () => {
  it.each([
    ['sites create --org o1 --new-space empty', { spaces: 'empty' }],
    ['sites create --org o1 --new-space brand-new', { spaces: 'brand-new' }],
    ['sites create --org o1 --space-id s1', { spaces: ['s1'] }],
  ])('docs %s', async (line, body) => {
    const { code, sent } = await platform.run(line.split(' '), { status: 201, body: {} });
    expect({ code, bodies: sent.map((request) => request.body) }).toEqual({ code: 0, bodies: [body] });
  });

  it('takes a specification from standard input', async () => {
    const { sent } = await platform.run(
      ['openapi', 'create', 'petstore', '--org', 'o1', '--text', '-'],
      { status: 201, body: {} },
      { stdin: 'openapi: 3.1.0\n' },
    );
    expect(sent[0]?.body).toEqual({ slug: 'petstore', source: { text: 'openapi: 3.1.0\n' } });
  });
});

describe('moves', () => {
  it('takes both neighbours, and a group by its full name', async () => {
    const { sent } = await run(
      'section-groups move g1 --org o1 --site w1 --before group:g2 --after section:x1',
    );
    expect(sent[0]?.body).toEqual({
      position: {
        before: { type: 'site-section-group', id: 'g2' },
        after: { type: 'site-section', id: 'x1' },
      },
    });
  });

  it('moves a collection to the top level', async () => {
    const { sent } = await run('collections move c1 --unset parent');
    expect(sent[0]?.body).toEqual({ parent: null });
  });
});

describe('long texts', () => {
  it('reads the body of a comment from standard input', async () => {
    const { sent } = await platform.run(
      ['comments', 'create', '--space', 's1', '--body', '-'],
      { status: 200, body: {} },
      { stdin: '# Review\n' },
    );
    expect(sent[0]?.body).toEqual({ body: { markdown: '# Review\n' } });
  });

  it('keeps an unknown value and sends it as given', async () => {
    const { sent } = await run('content import https://a.example --space s1 --source gopher');
    expect(sent).toHaveLength(1);
  });
});

describe('merging', () => {
  it.each(['merge', 'pull'])('exits 7 where %s finds conflicts, with the result on stdout', async (verb) => {
    const { code, stdout, stderr } = await run(`change-requests ${verb} 5 --space s1 --yes --json`, {
      revision: 'r1',
      result: 'conflicts',
    });
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toEqual({ revision: 'r1', result: 'conflicts' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'conflicts',
      exitCode: 7,
      outcome: 'refused',
      hint: 'docs change-requests get 5 --space s1 --fields urls.app',
    });
  });

  it('exits 0 where it merged', async () => {
    const { code, stdout } = await run('cr merge 5 --space s1 --yes', { revision: 'r2', result: 'merge' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'merge\tr2\n' });
  });
});

describe('the hint of an error', () => {
  const notFound = { status: 404, body: { error: { code: 404, message: 'not found' } } };

  it.each([
    ['comments get k1 --space s1 --change-request 5', 'docs comments list --space s1 --change-request 5'],
    ['comments replies get k1 r1 --space s1', 'docs comments replies list k1 --space s1'],
    ['sections update x1 --org o1 --site w1 --title Guides', 'docs sections list --org o1 --site w1'],
    ['openapi versions get petstore v1 --org o1', 'docs openapi versions list petstore --org o1'],
  ])('docs %s: try %s', async (line, hint) => {
    const { code, stderr } = await platform.run([...line.split(' '), '--json'], notFound);
    expect({ code, hint: JSON.parse(stderr).error.hint }).toEqual({ code: 6, hint });
  });

  it('names the parents where the outcome of a change is unknown', async () => {
    const { code, stderr } = await platform.run(
      ['teams', 'update', 'it is', '--org', 'o1', '--title', 'x', '--json', '--no-retry'],
      { status: 502 },
    );
    expect({ code, hint: JSON.parse(stderr).error.hint }).toEqual({
      code: 16,
      hint: "docs teams get 'it is' --org o1",
    });
  });

  it('does not take the organization for what was to be created', async () => {
    const { code, stderr } = await platform.run(['sites', 'create', '--org', 'o1', '--json', '--no-retry'], {
      status: 502,
    });
    const { hint, message } = JSON.parse(stderr).error;
    expect({ code, hint, message }).toEqual({
      code: 16,
      hint: 'docs api GET /v1/orgs/o1/sites',
      message: 'server error (502). The outcome is unknown: new site.',
    });
  });
});
