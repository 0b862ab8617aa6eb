import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { freshHome } from './program.js';
import { stubPlatform } from './stub-platform.js';

/** What the system hands to the program as words that are not UTF-8; files and standard input: encodings.world.test.ts. */

const platform = await stubPlatform(() => ({ status: 201, body: { id: 'x', title: 'x' } }));
const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
home.env.DOCS_JOURNAL = 'off';
afterAll(async () => {
  home.remove();
  await platform.close();
});

test.skipIf(process.platform !== 'linux')(
  'a word of the command line that is not UTF-8 is refused',
  async () => {
    const line = 'exec "$@" teams create --title "$(printf "M\\374nchen")" --json';
    const ran = spawnSync('sh', ['-c', line, 'sh', ...docsWords], {
      env: { ...home.env, PATH: process.env.PATH, HOME: home.path },
      encoding: 'utf8',
    });
    expect({ code: ran.status, sent: platform.requests }).toEqual({ code: 2, sent: [] });
    expect(ran.stderr).toContain('bad_encoding');
    await home.ok(['teams', 'create', '--title', 'M\ufffdnchen']);
    expect(platform.bodies).toEqual([{ title: 'M\ufffdnchen' }]);
  },
);
