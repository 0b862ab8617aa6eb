import { expect, test } from 'vitest';
import { freshHome } from '../e2e/program.js';
import { stubPlatform } from '../e2e/stub-platform.js';

test('docs open takes the space of a change request from its flag', async () => {
  const urls = { app: 'http://127.0.0.1/c1' };
  const platform = await stubPlatform(() => ({ body: { object: 'change-request', id: 'c1', urls } }));
  const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret', DOCS_ORG: 'o1' });
  const ran = await home.run(['open', 'change-request', 'c1', '--space', 's1', '--print']);
  home.remove();
  await platform.close();
  expect(ran).toMatchObject({ code: 0, stdout: `${urls.app}\n` });
  expect(platform.requests).toEqual(['GET /v1/spaces/s1/change-requests/c1']);
});
