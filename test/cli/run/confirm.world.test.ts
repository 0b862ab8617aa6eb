import { describe, expect, it } from 'vitest';
import { opened } from '../../opened.js';
import { openGateWorld } from '../../policy/gate-world.js';
import { seedId } from '../../sandbox/client.js';

/** What is asked before it is sent. */

const world = opened(openGateWorld);

describe('a DELETE of docs api', () => {
  const path = `/v1/orgs/${seedId('org acme')}/teams/${seedId('team writers')}`;

  it('is refused without --yes where nobody can be asked, and nothing is sent', async () => {
    const { code, error, stdout, sent } = await world.run(['api', 'DELETE', path]);
    expect({ code, stdout, sent }).toEqual({ code: 2, stdout: '', sent: [] });
    expect(error).toMatchObject({
      code: 'not_confirmed',
      message: expect.stringContaining(`confirmation required to DELETE ${path}`),
    });
  });

  it('is sent with --yes', async () => {
    const { code, writes } = await world.run(['api', 'DELETE', path, '--yes']);
    expect({ code, writes }).toEqual({ code: 0, writes: [`DELETE ${path}`] });
  });
});
