import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf, type Result } from './backup-home.js';

/** A space is gone only if every list that could hold it was read. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

/** Every list through which spaces are found, and as what it is reported where it fails. */
const lists: readonly (readonly [string, RegExp, string])[] = [
  ['the administrators', /\/members\?/, 'administrators'],
  ['the spaces of an administrator', /\/members\/[\w-]+\/spaces/, 'member'],
  ['the collections', /\/collections\?/, 'collections'],
  ['the spaces of a collection', /\/collections\/[\w-]+\/spaces/, 'collection'],
  ['the sites', /\/sites\?/, 'sites'],
  ['the spaces of a site', /\/site-spaces/, 'site'],
];

describe.each(lists)('while %s cannot be read', (_, match, kind) => {
  const refuse = async () => {
    await home.backedUp();
    home.gateway.rule = (line) => (match.test(line) ? 500 : undefined);
  };

  test('a run moves no space away, and says what was unread', async () => {
    await refuse();
    const ran = await home.backUp('--no-retry');
    expect(ran.code).toBe(3);
    const { status, failed, spaces } = JSON.parse(ran.stdout) as Result;
    expect({ status, spaces }).toEqual({ status: 'partial', spaces: 5 });
    expect(failed.map((one) => one.kind)).toContain(kind);
    expect(failureOf(ran.stderr)).toMatchObject({ code: 'not_all_read', exitCode: 3 });
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
    home.gateway.rule = () => undefined;
    expect((await home.backedUp()).status).toBe('whole');
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  });

  test('a dry run plans no removal, and verify calls no space gone', async () => {
    await refuse();
    const planned = await home.backUp('--no-retry', '--dry-run');
    expect(planned.code).toBe(3);
    expect(planned.stdout).not.toContain('"removed"');
    const verified = await home.run(['backup', 'verify', 'b', '--json', '--no-retry']);
    expect(verified.code).toBe(3);
    expect(verified.stdout).not.toContain('"gone"');
    const { details } = failureOf(verified.stderr);
    expect(details?.unread).toContainEqual(expect.objectContaining({ kind }));
  });
});
