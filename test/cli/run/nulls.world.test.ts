import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { opened } from '../../opened.js';
import { afterGuard, besideGuard, startRecordingPlatform } from './recording-platform.js';
import { requestCase } from './request-cases.js';

/** `null` typed for a flag whose field may be null clears the field, wherever it is typed. */

const platform = opened(startRecordingPlatform);

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

  it.each(cases)('of $name is sent: typed, beside --unset, and in a CSV row', async (one) => {
    const { path, command, op, option, words, cells, expected } = one;
    const lines = [cells.map(([name]) => name), cells.map(([, typed]) => typed)];
    writeFileSync(join(platform.home, 'rows.csv'), lines.map((line) => line.join(',')).join('\n'));
    const row = ['bulk', ...path.split(' '), '--from', 'rows.csv', '--yes'];
    for (const line of [words, [...words, '--unset', option.name], row]) {
      const { code, stderr, sent } = await platform.run(line, afterGuard(op, answerOf(op)));
      expect({ line, code, sent: besideGuard(command, sent) }).toEqual({ line, code: 0, sent: [expected] });
      // Without its condition, every visitor would see a part of a site.
      if (line === words)
        expect(stderr).toMatch(option.name === 'condition' ? /^Without a condition, .*\n$/ : /^$/);
    }
  });

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

  it('in the JSON of a row is refused for a field that cannot be null', async () => {
    const stdin = JSON.stringify({ section: 'x1', org: 'o1', site: 'w1', title: null });
    const words = ['bulk', 'sections', 'update', '--from', '-', '--yes'];
    const { code, stderr, sent } = await platform.run(words, answer, { stdin });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('title cannot be null');
  });

  it('is a text for a field that cannot be null', async () => {
    const { sent } = await platform.run([...section, '--title', 'null'], answer);
    expect(sent.at(-1)?.body).toEqual({ title: 'null' });
  });
});
