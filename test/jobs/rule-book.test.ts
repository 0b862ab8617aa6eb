import { describe, expect, it, test } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { deleteSpace } from '../../src/api/resources/spaces.js';
import { deleteTeam } from '../../src/api/resources/teams.js';
import { traceOf } from '../../src/jobs/creations.js';
import { loadRules } from '../../src/jobs/rule-book.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { aboutOperation } from '../../src/model/resources.js';

/** A run loads the rules of its own families, whatever else this process has loaded. */

const changing = operations.filter(({ method }) => method !== 'GET');

describe('the rules of a run', () => {
  it.each(changing.map((op) => [op.id, op] as const))('%s: as among the rules of all', async (id, op) => {
    const rules = await loadRules([id]);
    const [own, known] = [rules.ruleOf(op), allRules.ruleOf(op)];
    expect(Object.keys(own).sort()).toEqual(Object.keys(known).sort());
    expect(own.makes).toEqual(known.makes);
    expect(rules.ruleNamed(id)).toBe(own);
    expect(traceOf(op, rules) === undefined).toBe(traceOf(op, allRules) === undefined);
  });

  it.each(changing.map(({ id }) => id))('%s: with what its resource is read and removed by', async (id) => {
    const rules = await loadRules([id]);
    const { gets = [], lists = [], operations: own } = aboutOperation(id)?.resource ?? {};
    const named = [...gets, ...lists, ...(own?.delete ?? [])];
    expect(rules.operationsOf(named).map((op) => op.id)).toEqual(named);
  });

  it('are those of all families of its operations', async () => {
    const rules = await loadRules([deleteSpace.id, deleteTeam.id]);
    expect(rules.ruleOf(deleteSpace).restoredBy).toBe('docs spaces restore');
    expect(rules.ruleOf(deleteTeam).oneWay).toBe(true);
  });
});

test('a rule that was not loaded for a run is an error', async () => {
  const rules = await loadRules([deleteSpace.id]);
  const message = 'The rules of teams.delete were not loaded for this run.';
  expect(() => rules.ruleOf(deleteTeam)).toThrow(message);
  expect(() => rules.ruleNamed(deleteTeam.id)).toThrow(message);
  expect(() => rules.operationsOf([deleteTeam.id])).toThrow(message);
});

test('an operation of another version has no rule', async () => {
  const rules = await loadRules(['spaces.delete', 'spaces.fold']);
  expect(() => rules.ruleNamed('spaces.fold')).toThrow('unknown operation spaces.fold in the journal');
  expect(rules.operationsOf(['spaces.fold'])).toEqual([]);
});
