import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setAdaptiveSchema } from '../../../src/api/resources/adaptive-schemas.js';
import { seedId } from '../../sandbox/client.js';
import { openRefusing, type Refusing } from './refusing.js';

/**
 * Reads of `docs pull`, refused one after the other: nothing is removed for it, and nothing is planned.
 * @param pick those that a part of the tests refuses: 0 and 1 with 403, 2 and 3 with 404; of those, half in each of 0 and 1
 */
export function refuseReads(
  pick: (lines: readonly string[], part: number, half?: number) => readonly string[],
): void {
  let world: Refusing;
  /** With a folder that was pulled whole. */
  let whole: string;
  /** The reads of pull. */
  let lines: readonly string[];
  beforeAll(async () => {
    world = await openRefusing('tiny');
    const path = { organizationId: world.sandbox.organizationId, siteId: seedId('site docs') };
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false } as const;
    await world.sandbox.admin.ok(setAdaptiveSchema, { path, body: { jsonSchema } });
    whole = world.home();
    expect(await world.docs(['pull', '--json'], whole)).toMatchObject({ code: 0 });
    lines = [...new Set(world.requests)].sort();
  });
  afterEach(() => {
    world.refused = undefined;
  });
  afterAll(() => world.close());

  /** Of a schema, 404 says that the site has none. */
  const isAnswer = (line: string, status: number) => status === 404 && line.endsWith('/adaptive-schema');

  /** What plan would send or finds, but for what it could not read. */
  async function planned(home: string, ...words: string[]): Promise<string[]> {
    const { stdout, stderr, code } = await world.docs(['plan', '--json', ...words], home);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const operations: { action: string; kind: string; key: string; finding?: { code: string } }[] =
      JSON.parse(stdout).operations;
    return operations.flatMap(({ action, kind, key, finding }) =>
      finding?.code === 'unread' ? [] : [`${action} ${kind}/${key} ${finding?.code ?? ''}`],
    );
  }

  function textsIn(home: string): Record<string, string> {
    const root = join(home, 'org');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => /\.\w+$/.test(name) && !name.startsWith('.'));
    return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  }

  /** Without the comments about what could not be read. */
  function bare(texts: Record<string, string>): Record<string, string> {
    const uncommented = (text: string) =>
      text.replace(/^# The last "docs pull" could not .*\n(# - .*\n)+/m, '');
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, uncommented(text)]));
  }

  /** Runs pull while a read is refused. @returns what it says of that, and whether the files say it, too */
  async function pulled(home: string) {
    const { code, stdout } = await world.docs(['pull', '--json'], home);
    const { status, unread = [] } = stdout === '' ? {} : JSON.parse(stdout);
    const all = Object.values(textsIn(home)).join('\n');
    const isInFiles = unread.every(({ message }: { message: string }) => all.includes(`# - ${message}`));
    return { code, status, isTold: unread.length > 0, isInFiles };
  }
  const unchanged = { code: 0, status: 'unchanged', isTold: false, isInFiles: true };
  const partial = { code: 3, status: 'partial', isTold: true, isInFiles: true };

  test.each([
    [/\/adaptive-schema$/, 'Failed to read schema of sites/acme-docs, so the plan leaves it out.'],
    [new RegExp(`/spaces/${seedId('space guide')}/custom-fields`), 'Failed to read fields of spaces/'],
    [/\/custom-fields\?/, 'Failed to read the fields of the organization, so the plan leaves them out.'],
    [/\/teams\/\w+\/members/, 'Failed to read all memberships, so the plan leaves out memberships/'],
  ])('plan names what it could not compare: %s', async (read, message) => {
    const line = lines.find((one) => read.test(one)) ?? '';
    world.refused = { line, status: 403 };
    const { stdout } = await world.docs(['plan', '--json'], whole);
    const { operations } = JSON.parse(stdout) as { operations: { finding?: { message: string } }[] };
    expect(operations.map(({ finding }) => finding?.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });

  describe.each([403, 404])('answered with %i', (status) => {
    const part = status === 403 ? 0 : 2;
    test('into an empty folder: what was not read is named, and nothing is planned then or later', async () => {
      for (const line of pick(lines, part).filter((one) => !isAnswer(one, status))) {
        const home = world.home();
        world.refused = { line, status };
        const found = { line, ...(await pulled(home)), during: await planned(home) };
        world.refused = undefined;
        const after = await planned(home);
        expect({ ...found, after }).toEqual({ line, ...partial, during: [], after: [] });
      }
    });

    test('into a folder with files: they stay as they are, and a later pull has no more to say', async () => {
      const before = textsIn(whole);
      for (const line of pick(lines, part + 1)) {
        const home = world.home(whole);
        world.refused = { line, status };
        const found = await pulled(home);
        const kept = bare(textsIn(home));
        const during = isAnswer(line, status) ? [] : await planned(home);
        world.refused = undefined;
        const { stdout } = await world.docs(['pull', '--json'], home);
        const { kept: edited, unread } = JSON.parse(stdout);
        expect({ line, ...found, kept, during, edited, unread, after: textsIn(home) }).toEqual({
          ...{ line, ...(isAnswer(line, status) ? unchanged : partial), kept: before, during: [] },
          ...{ edited: [], unread: [], after: before },
        });
      }
    });

    test.each(['with the lock', 'without the lock'])('exact lists are not pruned, %s', async (how) => {
      const half = how === 'with the lock' ? 0 : 1;
      const home = world.home(whole);
      for (const [name, text] of Object.entries(textsIn(home)))
        writeFileSync(join(home, 'org', name), text.replaceAll('additive', 'exact'));
      if (how === 'without the lock') rmSync(join(home, 'org', 'docs.lock.json'));
      expect(await planned(home, '--prune')).toEqual([]);
      for (const line of pick(lines, part + 1, half).filter((one) => !isAnswer(one, status))) {
        world.refused = { line, status };
        expect({ line, planned: await planned(home, '--prune') }).toEqual({ line, planned: [] });
      }
    });
  });
}
