import { beforeEach, expect, it } from 'vitest';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';

/** A raw request whose path has an encoded letter is the operation that the platform reads. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const org = seedId('org acme');
const policy = 'default: allow\n';
const run = (...words: string[]) => world.run([...words, '--json'], policy, { env: { DOCS_ORG: org } });
const listed = async (...words: string[]) => JSON.parse((await run(...words)).stdout) as object[];
const encoded = `%${org.charCodeAt(0).toString(16)}${org.slice(1)}`;

it.each([`/v1/orgs/${org}/teams`, `/v1/%6Frgs/${org}/t%65ams`, `/v1/orgs/${encoded}/teams`])(
  'PUT %s has a journal, can be undone, and is in the audit log',
  async (path) => {
    const teams = await listed('teams', 'list');
    expect((await run('api', 'PUT', path, '-f', 'title=Press', '--yes')).code).toBe(0);
    expect(await listed('teams', 'list')).toHaveLength(teams.length + 1);
    expect(await listed('jobs', 'list')).toMatchObject([{ command: 'api', state: 'done' }]);
    const api = expect.objectContaining({ command: expect.stringMatching(/^api/) });
    expect(await listed('audit', 'list')).toContainEqual(api);
    expect((await run('undo', 'last', '--yes')).code).toBe(0);
    expect(await listed('teams', 'list')).toEqual(teams);
  },
);
