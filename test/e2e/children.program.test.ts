import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** Other programs can read the environment of a process: none that docs starts holds a credential. */

const token = 'canary-token-of-the-parent';
let home: Home;
let platform: StubPlatform;

beforeEach(async () => {
  platform = await stubPlatform((_, { pathname }) => ({
    body: pathname.endsWith('/teams')
      ? { items: [{ object: 'team', id: 'team-1', title: 'Writers' }] }
      : { object: 'space', id: 's1', title: 'Space', urls: { app: 'https://127.0.0.1/s/s1' } },
  }));
  home = freshHome({
    DOCS_TOKEN: token,
    DOCS_BASE_URL: platform.url,
    DOCS_ORG: 'o1',
    DOCS_OLD_PASSWORD: `${token}-2`,
    GITHUB_TOKEN: `${token}-3`,
    HTTPS_PROXY: `http://ann:${token}@proxy.test:3128`,
  });
});
afterEach(async () => {
  await platform.close();
  home.remove();
});

async function appears(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, 'utf8') === '')
    await new Promise((resolve) => setTimeout(resolve, 20));
  return readFileSync(path, 'utf8');
}

describe.skipIf(process.platform !== 'linux')('a child of docs has no credentials', () => {
  it('the server of the sandbox, which gets the policy', async () => {
    writeFileSync(join(home.path, 'agent.yaml'), 'version: 1\ndefault: allow\n');
    home.env.DOCS_POLICY = join(home.path, 'agent.yaml');
    const { pid } = await home.json<{ pid: number }>(['sandbox', 'start']);
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
    await home.ok(['sandbox', 'stop']);
    expect(environ).toContain(`HOME=${home.path}`);
    expect(environ).not.toContain(token);
    expect(environ.split('\0')).toContain(`DOCS_POLICY=${join(home.path, 'agent.yaml')}`);
  });

  it('the browser', async () => {
    const bin = join(home.path, 'bin');
    mkdirSync(bin);
    const opener = join(bin, 'xdg-open');
    writeFileSync(
      opener,
      `#!/bin/sh\nenv > "${home.path}/env.part"\nmv "${home.path}/env.part" "${home.path}/env"\n`,
    );
    chmodSync(opener, 0o755);
    const ran = await home.run(['open', 'space', 's1'], {
      env: { PATH: `${bin}:${home.env.PATH}`, DISPLAY: ':0' },
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const env = await appears(join(home.path, 'env'));
    expect(env).toContain(`HOME=${home.path}`);
    expect(env).not.toContain(token);
  });

  it('the refresh of completion, which signs in all the same', async () => {
    const dump = join(home.path, 'dump.cjs');
    const seen = join(home.path, 'refresh-env');
    writeFileSync(
      dump,
      `if (process.argv[2] === '__complete-ids') require('fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`,
    );
    const env = { NODE_OPTIONS: `--require ${dump}` };
    let offered = '';
    while (!offered.includes('team-1')) {
      offered = (await home.run(['__complete', 'teams', 'get', ''], { env })).stdout;
    }
    expect(await appears(seen)).not.toContain(token);
    expect(platform.requests.join('\n')).toContain('/v1/orgs/o1/teams');
  });

  it('a command of sandbox exec, but for what it is meant to have', async () => {
    const script = 'console.log(JSON.stringify(process.env))';
    const words = ['sandbox', 'exec', '--seed', 'tiny', '--', process.execPath, '-e', script];
    const printed = await home.ok(words);
    const env = JSON.parse(printed) as Record<string, string>;
    expect(env.DOCS_TOKEN).toMatch(/^sbx_/);
    expect(env.DOCS_OLD_PASSWORD).toBeUndefined();
    expect(printed).not.toContain(token);
  });
});
