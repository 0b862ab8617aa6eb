import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { openSandbox, seedId, type TestSandbox } from '../sandbox/client.js';
import { freshHome, type Home } from './program.js';

/** The program under a policy, in processes of its own. */

let sandbox: TestSandbox;
let control: SandboxControl;
let home: Home;
beforeAll(async () => {
  sandbox = await openSandbox();
  control = await openControl(sandbox.file, sandbox.outside.io);
  home = freshHome({ DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token });
});
afterAll(async () => {
  home.remove();
  control.close();
  await sandbox.close();
});

function policy(text: string): string {
  const path = join(home.path, 'policy.yaml');
  writeFileSync(path, `version: 1\n${text}`);
  return path;
}

const org = seedId('org acme');
const people = ['bruno', 'chiara', 'deniz', 'emil', 'farah', 'goran'].map((name) => seedId(`user ${name}`));
const updateLine = (ids: readonly string[]) => ['members', 'update', ...ids, '--role', 'read', '--org', org];

describe('a budget', () => {
  it('is never exceeded by processes at once', async () => {
    const env = { DOCS_POLICY: policy('default: allow\nbudget: { writes: 3/day }\n') };
    const jobs = people.map((id) => home.run([...updateLine([id]), '--yes', '--json'], { env }));
    const codes = (await Promise.all(jobs)).map(({ code }) => code).sort();
    expect(codes).toEqual([0, 0, 0, 5, 5, 5]);
    const further = await home.run([...updateLine([people[0] ?? '']), '--yes', '--json'], { env });
    expect(JSON.parse(further.stderr)).toMatchObject({
      error: { code: 'policy_denied', exitCode: 5, details: { rule: 'budget writes: 3/day', line: 3 } },
    });
  });
});

describe('a denial', () => {
  it('is told with the file, the line and what may be run instead', async () => {
    const path = policy('allow: [read]\nask: []\ndeny: ["spaces delete"]\n');
    const words = ['spaces', 'delete', seedId('space welcome'), '--yes', '--policy', path];
    const { code, stdout, stderr } = await home.run(words);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('docs spaces delete');
    expect(stderr).toContain(`${path}:4`);
    expect(stderr).toContain('docs policy explain');
    const explained = await home.run(['policy', 'explain', '--policy', path]);
    expect(explained.code).toBe(0);
    expect((await home.run(['audit', 'list'])).stdout).toContain('spaces delete');
  });
});
