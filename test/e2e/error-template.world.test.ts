import { expect, test } from 'vitest';
import { sandboxHome } from './sandbox-home.js';

/** What an error of a command that changes things says of its effect. */

const { home, sandbox } = await sandboxHome();

async function errorOf(...words: string[]): Promise<string> {
  return (await home.run(words)).stderr;
}

test('before anything was sent it says so, whatever fails', async () => {
  expect(await errorOf('teams', 'update', 'writers', '--titel', 'a')).toBe(
    'error: unknown flag "--titel" for "docs teams update". Did you mean --title? Nothing was sent. (usage, exit 2)\n' +
      '  Try: docs teams update --help\n',
  );
  expect(await errorOf('teams', 'update', 'writers', '--title', '')).toBe(
    'error: --title must be 1 to 64 characters long, not 0; nothing was sent (usage, exit 2)\n' +
      '  Try: docs teams update --help\n',
  );
});

test('a read that failed before it says that nothing was changed', async () => {
  sandbox.control.faults.add({ match: 'GET /v1/orgs/*', status: 403 });
  const said = await errorOf('spaces', 'update', 'Product Guide', '--by-title', '--title', 'a');
  expect(said).toMatch(/; nothing was changed \(forbidden, exit 5\)\n {2}GET \S+ answered 403/);
});

test('a refused change says that its request changed nothing', async () => {
  const said = await errorOf('teams', 'update', 'nothing', '--title', 'a');
  expect(said).toMatch(/^error: team "nothing" not found \(not-found, exit 6\)\n/);
  expect(said).toContain('\n  The request changed nothing.\n  Try: docs teams list');
});

test('a command that only reads, and a preview, say nothing of it', async () => {
  expect(await errorOf('teams', 'get', 'nothing')).not.toMatch(/nothing (?:was|changed)/i);
  expect(await errorOf('teams', 'update', 'writers', '--title', '', '--dry-run')).not.toContain(
    'nothing was',
  );
});
