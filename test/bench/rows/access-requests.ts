import type { Bench, Row } from '../bench.js';
import type { Measured } from '../result.js';
import { type SandboxServer, withSandbox } from '../sandbox-server.js';

const members = 400;
const mostPerMember = 1.2;

/** What tells the roles of everybody. */
export const commandsOf = (space: string) => [
  { what: '`docs access matrix -o csv`', words: ['access', 'matrix', '-o', 'csv'] },
  { what: '`docs access who <space>`', words: ['access', 'who', space] },
];

/** Requests that the roles of a company of 400 take. */
export const accessRequests: Row = (bench) =>
  withSandbox(bench, 'acme', async (sandbox) =>
    commandsOf(sandbox.space).map(({ what, words }): Measured => {
      const before = requestsSoFar(bench, sandbox);
      bench.run(words, sandbox.env);
      const ours = [requestsSoFar(bench, sandbox) - before];
      return {
        what: `${what}, ${members} members and 60 spaces: requests`,
        against: `${mostPerMember} a member`,
        goal: { most: 1 },
        unit: 'requests',
        ...{ ours, theirs: [members * mostPerMember] },
      };
    }),
  );

function requestsSoFar(bench: Bench, { file }: SandboxServer): number {
  const printed = bench.run(['sandbox', 'requests', '--file', file, '--json', '--limit', '10000']);
  return (JSON.parse(printed) as unknown[]).length;
}
