import { describe, expect, it } from 'vitest';
import { describe as describeCommand } from '../../../src/cli/help/describe.js';
import { sample } from '../../api/sample-value.js';
import { opened } from '../../opened.js';
import type { SomeOf } from '../../some-of.js';
import { startRecordingPlatform } from '../run/recording-platform.js';
import { operationCases } from '../run/request-cases.js';
import { faults, strict } from './json-schema.js';

/**
 * What the command of an operation prints is what `docs commands schema` tells of it.
 * @param pick which commands are tried
 */
export async function holdResults(pick: SomeOf): Promise<void> {
  const platform = opened(startRecordingPlatform);
  const cases = (await operationCases()).map((one) => ({ ...one, result: describeCommand(one).result }));
  /** What decides what is printed. */
  const kindOf = ({ op, command: { spec }, result: { title, ...schema } }: (typeof cases)[number]) =>
    JSON.stringify([op.returns.kind, spec?.listIn, spec?.children !== undefined, schema]);

  describe('the result of an operation', () => {
    it.each(pick(cases, kindOf))('$name', async ({ command, op, words, result }) => {
      const { returns } = op;
      const item = returns.kind === 'page' ? returns.item : returns.kind === 'one' ? returns.schema : {};
      const answer = sample(JSON.parse(JSON.stringify(item)));
      const body =
        returns.kind === 'none' ? undefined : returns.kind === 'page' ? { items: [answer] } : answer;
      const status = returns.kind === 'none' ? 204 : (([op.success].flat()[0] ?? 200) as number);
      const { stdout, code, stderr } = await platform.run([...words, '--json'], { status, body });
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const printed: unknown = JSON.parse(stdout);
      expect(faults(strict(result), printed)).toEqual([]);
      // What the platform answered is printed whole.
      const { listIn, children } = command.spec ?? {};
      if (returns.kind === 'page') expect(printed).toEqual([answer]);
      else if (returns.kind === 'one' && (listIn === undefined || children !== undefined))
        expect(printed).toEqual(answer);
    });
  });
}
