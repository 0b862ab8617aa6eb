import { expect, test } from 'vitest';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { changeRecordOf } from '../../../src/cli/run/change-record.js';
import { groups } from '../../../src/commands/index.js';
import { rulesOf } from '../../../src/jobs/rule-book.js';
import { allRules } from '../../../src/jobs/undo-rules.js';

const commands = (await commandTree(groups)).map(({ path, command }) => ({ path, command }));
const recorded = commands.flatMap(({ path, command }) => {
  const record = changeRecordOf(command);
  return record === undefined ? [] : [{ path, command, record }];
});

test('most plain changes have a record', () => {
  const paths = recorded.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['spaces update', 'spaces delete', 'teams update']));
});

test.each(recorded)('what $path may widen is named, and not taken from its record', ({ command, record }) => {
  const fields = command.operations.flatMap(({ exposes = {} }) => Object.keys(exposes));
  expect(record.widening).toEqual(fields);
  for (const op of record.operations) expect('exposes' in op).toBe(false);
});

test.each(recorded)('the rule of $path is the same from its record', async ({ command, record }) => {
  const read: typeof record = JSON.parse(JSON.stringify(record));
  const rules = await rulesOf(read.operations);
  for (const [at, op] of read.operations.entries()) {
    const [own, whole] = [rules.ruleOf(op), allRules.ruleOf(command.operations[at] ?? op)];
    expect(Object.keys(own)).toEqual(Object.keys(whole));
    expect(own.creates).toBeUndefined();
  }
});
