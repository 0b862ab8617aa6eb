import { describe, expect, it } from 'vitest';
import { canLook } from '../../src/access/impact/impact.js';
import { impactActions } from '../../src/access/impact/shapes.js';
import { operations } from '../../src/api/resources/index.js';
import { type ImpactKind, impactKinds, renameFlags } from '../../src/commands/impact/kinds.js';
import { resources } from '../../src/model/resources.js';

/** What an impact can be asked about is what the declared operations can do. */

/** Deletions that end a membership, and delete nothing. */
const memberships = ['team-members.delete', 'section-groups.remove'];

/** The resource in the ids of operations: `site-spaces`. */
function resourcesOf({ kind, word }: ImpactKind): string[] {
  if (kind === undefined) return [`${word}s`];
  return [
    ...new Set([...resources[kind].lists, ...resources[kind].gets].map((id) => id.split('.')[0] ?? '')),
  ];
}

/** The kinds that have an operation like this, by word. */
function wordsWith(wanted: (id: string) => boolean): string[] {
  return impactKinds.filter((kind) => resourcesOf(kind).some(wanted)).map(({ word }) => word);
}

const wordsOf = (action: string) =>
  impactKinds.filter(({ actions }) => actions.some((one) => one === action)).map(({ word }) => word);

describe('the kinds of docs impact', () => {
  it('delete: whatever has a DELETE', () => {
    const deletions = operations.filter(({ method, id }) => method === 'DELETE' && !memberships.includes(id));
    const resources = deletions.map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource))).toEqual(wordsOf('delete'));
    const known = impactKinds.flatMap(resourcesOf);
    expect(resources.filter((resource) => !known.includes(resource))).toEqual([]);
  });

  it('move: whatever has an operation to move it', () => {
    const resources = operations
      .filter(({ id }) => id.endsWith('.move'))
      .map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource))).toEqual(wordsOf('move'));
  });

  it('rename: whatever has an update of what addresses are made of, with a flag for each', () => {
    const fields = [...renameFlags.map(([flag]) => flag), 'slug'];
    const updates = operations.filter(({ id }) => id.endsWith('.update'));
    for (const [flag, words] of renameFlags) {
      const resources = updates
        .filter(({ body }) => Object.keys(body?.properties ?? {}).includes(flag))
        .map(({ id }) => id.split('.')[0] ?? '');
      expect(wordsWith((resource) => resources.includes(resource)).sort(), flag).toEqual([...words].sort());
    }
    const renaming = updates.filter(({ body }) => fields.some((field) => field in (body?.properties ?? {})));
    const resources = renaming.map(({ id }) => id.split('.')[0] ?? '');
    expect(wordsWith((resource) => resources.includes(resource)).sort()).toEqual(wordsOf('rename').sort());
  });

  it('can be looked at, each', () => {
    for (const { object, actions } of impactKinds)
      for (const action of impactActions)
        if (action !== 'transfer')
          expect(canLook(action, object), `${action} ${object}`).toBe(actions.includes(action));
  });
});
