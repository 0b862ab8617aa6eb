import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApprovalHome, ada, approvalHome } from '../e2e/approval-home.js';
import { runs } from '../runs.js';
import { anyText } from './random-plans.js';

/** Random plans on the sandbox: saved, approved, applied, of which some lose an answer and are resumed. */

let all: ApprovalHome;
beforeAll(async () => {
  all = await approvalHome();
  await all.reset();
  all.write('policy.yaml', all.policyText([ada], '', ['teams *', 'api']));
  all.home.env.DOCS_POLICY = all.at('policy.yaml');
});
afterAll(() => all.close());

test('the title that was signed is the title that the platform has', async () => {
  const { home, sandbox, forwarder } = all;
  const path = `/v1/orgs/${sandbox.org}/teams`;
  const titles = async () =>
    (await home.json<{ title: string }[]>(['teams', 'list'])).map(({ title }) => title);
  let applied = 0;
  const property = fc.asyncProperty(anyText, fc.boolean(), async (title, isLost) => {
    rmSync(all.at('plan.json.approvals'), { force: true });
    forwarder.onChange = () => 'pass';
    const save = ['api', 'PUT', path, '--input', '-', '--save-plan', 'plan.json', '--yes'];
    const saved = await home.run(save, { stdin: JSON.stringify({ title }) });
    if (saved.code !== 0) return;
    expect(all.plan().operations[0]?.request?.body).toEqual({ title });
    all.write('plan.json.approvals', all.approval(ada));
    const before = await titles();
    if (isLost) forwarder.onChange = () => 'lost after';
    const { code } = await home.run(['apply', 'plan.json', '--yes']);
    forwarder.onChange = () => 'pass';
    if (isLost) await home.run(['jobs', 'resume', 'last']);
    else if (code !== 0) return;
    const added = await titles();
    for (const one of before) added.splice(added.indexOf(one), 1);
    applied += added.length;
    expect(added.length).toBeLessThanOrEqual(1);
    const plain = (one: string) => one.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
    for (const one of added) expect(plain(one)).toBe(plain(title));
    expect((await home.run(['apply', 'plan.json', '--yes'])).code).toBe(2);
  });
  await fc.assert(property, { numRuns: runs(5), seed: 32 });
  expect(applied).toBeGreaterThan(0);
});
