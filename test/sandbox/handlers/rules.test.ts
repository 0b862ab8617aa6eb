import { beforeEach, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { operations } from '../../../src/api/resources/index.js';
import { roles } from '../../../src/api/shapes.js';
import { seedId } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import { inputOf, labs, type Path, placeOf } from './places.js';

/**
 * What every operation refuses and to whom, by its declaration (docs/contributing/sandbox-rules.md). The files beside
 * this one have what is only their own.
 */

let platform: Platform;
beforeEach(async () => {
  platform = await openPlatform();
});

const named = operations.map((op) => ({ id: op.id, op }));
const within = (least: number) => named.filter(({ op }) => pathParameters(op.path).length >= least);
const isOfOrg = ({ path }: AnyOperation) => path.includes('{organizationId}');

async function refusal(op: AnyOperation, path: Path, as = 'admin') {
  const { status, message } = await platform.as(as).refused(op, inputOf(op, path));
  return `${as}: ${status} ${message}`;
}
describe('a role below the one needed', () => {
  /** Team owners manage its members; the token of review is one of them. */
  const owns = (op: AnyOperation, role: string) => op.id.startsWith('team-members.') && role === 'review';

  test.each(named.filter(({ op }) => op.needs !== 'read'))('is refused: $id', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    const lower = roles.slice(roles.indexOf(op.needs) + 1).filter((role) => !owns(op, role));
    for (const role of lower) {
      expect(await refusal(op, path, role)).toContain(`${role}: 403 this requires the role ${op.needs}`);
    }
    await platform.as('guest').refuses(isOfOrg(op) ? 403 : 404, op, inputOf(op, path));
  });

  /** Only its author, and admins, may delete a comment. */
  const more = ['comments.delete', 'change-request-comments.delete'];
  test.each(named.filter(({ id }) => !more.includes(id)))('is that one, no other: $id', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    expect(await platform.as(op.needs).status(op, inputOf(op, path))).not.toBe(403);
    if (op.needs !== 'read') return;
    const isInside = op.path.includes('{spaceId}') || op.path.includes('{collectionId}');
    expect(await platform.as('guest').status(op, inputOf(op, path))).toBe(isInside ? 404 : 200);
  });
});

/** The path of the list that a thing is in. */
const parentOf = ({ path }: AnyOperation) => path.slice(0, path.lastIndexOf('/') + 1);

async function countOf(list: AnyOperation | undefined, path: Path): Promise<number | undefined> {
  if (list === undefined) return undefined;
  const at = Object.fromEntries(pathParameters(list.path).map((name) => [name, path[name] ?? '']));
  return ((await platform.admin.ok(list, { path: at })) as unknown as { count: number }).count;
}

describe('not found', () => {
  test.each(within(1).filter(({ id }) => id !== 'orgs.find'))('is what $id cannot find', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    expect(await refusal(op, path, 'other-org')).toMatch(/404 .* not found$/);
    for (const name of pathParameters(op.path)) {
      if (op.id === 'openapi.set' && name === 'specSlug') continue; // It is created.
      expect(await refusal(op, { ...path, [name]: 'nothing' })).toMatch(/404 .*"nothing" not found$/);
    }
  });

  test.each(within(2).filter(({ id }) => id !== 'openapi.set'))(
    'is what belongs to another organization or space: $id',
    async ({ op }) => {
      const path = await placeOf(op, platform.admin);
      const other: Record<string, string> = isOfOrg(op)
        ? { organizationId: labs }
        : { spaceId: seedId('space guide') };
      expect(await refusal(op, { ...path, ...other })).toMatch(/404 .* not found$/);
    },
  );

  /** What a published site must keep. */
  const kept = ['site-spaces.delete'];
  const mayComeBack = ['spaces.restore', 'openapi.set', 'team-members.set'];
  const deletes = named.filter(({ op: { id, method } }) => method === 'DELETE' && !kept.includes(id));
  test.each(deletes)('is what was deleted, and what was in it: $id', async ({ op }) => {
    const path = await placeOf(op, platform.admin);
    const list = operations.find((each) => each.returns.kind === 'page' && `${each.path}/` === parentOf(op));
    const before = await countOf(list, path);
    await platform.admin.ok(op, inputOf(op, path));
    if (before !== undefined) expect(await countOf(list, path)).toBe(before - 1);
    const id = Object.values(path).at(-1) ?? '';
    for (const inside of operations.filter((each) => each.path.startsWith(op.path))) {
      if (mayComeBack.includes(inside.id)) continue;
      const at = Object.fromEntries(
        pathParameters(inside.path).map((name) => [name, path[name] ?? 'inside']),
      );
      expect(await refusal(inside, at), inside.id).toMatch(/404 .* not found$/);
      expect(await refusal(inside, at), inside.id).toContain(`"${id}"`);
    }
  });
});
