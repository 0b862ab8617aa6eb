import { describe, expect, it } from 'vitest';
import type { View } from '../../src/output/printer.js';
import { ada, memberView, pagesOf, printed, printerFor, taro, terminal } from './printed.js';

const list = (options: Parameters<typeof printed>[0], items: readonly unknown[] = [ada, taro]) =>
  printed(options, (printer) => printer.list(pagesOf([items]), memberView));

describe('--fields', () => {
  it('picks and orders keys, nested as they were', async () => {
    const output = await list({ format: 'ndjson', fields: ['user.email', 'id', 'user.id'] });
    expect(output.stdout).toBe(
      '{"user":{"email":"ada@example.org","id":"usr_ada"},"id":"mbr_ada"}\n' +
        '{"user":{"email":"taro@example.org","id":"usr_taro"},"id":"mbr_taro"}\n',
    );
  });

  it('keeps all of a parent that is named, in whatever order', async () => {
    const user = JSON.stringify(ada.user);
    for (const fields of [
      ['user', 'user.email'],
      ['user.email', 'user'],
    ]) {
      expect((await list({ format: 'ndjson', fields }, [ada])).stdout).toBe(`{"user":${user}}\n`);
    }
  });

  it('leaves absent what an item lacks, and null what is null', async () => {
    const output = await list({ format: 'ndjson', fields: ['role', 'teams', 'user.email'] }, [
      { id: 'x', role: null },
    ]);
    expect(output.stdout).toBe('{"role":null}\n');
  });

  it('goes into arrays', async () => {
    const view: View = { columns: [], fields: ['pages', 'pages.title'] };
    const page = {
      pages: [
        { id: 1, title: 'a' },
        { id: 2, title: 'b' },
      ],
    };
    const json = await printed({ format: 'ndjson', fields: ['pages.title'] }, (printer) =>
      printer.one(page, view),
    );
    expect(json.stdout).toBe('{"pages":[{"title":"a"},{"title":"b"}]}\n');
    const tsv = await printed({ format: 'tsv', fields: ['pages.title'] }, (printer) =>
      printer.one(page, view),
    );
    expect(tsv.stdout).toBe('["a","b"]\n');
  });

  it('are the columns of tables, TSV and CSV', async () => {
    const fields = ['teams', 'user.email'];
    expect((await list({ format: undefined, fields })).stdout).toBe(
      '2\tada@example.org\n0\ttaro@example.org\n',
    );
    expect((await list({ format: 'csv', fields })).stdout).toBe(
      'teams,user.email\n2,ada@example.org\n0,taro@example.org\n',
    );
    expect((await list({ ...terminal, fields })).stdout).toBe(
      'TEAMS  EMAIL\n2      ada@example.org\n0      taro@example.org\n',
    );
  });

  it('are all that a single resource shows on a terminal', async () => {
    const output = await printed({ ...terminal, fields: ['user.email', 'id'] }, (printer) =>
      printer.one(ada, memberView),
    );
    expect(output.stdout).toBe('Email  ada@example.org\nID     mbr_ada\n');
  });

  it('never reach what is no key of the item', async () => {
    const view: View = { columns: [], fields: [], open: [''] };
    const item = JSON.parse('{"id":"a","__proto__":{"polluted":1}}');
    const fields = ['__proto__', 'constructor.name', 'toString'];
    const output = await printed({ format: 'ndjson', fields }, (printer) => printer.one(item, view));
    expect(output.stdout).toBe('{"__proto__":{"polluted":1}}\n');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const bare = await printed({ format: 'ndjson', fields }, (printer) => printer.one({ id: 'a' }, view));
    expect(bare.stdout).toBe('{}\n');
    const row = await printed({ format: 'tsv', fields }, (printer) => printer.one({ id: 'a' }, view));
    expect(row.stdout).toBe('\t\t\n');
  });
});

describe('an unknown field', () => {
  it('is a usage error that lists the known ones', async () => {
    const { printer, io } = printerFor({ fields: ['id', 'nothing', 'user.phone'] });
    await expect(printer.check(memberView)).rejects.toMatchObject({
      kind: 'usage',
      code: 'unknown_field',
      message:
        'unknown fields "nothing", "user.phone" in --fields. Known fields: ' +
        'object, id, role, user.id, user.displayName, user.email, disabled, joinedAt, teams.',
    });
    expect([io.stdout.text, io.stderr.text]).toEqual(['', '']);
  });

  it.each(['', 'user.', '.id', 'use', 'id.x'])('%j is unknown', async (field) => {
    await expect(printerFor({ fields: [field] }).printer.check(memberView)).rejects.toMatchObject({
      code: 'unknown_field',
    });
  });

  it.each(['user', 'user.email', 'extra', 'extra.any.thing'])('%j is known', async (field) => {
    await printerFor({ fields: [field] }).printer.check({ ...memberView, open: ['extra'] });
  });
});
