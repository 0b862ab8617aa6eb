import fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Desk } from '../../../src/agents/mcp/call-tool.js';
import { mcpOfFile } from './mcp-world.js';

/** Handles of plans: how long they hold, and what they do not stand for. */

const mcp = await mcpOfFile({ allowWrites: true });
const hourMs = 3_600_000;
const argv = ['teams', 'create', '--title', 'Scribes'];

async function planned(): Promise<{ plan: string; file: string; expires: string }> {
  const { value } = await mcp.call('docs_plan', { argv });
  return { plan: String(value.plan), file: String(value.file), expires: String(value.expires) };
}

/** Applies a plan, which must be refused with nothing sent. @returns the code of the error */
async function refused(plan: string): Promise<string | undefined> {
  const { isError, error } = await mcp.call('docs_apply', { plan });
  expect(isError).toBe(true);
  expect(mcp.writes()).toEqual([]);
  return error.code;
}

describe('a handle', () => {
  it('expires after a day, as docs_plan said, and its file is removed', async () => {
    const { plan, file, expires } = await planned();
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(24 * hourMs);
    mcp.io.now = () => Date.now() + 25 * hourMs;
    expect(await refused(plan)).toBe('plan_expired');
    expect(fs.readdirSync(dirname(file))).toEqual([]);
    expect(await refused(plan)).toBe('unknown_plan');
  });

  it('that has expired is removed when the next plan is made, with its approvals', async () => {
    const { file } = await planned();
    fs.writeFileSync(`${file}.approvals`, '');
    mcp.io.now = () => Date.now() + 25 * hourMs;
    const { plan } = await planned();
    expect(fs.readdirSync(dirname(file))).toEqual([`${plan}.json`]);
  });

  it('of a server that has ended holds in the next one, once', async () => {
    const { plan } = await planned();
    const other = new Desk(mcp.desk.world);
    const signal = new AbortController().signal;
    expect((await other.call('docs_apply', { plan }, { signal })).isError).toBeUndefined();
    const { error } = await mcp.call('docs_apply', { plan });
    expect(error.code).toBe('plan_applied');
    expect(mcp.writes()).toHaveLength(1);
  });

  it.each([
    ['a plan that was edited', (text: string) => text.replace('Scribes', 'Scribez'), 'plan_edited'],
    ['a file that is a plan no more', () => '{', 'not_a_plan'],
  ])('of %s is refused', async (_, edit, code) => {
    const { plan, file } = await planned();
    fs.writeFileSync(file, edit(fs.readFileSync(file, 'utf8')));
    expect(await refused(plan)).toBe(code);
  });

  it('is no path: a plan of another folder is not found by it', async () => {
    const { file } = await planned();
    const elsewhere = join(mcp.home, 'elsewhere');
    fs.copyFileSync(file, `${elsewhere}.json`);
    for (const path of [relative(dirname(file), elsewhere), elsewhere, `${elsewhere}.json`])
      expect(await refused(path)).toBe('unknown_plan');
  });
});
