import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { commandTree } from '../../../src/cli/declare/tree.js';
import { groups } from '../../../src/commands/index.js';
import {
  afterGuard,
  besideGuard,
  type RecordingPlatform,
  startRecordingPlatform,
} from './recording-platform.js';
import { requestCase } from './request-cases.js';

/** Every operation: each success status is a success, and each error status has its exit code. */

let platform: RecordingPlatform;
beforeAll(async () => {
  platform = await startRecordingPlatform();
});
afterAll(() => platform.close());

const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) =>
    command.operations.map((op) => ({
      command,
      name: `docs ${path}: ${op.id}`,
      ...requestCase(path, command, op, 'least'),
    })),
  );

function bodyOf({ returns }: AnyOperation): unknown {
  if (returns.kind === 'none') return undefined;
  if (returns.kind === 'page') return { items: [] };
  return returns.schema.type === 'array' ? [] : {};
}

describe('success', () => {
  it.each(cases)('$name', async ({ op, words }) => {
    // A deletion may answer 204 or 205 (platform-facts, "Errors").
    const statuses = op.returns.kind === 'none' ? [204, 205] : [op.success].flat();
    for (const status of statuses) {
      const { code, stderr } = await platform.run(
        [...words, '--json'],
        afterGuard(op, { status, body: bodyOf(op) }),
      );
      expect({ status, code, stderr: code === 0 ? '' : stderr }).toEqual({ status, code: 0, stderr: '' });
    }
  });
});

/** Refusals that are never tried again, with their exit codes. */
const refusals = [
  [400, 8],
  [401, 4],
  [403, 5],
  [404, 6],
  [409, 7],
  [412, 7],
  [422, 8],
] as const;

describe('refusal', () => {
  it.each(cases)('$name', async ({ command, op, words, expected }) => {
    for (const [status, exitCode] of refusals) {
      const body = { error: { code: status, message: 'No, and here is why.' } };
      const { code, stdout, stderr, sent } = await platform.run(
        [...words, '--json'],
        afterGuard(op, { status, body }),
      );
      const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
      expect({
        code,
        sent: besideGuard(command, sent).length,
        method: error.method,
        status: error.status,
      }).toEqual({
        code: exitCode,
        sent: 1,
        method: op.method,
        status,
      });
      expect(error.message).toContain('No, and here is why.');
      expect(String(error.path).split('?')[0]).toBe(expected.path);
      // A list that failed is an array that was begun at most, never one that looks whole.
      expect(stdout.trim()).not.toMatch(/\]$|\}$/);
    }
  });
});
