import { describe, expect, it } from 'vitest';
import type { View } from '../../src/output/printer.js';
import { ada, memberView, pagesOf, printed, printerFor, terminal } from './printed.js';

/** `--fields +email,-joined`: columns that are added to the usual ones, or dropped. */

const list = async (fields: string[], options: Parameters<typeof printed>[0] = {}, view: View = memberView) =>
  (
    await printed({ format: 'tsv', header: true, ...options, fields }, (printer) =>
      printer.list(pagesOf([[ada]]), view),
    )
  ).stdout;
const heads = async (fields: string[]) => (await list(fields)).split('\n')[0]?.split('\t').join(' ');
const refusal = async (fields: string[], view = memberView) => {
  const { printer } = printerFor({ fields });
  return printer.check(view).then(
    () => undefined,
    (cause) => cause,
  );
};

describe('columns', () => {
  it('are added at the end and dropped by path, header, or end of the path', async () => {
    expect(await heads(['-joined'])).toBe('user.displayName user.email role disabled id');
    expect(await heads(['-NAME', '-user.email', '+teams'])).toBe('role joinedAt disabled id teams');
    expect(await heads(['-email', '-displayName'])).toBe('role joinedAt disabled id');
  });

  it('that are there already are not added again, and those that are not need not be dropped', async () => {
    expect(await heads(['+role', '-teams'])).toBe('user.displayName user.email role joinedAt disabled id');
  });

  it('that were added stay on a narrow terminal', async () => {
    const table = await list(['+teams'], { ...terminal, format: 'table', columns: 40, header: false });
    expect(table.split('\n')[0]).toMatch(/TEAMS$/);
  });
});

describe('keys', () => {
  it('are all there anyway, but for those that are dropped', async () => {
    expect(JSON.parse(await list(['+teams'], { format: 'ndjson', header: false }))).toEqual(ada);
    const { joinedAt: _, user, ...rest } = ada;
    const { email: __, ...others } = user;
    expect(JSON.parse(await list(['-joinedAt', '-email'], { format: 'ndjson', header: false }))).toEqual({
      ...rest,
      user: others,
    });
  });

  it('of one record are dropped, too', async () => {
    const one = await printed({ format: 'json', fields: ['-user'] }, (printer) =>
      printer.one(ada, memberView),
    );
    expect(JSON.parse(one.stdout)).not.toHaveProperty('user');
  });
});

describe('it is refused', () => {
  it('with signs on some fields only', async () => {
    const { message, code, kind } = await refusal(['-joined', 'role']);
    expect({ code, kind }).toEqual({ code: 'mixed_fields', kind: 'usage' });
    expect(message).toBe(
      '--fields: "role" has no sign, and others have one; either name all fields (id,role), or add and drop some (+role,-id)',
    );
  });

  it('with an unknown field', async () => {
    const { message, code } = await refusal(['+rolle']);
    expect(code).toBe('unknown_field');
    expect(message).toMatch(/unknown field "rolle" in --fields. Did you mean role\?/);
    expect(await refusal(['-'])).toMatchObject({ code: 'unknown_field' });
  });

  it('where nothing is left', async () => {
    const all = memberView.columns.map(({ path }) => `-${path}`);
    expect(await refusal(all)).toMatchObject({ code: 'no_columns' });
  });
});
