import { describe, expect, it } from 'vitest';
import { Type } from '../../src/api/type.js';
import { compileJq } from '../../src/output/jq.js';
import { tryOut } from '../../src/output/jq-trial.js';
import { madeUp } from '../../src/output/made-up.js';
import { ItemResult } from '../../src/output/printed-shapes.js';
import { fakeIo } from '../fake-io.js';

/** A filter is refused before a change only if no answer could pass it. */

const Member = Type.Object({
  id: Type.String(),
  role: Type.Union([Type.Unsafe<string>({ type: 'string', enum: ['admin', 'read'] }), Type.Null()]),
  joinedAt: Type.String({ format: 'date-time' }),
  lastSeenAt: Type.Optional(Type.String({ format: 'date-time' })),
  disabled: Type.Boolean(),
  user: Type.Object({ email: Type.Optional(Type.String()), labels: Type.Array(Type.String()) }),
  values: Type.Record(Type.String(), Type.Unknown()),
});
const Results = Type.Array(ItemResult);

const trial = async (expression: string, shape = Member as typeof Member | typeof Results, rows = false) =>
  tryOut(await compileJq(expression, fakeIo()), expression, shape, rows);

describe('a filter that some answer passes is not refused', () => {
  it.each([
    '.',
    '.user.email | ascii_downcase',
    '.lastSeenAt | fromdateiso8601',
    '.user.labels[] | select(. == "x")',
    '.values.owner.value[]',
    '.values | to_entries[] | .value.x[]',
    '.nosuch[]?',
    '.nosuch // [] | .[]',
    '{roles: [.role]} | .roles[]',
    '.id | split("-")[1] | .[]',
    '.id | fromjson | .a[]',
    '.role | error',
    '"\\(.id) .nosuch[]"',
    'if .disabled then .id[] else .id end',
  ])('%s of an object', async (expression) => {
    await expect(trial(expression)).resolves.toBeUndefined();
  });

  it.each([
    '.[] | select(.status != "ok") | .error.message',
    '[.[] | select(.status == "failed")][0].error | keys',
    'group_by(.status) | map({key: .[0].status, value: length}) | from_entries',
    'first(.[] | select(.status == "unknown")).error.code',
    '[.[] | .error.status] | add / length',
  ])('%s of results', async (expression) => {
    await expect(trial(expression, Results)).resolves.toBeUndefined();
  });
});

describe('one that no answer passes is refused, and says why', () => {
  it.each([
    [
      '.nosuch.foo[]',
      /Cannot iterate over null \(null\); nothing was sent. The answer has no field "nosuch"\./,
    ],
    ['.["nosuch"][]', /The answer has no field "nosuch"\./],
    ['.user.mails | keys', /null \(null\) has no keys; nothing was sent. The answer has no field "mails"\./],
    ['.[]|.role', /Cannot index/],
    ['.[0]', /Cannot index object with number/],
  ])('%s of an object', async (expression, message) => {
    await expect(trial(expression)).rejects.toMatchObject({
      kind: 'usage',
      code: 'jq_failed',
      message: expect.stringMatching(message),
    });
  });

  it.each(['.role', '.[].nosuch[]', '.[].id.x'])('%s of results', async (expression) => {
    await expect(trial(expression, Results)).rejects.toMatchObject({ code: 'jq_failed' });
  });

  it('and so is one that yields no objects where rows are to be printed', async () => {
    await expect(trial('.role', Member, true)).rejects.toMatchObject({ code: 'not_rows' });
    await expect(trial('{id, role}', Member, true)).resolves.toBeUndefined();
    await expect(trial('map({id})', Results, true)).resolves.toBeUndefined();
  });
});

it('made-up answers have everything that is optional, and each value of an enumeration', () => {
  const answers = Array.from({ length: 12 }, (_, variant) => madeUp(Member, variant));
  for (const answer of answers)
    expect(answer).toMatchObject({ lastSeenAt: expect.any(String), user: { email: 'text' } });
  expect(new Set(answers.map((answer) => (answer as { role: unknown }).role))).toEqual(
    new Set(['admin', 'read', null]),
  );
});
