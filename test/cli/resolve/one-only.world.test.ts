import { expect, it } from 'vitest';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { opened } from '../../opened.js';
import { startRecordingPlatform } from '../run/recording-platform.js';
import { operationCases } from '../run/request-cases.js';

/** A list of ids, where a command takes one: refused, and never sent as an id. */

const platform = opened(startRecordingPlatform);

const cases = (await operationCases())
  .filter(({ command, op }) => op === command.operations[0])
  .flatMap(({ path, command, op, words }) =>
    command.args
      .filter(({ variadic, asTyped }) => !variadic && !asTyped)
      .filter(({ kind, field = '' }) => kind !== undefined || pathParameters(op.path).includes(field))
      .map(({ name }) => ({
        path,
        name,
        words: words.map((word) => (word === `${name} /1` ? '@ids' : word)),
      }))
      .filter((one) => one.words.includes('@ids')),
  );

it('is tried with many commands', () => {
  expect(cases.length).toBeGreaterThan(40);
});

it.each(cases)('docs $path refuses a list for <$name>', async ({ words, name, path }) => {
  const ran = await platform.run(words, () => ({ status: 418, body: {} }), { env: { DOCS_ORG: 'org-1' } });
  expect([ran.code, ran.sent]).toEqual([2, []]);
  expect(ran.stderr).toContain(`<${name}> takes one id, not a list (@ids). Nothing was sent`);
  expect(ran.stderr).toMatch(new RegExp(`Try: docs (bulk ${path} --from <file>|${path} --help)`));
});
