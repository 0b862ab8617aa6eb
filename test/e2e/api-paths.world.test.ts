import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** `docs api` with a path that the platform does not have, or not with this method. */

let home: Home;
let platform: StubPlatform;
beforeEach(async () => {
  platform = await stubPlatform(() => undefined);
  home = freshHome({
    DOCS_BASE_URL: platform.url,
    DOCS_TOKEN: 'secret',
    DOCS_ORG: 'o1',
    DOCS_JOURNAL: 'off',
  });
});
afterEach(async () => {
  home.remove();
  await platform.close();
});

const list = `docs commands --jq '[.[].operations[] | .method + " " + .path] | unique[]'`;

test.each<[string[], string, string]>([
  [['/v1/orgs/o1/member'], 'The API has no such path. Did you mean /v1/orgs/{organizationId}/members?', list],
  [['/orgs'], 'The API has no such path. Did you mean /v1/orgs?', list],
  [['/spaces/s1/content?a=1'], 'Did you mean /v1/spaces/{spaceId}/content?', list],
  [['/v1/nothing/like/this/at/all/anywhere'], 'The API has no such path', list],
  [['POST', '/v1/orgs'], 'This path takes GET.', 'docs api GET /v1/orgs'],
  [['PUT', '/v1/spaces/s1/restore'], 'This path takes POST.', list],
])('%j', async (words, said, hint) => {
  const ran = await home.run(['api', ...words, '--json']);
  const { error } = JSON.parse(ran.stderr) as { error: { message: string; hint: string; status: number } };
  expect({ code: ran.code, status: error.status, hint: error.hint }).toEqual({ code: 6, status: 404, hint });
  expect(error.message).toContain(said);
});

test.each(['/v1//spaces/s1', '/v1/spaces/s1/', '/v1/%73paces//s1', '/v1/Spaces/s1', '/V1/spaces/s1'])(
  'a change of %s, which a server may read as an operation, is not sent',
  async (path) => {
    const ran = await home.run(['api', 'PATCH', path, '-f', 'title=x', '--yes', '--json']);
    const { error } = JSON.parse(ran.stderr) as { error: object };
    expect({ exit: ran.code, ...error }).toMatchObject({
      exit: 2,
      code: 'bad_path',
      hint: list,
      outcome: 'not-sent',
    });
    expect(platform.requests).toEqual([]);
  },
);

test.each([
  '/v1/spaces%2Fs1',
  '/v1/spaces/s1;x=1/restore',
  '/v1/%2573paces/s1',
  '/v1/spaces/%2e%2e/orgs',
  '/v1/spaces/s%00/x',
])('a change of %s, which servers read in several ways, is not sent', async (path) => {
  const ran = await home.run(['api', 'POST', path, '-f', 'title=x', '--yes', '--json']);
  const { error } = JSON.parse(ran.stderr) as { error: object };
  expect({ exit: ran.code, ...error }).toMatchObject({ exit: 2, code: 'bad_path', outcome: 'not-sent' });
  expect(platform.requests).toEqual([]);
});

test('the id of a space may have any letter, percent-encoded or not', async () => {
  for (const path of ['/v1/spaces/S1', '/v1/%73paces/S%31'])
    expect((await home.run(['api', 'PATCH', path, '-f', 'title=x', '--yes'])).code).toBe(6);
  expect(platform.requests).toEqual(['PATCH /v1/spaces/S1', 'PATCH /v1/%73paces/S%31']);
});

test('the hint prints the paths, and a path that is known keeps its own', async () => {
  const paths = await home.ok(['commands', '--jq', '[.[].operations[] | .method + " " + .path] | unique[]']);
  expect(paths.split('\n')).toContain('GET /v1/orgs/{organizationId}/members');
  const ran = await home.run(['api', '/v1/spaces/s1']);
  expect(ran.code).toBe(6);
  expect(ran.stderr).not.toContain('no such path');
});

test('only a GET request has pages', async () => {
  const ran = await home.run(['api', 'POST', '/v1/orgs', '--paginate']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('--paginate is for GET requests');
});
