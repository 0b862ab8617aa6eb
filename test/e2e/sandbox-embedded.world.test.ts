import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';

/** `--sandbox`: a platform for the length of one command. What needs processes: sandbox-embedded.program.test.ts. */

let home: Home;
beforeAll(() => {
  home = freshHome();
});
afterAll(() => home.remove());

test('what is said before a deletion names the way back in the sandbox, not on a platform', async () => {
  const [space] = await home.json<{ id: string }[]>(['--sandbox', 'spaces', 'list']);
  await home.ok(['--sandbox', 'spaces', 'delete', space?.id ?? '', '--save-plan', 'plan.json']);
  const risks = JSON.parse(await home.ok(['plan', 'show', 'plan.json', '--json'])).risks.join('\n');
  expect(risks).toContain(`docs spaces restore ${space?.id} --sandbox`);
});

test.each([
  [{ DOCS_ORG: 'another' }],
  [{ DOCS_TOKEN: 'sbx_of_a_sandbox_that_is_gone' }],
  [{ DOCS_TOKEN: 'token-of-the-real-platform', DOCS_BASE_URL: 'https://docs.example' }],
  [{ DOCS_PROFILE: 'unknown' }],
])('%j does not override --sandbox', async (env) => {
  expect(await home.run(['--sandbox', 'orgs', 'get', '--jq', '.title'], { env })).toEqual({
    ...{ code: 0, signal: null, stderr: '', stdout: 'Acme Docs\n' },
  });
});

test.each([
  [{ DOCS_OUTPUT: 'xml' }, [], 14],
  [{ DOCS_PAGE_SIZE: '0' }, [], 14],
  [{ DOCS_TIMEOUT: 'soon' }, [], 14],
  [{}, ['-o', 'xml'], 2],
  [{}, ['--timeout', 'soon'], 2],
  [{}, ['--json', '-o', 'csv'], 2],
  [{}, ['--fields', 'nonsense'], 2],
  [{}, ['--jq', '.['], 2],
])('%j %j is refused', async (env, flags, code) => {
  const ran = await home.run(['--sandbox', 'spaces', 'list', ...flags], { env });
  expect(ran).toMatchObject({ code, stdout: '' });
});

test('rows of docs bulk name members by email', async () => {
  const deniz = await home.json<{ id: string }>(['--sandbox', 'members', 'get', 'deniz@acme.example']);
  const words = ['--sandbox', 'bulk', 'members', 'update', '--from', '-'];
  const rows = 'user,role\nDeniz@acme.example,comment\n';
  expect(await home.ok(words, { stdin: rows })).toBe(`${deniz.id}\tok\t\n`);
  const role = ['--sandbox', 'members', 'get', deniz.id, '--jq', '.role', '-o', 'json'];
  expect(await home.ok(role)).toContain('comment');
  const unknown = await home.run(words, { stdin: `${rows}nobody@acme.example,read\n` });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Line 3: no member has the email "nobody@acme.example"');
});
