import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { pathParameters } from '../../src/api/operation-facts.js';
import { operations } from '../../src/api/resources/index.js';
import { aboutOperation, allResources, namedResources } from '../../src/model/resources.js';
import { kindNames } from '../../src/organization/model.js';

const declared = new Map(operations.map((op) => [op.id, op]));

function operationsOf(ids: readonly string[]): AnyOperation[] {
  return ids.flatMap((id) => declared.get(id) ?? []);
}

/** What answers call the resource that an operation returns. */
function objectOf({ returns }: AnyOperation): unknown {
  const schema = returns.kind === 'one' ? returns.schema : returns.kind === 'page' ? returns.item : undefined;
  return schema?.properties?.object?.const;
}

describe('the registry', () => {
  it('has each operation of the platform once', () => {
    const owners = (id: string) =>
      allResources.filter((one) => Object.values(one.operations).flat().includes(id)).map(({ name }) => name);
    const owned = operations.map(({ id }) => [id, owners(id).length]);
    expect(owned.filter(([, count]) => count !== 1)).toEqual([]);
    for (const { id } of operations) expect(owners(id)).toEqual([aboutOperation(id)?.resource.name]);
  });

  it('names only operations that there are', () => {
    const ids = allResources.flatMap((one) => Object.values(one.operations).flat());
    expect(ids.filter((id) => !declared.has(id))).toEqual([]);
  });

  it.each(['argument', 'object', 'impact', 'backup', 'search'] as const)(
    'uses each word once: %s',
    (where) => {
      const words = allResources.map(({ printed }) => printed[where]);
      expect(words.toSorted()).toEqual([...new Set(words)].sort());
    },
  );

  it('uses each noun once', () => {
    const nouns = allResources.flatMap(({ noun, plural }) => [noun, plural]);
    expect(nouns.toSorted()).toEqual([...new Set(nouns)].sort());
  });

  it('has the kinds of the files, once each', () => {
    const files = namedResources.flatMap(({ printed }) => printed.files ?? []);
    expect(files.toSorted()).toEqual([...kindNames].sort());
  });

  it.each(namedResources)('has the operations, the parents and the word of the platform: $name', (one) => {
    const [lists, gets] = [operationsOf(one.lists), operationsOf(one.gets)];
    const list = lists.at(-1);
    if (list !== undefined) expect(one.parents).toEqual(pathParameters(list.path));
    for (const get of gets) expect(pathParameters(get.path)).toContain(one.parameter);
    const { update = [], delete: removal = [], move = [] } = one.operations;
    for (const op of operationsOf([...update.slice(0, 1), ...removal, ...move]))
      expect(pathParameters(op.path).at(-1)).toBe(one.parameter);
    const objects = [...lists, ...gets].map(objectOf).filter((object) => object !== undefined);
    for (const object of objects) expect(object).toBe(one.printed.object);
  });

  it.each(namedResources)('renames by fields of the update: $name', ({ operations: own, renames }) => {
    const [update] = operationsOf(own.update ?? []);
    for (const field of renames) expect(Object.keys(update?.body?.properties ?? {})).toContain(field);
  });
});
