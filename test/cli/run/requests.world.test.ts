import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { commandTree } from '../../../src/cli/declare/tree.js';
import { groups } from '../../../src/commands/index.js';
import {
  type Answer,
  afterGuard,
  besideGuard,
  type RecordingPlatform,
  startRecordingPlatform,
} from './recording-platform.js';
import { type Extent, requestCase } from './request-cases.js';

/** Every command over an operation, with least and most input, sends exactly the declared request. */

let platform: RecordingPlatform;
beforeAll(async () => {
  platform = await startRecordingPlatform();
});
afterAll(() => platform.close());

/** The smallest answer that fits the declaration. */
function answerOf({ returns, success }: AnyOperation): Answer {
  const status = typeof success === 'number' ? success : success[0];
  if (returns.kind === 'none') return { status };
  if (returns.kind === 'page') return { status, body: { items: [] } };
  return { status, body: returns.schema.type === 'array' ? [] : {} };
}

const extents: Extent[] = ['least', 'most', 'negated'];
const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) =>
    command.operations.flatMap((op) =>
      extents
        .filter(
          (extent) =>
            extent !== 'negated' || command.options.some((option) => typeof option.boolean === 'string'),
        )
        .map((extent) => ({
          command,
          name: `docs ${path}: ${op.id}, ${extent}`,
          ...requestCase(path, command, op, extent),
        })),
    ),
  );

describe('requests', () => {
  it('are tried for every operation', () => {
    expect(new Set(cases.map(({ op }) => op))).toEqual(new Set(operations));
  });

  it.each(cases)('$name', async ({ command, op, words, expected }) => {
    const { code, stderr, sent } = await platform.run(words, afterGuard(op, answerOf(op)));
    expect({ code, stderr: code === 0 ? '' : stderr, sent: besideGuard(command, sent) }).toEqual({
      code: 0,
      stderr: '',
      sent: [expected],
    });
  });
});
