import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApprovalHome, ada, approvalHome, bob } from './approval-home.js';

/** The chain says who tried to apply a plan, who approved it, and what was denied. */

let all: ApprovalHome;
beforeAll(async () => {
  all = await approvalHome();
  all.write('policy.yaml', all.policyText([ada, bob]));
  all.home.env.DOCS_POLICY = all.at('policy.yaml');
});
afterAll(() => all.close());

interface Event {
  event: string;
  command: string;
  plan?: string;
  hash?: string;
  approver?: string;
  key?: string;
  reasons?: { code: string }[];
}
const events = (event: string) => all.home.json<Event[]>(['audit', 'list', '--event', event]);

test('a refused apply, an approval and a denial are events', async () => {
  const { home } = all;
  const member = (await all.members()).find((one) => one.role === 'read')?.id ?? '';
  const change = ['members', 'update', member, '--role', 'comment'];
  await home.ok([...change, '--save-plan', 'plan.json', '--yes']);
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_unapproved' });
  const [refused] = await events('refused');
  expect(refused).toMatchObject({ command: 'apply', reasons: [{ code: 'plan_unapproved' }] });
  await all.approve('ada');
  const [approved] = await events('approved');
  expect(approved).toMatchObject({
    command: 'plan approve',
    plan: refused?.plan,
    hash: refused?.hash,
    approver: ada.email,
  });
  expect(approved?.key).toMatch(/^SHA256:/);
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_applied' });
  const [again] = await events('refused');
  expect(again?.reasons?.[0]?.code).toBe('plan_applied');
  expect((await home.run([...change, '--yes'])).code).toBe(5);
  expect(await events('denied')).toHaveLength(1);
  expect(await home.json(['audit', 'verify'])).toMatchObject({ state: 'whole' });
});
