import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { undoRules } from '../../src/jobs/undo-rules.js';

/** Every changing operation has a rule, which says what undo cannot do. */

const changing = operations.filter(({ method }) => method !== 'GET');

/** A body with every field, for every reason. */
function fullInput(op: (typeof operations)[number]) {
  const fields = Object.keys((op.body?.properties ?? {}) as object);
  return { path: {}, query: {}, body: Object.fromEntries(fields.map((field) => [field, 'x'])) };
}

describe('undo rules', () => {
  it('exist for every changing operation, and for no other', () => {
    expect(Object.keys(undoRules).sort()).toEqual(changing.map(({ id }) => id).sort());
  });

  it.each(changing.map((op) => [op.id, op] as const))('%s: exact, or a reason why not', (id, op) => {
    for (const input of [fullInput(op), { path: {}, query: {}, body: {} }]) {
      const { undo, why } = undoRules[id]?.forecast(input) ?? {};
      expect(['exact', 'best-effort', 'none']).toContain(undo);
      if (undo === 'exact') expect(why).toBeUndefined();
      else expect(why).toMatch(/^\w.*[^.]$/);
    }
  });

  it('are exact only where they know the undo', () => {
    for (const [id, rule] of Object.entries(undoRules)) {
      const { undo } = rule.forecast({ path: {}, query: {}, body: {} });
      expect({ id, hasWayBack: rule.back !== undefined }).toEqual({ id, hasWayBack: undo !== 'none' });
    }
  });

  it.each([
    ['members.update', 'exact'],
    ['teams.update', 'exact'],
    ['sections.move', 'exact'],
    ['site-spaces.move', 'exact'],
    ['team-members.set', 'exact'],
    ['team-members.delete', 'exact'],
    ['sites.update', 'exact'],
    ['spaces.delete', 'exact'],
    ['change-requests.update', 'exact'],
    ['members.delete', 'none'],
    ['change-requests.merge', 'none'],
    ['sites.delete', 'none'],
    ['teams.delete', 'best-effort'],
  ])('%s: %s', (id, undo) => {
    const body = { title: 'x', role: 'read', visibility: 'public', status: 'archived' };
    expect(undoRules[id]?.forecast({ path: {}, query: {}, body }).undo).toBe(undo);
  });
});
