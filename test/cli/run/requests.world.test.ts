import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/resources/index.js';
import { opened } from '../../opened.js';
import { afterGuard, besideGuard, startRecordingPlatform } from './recording-platform.js';
import { type Extent, leastAnswer, operationCases } from './request-cases.js';

/** Every command over an operation, with least and most input, sends exactly the declared request. */

const platform = opened(startRecordingPlatform);

const extents: Extent[] = ['least', 'most', 'negated'];
const cases = (await Promise.all(extents.map(operationCases))).flatMap((all, at) =>
  all
    .filter(
      ({ command: { options } }) => at < 2 || options.some(({ boolean }) => typeof boolean === 'string'),
    )
    .map((one) => ({ ...one, name: `${one.name}, ${extents[at]}` })),
);

describe('requests', () => {
  it('are tried for every operation', () => {
    expect(new Set(cases.map(({ op }) => op))).toEqual(new Set(operations));
  });

  it.each(cases)('$name', async ({ command, op, words, expected }) => {
    const { code, stderr, sent } = await platform.run(words, afterGuard(op, leastAnswer(op)));
    expect({ code, stderr: code === 0 ? '' : stderr, sent: besideGuard(command, sent) }).toEqual({
      code: 0,
      stderr: '',
      sent: [expected],
    });
  });
});
