import { expect, it } from 'vitest';
import { pathParameters } from '../../../src/api/operation.js';
import { commandTree } from '../../../src/cli/declare/tree.js';
import { groups } from '../../../src/commands/index.js';
import { opened } from '../../opened.js';
import { startRecordingPlatform } from '../run/recording-platform.js';
import { requestCase } from '../run/request-cases.js';

/** A list of ids, where a command takes one: refused, and never sent as an id. */

const platform = opened(startRecordingPlatform);

const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) => {
    const [op] = command.operations;
    if (op === undefined) return [];
    const { words } = requestCase(path, command, op, 'least');
    return command.args
      .filter(({ variadic, asTyped }) => !variadic && !asTyped)
      .filter(({ kind, field = '' }) => kind !== undefined || pathParameters(op.path).includes(field))
      .map(({ name }) => ({
        path,
        name,
        words: words.map((word) => (word === `${name} /1` ? '@ids' : word)),
      }))
      .filter((one) => one.words.includes('@ids'));
  });

it('is tried with many commands', () => {
  expect(cases.length).toBeGreaterThan(40);
});

it.each(cases)('docs $path refuses a list for <$name>', async ({ words, name, path }) => {
  const ran = await platform.run(words, () => ({ status: 418, body: {} }), { env: { DOCS_ORG: 'org-1' } });
  expect([ran.code, ran.sent]).toEqual([2, []]);
  expect(ran.stderr).toContain(`<${name}> takes one id, not a list (@ids). Nothing was sent.`);
  expect(ran.stderr).toMatch(new RegExp(`Try: docs (bulk ${path} --from <file>|${path} --help)`));
});
