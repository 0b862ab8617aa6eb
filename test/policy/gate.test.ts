import { expect, it } from 'vitest';
import { updateMember } from '../../src/api/resources/members.js';
import { requestFor } from '../../src/jobs/request.js';
import { actorOf } from '../../src/policy/actor.js';
import { PolicyGate } from '../../src/policy/gate-of.js';
import { fakeIo } from '../fake-io.js';
import { policyOf, table } from './world.js';

/** The gate by itself; what comes of it in commands is in gate-commands and gate-jobs. */

it('an approved job lets its own requests through, and none for anything else', async () => {
  const gate = new PolicyGate({
    io: fakeIo(),
    policies: [await policyOf('default: allow\nask: ["members update"]')],
    table: await table(),
    words: 'apply',
    named: async () => undefined,
    send: async () => {
      throw new Error('nothing is read for this policy');
    },
    actor: () => actorOf({ env: {} }),
    record: async () => undefined,
  });
  const role = { role: 'read' };
  const planned = { ...requestFor(updateMember, { organizationId: 'o1', userId: 'u1' }, role), id: 'u1' };
  await gate.job([planned], { approved: true });
  const patch = (user: string) =>
    gate.request({ method: 'PATCH', path: `/v1/orgs/o1/members/${user}`, body: role });
  await expect(patch('u1')).resolves.toBeUndefined();
  await expect(patch('u2')).rejects.toMatchObject({ code: 'policy_denied', kind: 'forbidden' });
});
