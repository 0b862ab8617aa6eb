import { describe, expect, it } from 'vitest';
import { opened } from '../../opened.js';
import { afterGuard, besideGuard, startRecordingPlatform } from './recording-platform.js';
import { leastAnswer, operationCases } from './request-cases.js';

/** Every operation: each success status is a success, and an error status has its exit code. */

const platform = opened(startRecordingPlatform);

const cases = await operationCases();

/** One status of each is what the results of test/cli/help/describe rest on. */
describe('success of several statuses', () => {
  // A deletion may answer 204 or 205 (platform-facts, "Errors").
  const several = cases.flatMap((one) => {
    const statuses = one.op.returns.kind === 'none' ? [204, 205] : [one.op.success].flat();
    return statuses.length > 1 ? [{ ...one, statuses }] : [];
  });

  it.each(several)('$name', async ({ op, words, statuses }) => {
    for (const status of statuses) {
      const { code, stderr } = await platform.run(
        [...words, '--json'],
        afterGuard(op, { ...leastAnswer(op), status }),
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
    // The first operation has all, the others one each.
    const at = cases.findIndex((one) => one.op === op);
    for (const [status, exitCode] of at === 0 ? refusals : [refusals[at % refusals.length] ?? refusals[0]]) {
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
      expect(error.message).toContain('No, and here is why');
      expect(String(error.path).split('?')[0]).toBe(expected.path);
      // A list that failed is an array that was begun at most, never one that looks whole.
      expect(stdout.trim()).not.toMatch(/\]$|\}$/);
    }
  });
});
