import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Begun, jobHome, outcomes } from './job-home.js';
import { freshHome, type Home } from './program.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';
import { stubPlatform } from './stub-platform.js';

/** `docs openapi publish` as its users run it, against the sandbox, which takes its time. */

let home: Home;
let sandbox: SandboxHere;
beforeAll(async () => {
  home = freshHome();
  sandbox = await sandboxHere(home);
  Object.assign(home.env, {
    ...{ DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: sandbox.defaults.org },
  });
  writeFileSync(
    join(home.path, 'petstore.yaml'),
    'openapi: 3.1.0\ninfo: { title: Petstore, version: "1" }\npaths: {}\n',
  );
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});

/** Once the specification has come, so much time is over that it is processed. */
async function processed<T>(running: Promise<T>): Promise<T> {
  const { control } = sandbox;
  const sent = () => control.requests().filter(({ method }) => method === 'PUT').length;
  const before = sent();
  // Seldom looks would come after the program's first few, and its next wait is a real one of ten seconds.
  await expect.poll(sent, { interval: 1 }).toBe(before + 1);
  await control.clock.shift(60_000);
  return running;
}

interface Result {
  id: string;
  status: string;
  version: string;
  processingState: string;
}

test('a file becomes a version, is skipped if unchanged, and fails if it is not a spec', async () => {
  const publish = ['openapi', 'publish', 'petstore'];
  const created = await processed(home.json<Result>([...publish, 'petstore.yaml', '--create']));
  expect(created).toMatchObject({ id: 'petstore', status: 'created', processingState: 'complete' });
  const versions = await home.ok(['openapi', 'versions', 'list', 'petstore', '-o', 'id']);
  expect(versions).toBe(`${created.version}\n`);

  const json = '{"info":{"version":"1","title":"Petstore"},"paths":{},"openapi":"3.1.0"}';
  const again = await home.run([...publish, '-', '--skip-unchanged'], { stdin: json });
  expect(again).toMatchObject({ code: 0, stdout: `petstore\tunchanged\t${created.version}\n` });

  for (const stdin of ['hello', '{"openapi": 5}', '{"openapi": "3.1.0"}']) {
    const failed = await processed(home.run([...publish, '-'], { stdin }));
    expect(failed).toMatchObject({ code: 18, stdout: '' });
    expect(failed.stderr).toContain('PARSE_ERROR');
  }
  expect((await home.run(['openapi', 'wait', 'petstore'])).code).toBe(18);
  expect(await home.ok(['openapi', 'get', 'petstore', '--jq', '.lastVersion'])).toBe(`${created.version}\n`);
});

/** Stops the program with a signal while it waits for a spec that stays pending. */
async function stoppedWith(signal: 'SIGINT' | 'SIGKILL') {
  let running: Begun | undefined;
  let isSet = false;
  const platform = await stubPlatform((method, { pathname }) => {
    if (!pathname.endsWith('/openapi/petstore')) return undefined;
    if (isSet) running?.kill(signal);
    isSet ||= method === 'PUT';
    return { body: { slug: 'petstore', processingState: isSet ? 'pending' : 'complete' } };
  });
  const waiting = jobHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
  running = waiting.begin(['openapi', 'publish', 'petstore', 'https://acme.example/petstore.yaml']);
  const ended = await running.ended;
  const [journal = ''] = waiting.journalTexts();
  await platform.close();
  waiting.remove();
  const puts = platform.requests.filter((request) => request.startsWith('PUT'));
  return { ...ended, puts, outcomes: [...outcomes(journal)] };
}

test('Ctrl-C while it waits: says that processing continues, and how to continue waiting', async () => {
  const ended = await stoppedWith('SIGINT');
  expect(ended).toMatchObject({ signal: 'SIGINT', stdout: '', outcomes: [[0, ['ok']]] });
  expect(ended.puts).toHaveLength(1);
  expect(ended.stderr).toContain('interrupted; the platform continues to process petstore');
  expect(ended.stderr).toContain('Try: docs openapi wait petstore');
  expect(ended.stderr).not.toContain('secret-token');
});

test('killed while it waits: the journal records the change as done', async () => {
  const ended = await stoppedWith('SIGKILL');
  expect(ended).toMatchObject({ signal: 'SIGKILL', outcomes: [[0, ['ok']]] });
  expect(ended.puts).toHaveLength(1);
});
