import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { commandTree } from '../../../src/cli/declare/tree.js';
import { groups } from '../../../src/commands/index.js';
import {
  afterGuard,
  besideGuard,
  type RecordingPlatform,
  startRecordingPlatform,
} from './recording-platform.js';
import { requestCase } from './request-cases.js';

/** `null` typed for a flag whose field may be null clears the field, wherever it is typed. */

let platform: RecordingPlatform;
beforeAll(async () => {
  platform = await startRecordingPlatform();
});
afterAll(() => platform.close());

const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) =>
    command.operations.flatMap((op) =>
      command.options
        .filter((option) => option.nullable)
        .map((option) => ({
          path,
          command,
          option,
          name: `docs ${path} --${option.name}`,
          ...requestCase(path, command, op, 'least', option),
        })),
    ),
  );

describe('null', () => {
  const answer = { status: 200, body: {} };
  const answerOf = ({ success }: AnyOperation) => ({ ...answer, status: [success].flat()[0] ?? 200 });

  it('is tried with every field that may be null', () => {
    const tried = cases.map(({ op, option }) => `${op.id} ${option.field}`);
    const declared = operations.flatMap((op: AnyOperation) =>
      Object.entries<TSchema>(op.body?.properties ?? {})
        .filter(([, { anyOf = [] }]) => anyOf.some(({ type }: TSchema) => type === 'null'))
        .map(([field]) => `${op.id} ${field}`),
    );
    expect([...new Set(tried)].sort()).toEqual(declared.sort());
    expect(declared.length).toBeGreaterThan(15);
  });

  it.each(cases)('typed for $name is sent as null', async ({ command, op, option, words, expected }) => {
    const { code, stderr, sent } = await platform.run(words, afterGuard(op, answerOf(op)));
    expect({ code, sent: besideGuard(command, sent) }).toEqual({ code: 0, sent: [expected] });
    // Without its condition, every visitor would see a part of a site.
    expect(stderr).toMatch(option.name === 'condition' ? /^Without a condition, .*\n$/ : /^$/);
  });

  it.each(cases)('in a CSV row of $name is sent as null', async ({ path, command, op, cells, expected }) => {
    const lines = [cells.map(([name]) => name), cells.map(([, typed]) => typed)];
    writeFileSync(join(platform.home, 'rows.csv'), lines.map((line) => line.join(',')).join('\n'));
    const words = ['bulk', ...path.split(' '), '--from', 'rows.csv', '--yes'];
    const { code, stderr, sent } = await platform.run(words, afterGuard(op, answerOf(op)));
    expect({ code, stderr: code === 0 ? '' : stderr, sent: besideGuard(command, sent) }).toEqual({
      code: 0,
      stderr: '',
      sent: [expected],
    });
  });

  it.each(cases)(
    'with --unset beside it is no contradiction: $name',
    async ({ command, op, option, words, expected }) => {
      const { code, sent } = await platform.run(
        [...words, '--unset', option.name],
        afterGuard(op, answerOf(op)),
      );
      expect({ code, sent: besideGuard(command, sent) }).toEqual({ code: 0, sent: [expected] });
    },
  );

  const section = ['sections', 'update', 'x1', '--org', 'o1', '--site', 'w1'];

  it('in the JSON of --input and of rows is what JSON says: null, or the text', async () => {
    const rows = { section: 'x1', org: 'o1', site: 'w1', icon: null, description: 'null' };
    const body = { icon: null, description: 'null' };
    const input = await platform.run([...section, '--input', '-'], answer, { stdin: JSON.stringify(body) });
    expect(input.sent.at(-1)?.body).toEqual(body);
    const words = ['bulk', 'sections', 'update', '--from', '-', '--yes'];
    const bulk = await platform.run(words, answer, { stdin: JSON.stringify(rows) });
    expect(bulk.sent.at(-1)?.body).toEqual(body);
  });

  it('is a text for a field that cannot be null', async () => {
    const { sent } = await platform.run([...section, '--title', 'null'], answer);
    expect(sent.at(-1)?.body).toEqual({ title: 'null' });
  });
});
