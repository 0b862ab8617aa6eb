import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, type Home } from './program.js';

/** `docs openapi publish` as its users run it, against the sandbox, which takes its time. */

let home: Home;
beforeAll(() => {
  home = freshHome();
  writeFileSync(
    join(home.path, 'petstore.yaml'),
    'openapi: 3.1.0\ninfo: { title: Petstore, version: "1" }\n',
  );
});
afterAll(() => home.remove());

interface Result {
  id: string;
  status: string;
  version: string;
  processingState: string;
}

test('a file becomes a version, is skipped when it is the same, and fails when it is no spec', async () => {
  const publish = ['--sandbox', 'openapi', 'publish', 'petstore'];
  const created = await home.json<Result>([...publish, 'petstore.yaml', '--create']);
  expect(created).toMatchObject({ id: 'petstore', status: 'created', processingState: 'complete' });
  const versions = await home.ok(['--sandbox', 'openapi', 'versions', 'list', 'petstore', '-o', 'id']);
  expect(versions).toBe(`${created.version}\n`);

  const json = '{"info":{"version":"1","title":"Petstore"},"openapi":"3.1.0"}';
  const again = await home.run([...publish, '-', '--skip-unchanged'], { stdin: json });
  expect(again).toMatchObject({ code: 0, stdout: `petstore\tunchanged\t${created.version}\n` });

  const failed = await home.run([...publish, '-'], { stdin: 'hello' });
  expect(failed).toMatchObject({ code: 18, stdout: '' });
  expect(failed.stderr).toContain('PARSE_ERROR');
  expect((await home.run(['--sandbox', 'openapi', 'wait', 'petstore'])).code).toBe(18);
  expect(await home.ok(['--sandbox', 'openapi', 'get', 'petstore', '--jq', '.lastVersion'])).toBe(
    `${created.version}\n`,
  );
}, 120_000);
