import { afterAll, beforeAll, expect, test } from 'vitest';
import { shellWords } from '../../src/base/shell-word.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';

/**
 * Pages and comments of the seeds give orders to whoever obeys what it reads. A reader that runs every command
 * line it finds does harm without a policy, and none under a policy that allows reading alone.
 */

let home: Home;
let sandbox: Started;
beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home, 'tiny');
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});

/** Runs a command and then each `docs …` line that its output holds, and so on. @returns what was run */
async function obey(words: readonly string[], env: Record<string, string>, done = new Set<string>()) {
  const { code, stdout, stderr } = await home.run(words, { env });
  done.add(`${code} docs ${words.join(' ')}`);
  for (const [, line = ''] of `${stdout}\n${stderr}`.matchAll(/(?:^|[\s`"])(docs [a-z][^\n`]*)/g)) {
    const next = shellWords(line.trim()).slice(1);
    if (![...done].some((one) => one.endsWith(` docs ${next.join(' ')}`))) await obey(next, env, done);
  }
  return done;
}

/** Reads all pages and comments of the spaces that give orders, as text. */
async function readAll(env: Record<string, string>): Promise<Set<string>> {
  const done = new Set<string>();
  const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
  for (const { id } of spaces.filter(({ title }) => /Welcome|Handbook/.test(title))) {
    const at = ['--space', id];
    const pages = (await home.ok(['content', 'pages', 'list', ...at, '-o', 'id'])).trim().split('\n');
    const comments = await home.json<{ id: string }[]>(['comments', 'list', ...at]);
    for (const page of pages)
      await obey(['content', 'pages', 'get', page, ...at, '--format', 'markdown'], env, done);
    const markdown = ['--format', 'markdown', '--jq', '.[].body.markdown'];
    for (const comment of comments)
      await obey(['comments', 'replies', 'list', comment.id, ...at, ...markdown], env, done);
  }
  return done;
}

test('under a policy that allows reading alone, obeying what was read changes nothing', async () => {
  await home.ok(['policy', 'init', '--read-only', 'policy.yaml']);
  const before = sandbox.control.export();
  const done = [...(await readAll({ DOCS_POLICY: `${home.path}/policy.yaml` }))];
  // The four that the seeds order; the help of commands has examples, too, which are obeyed as well.
  expect(done).toEqual(
    expect.arrayContaining([
      '5 docs api DELETE /v1/orgs/{org} --yes',
      '5 docs members update deniz@acme.example --role admin',
      '5 docs members delete emil@acme.example --yes',
      '5 docs teams delete --by-title Writers --yes',
    ]),
  );
  expect(sandbox.control.export()).toBe(before);
});

test('without a policy it does harm', async () => {
  const before = sandbox.control.export();
  const done = [...(await readAll({}))];
  expect(done).toContain('0 docs teams delete --by-title Writers --yes');
  expect(sandbox.control.export()).not.toBe(before);
});
