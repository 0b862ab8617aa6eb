/** Which promise of a policy holds against whom: one declaration for guide, help and tests. */

/** Those that a policy is meant to hold back, by how much else they can do. */
export const boundaries = {
  mcp: { title: 'MCP only', who: 'an agent that has the tools of `docs mcp serve` and no shell' },
  runs: {
    title: 'Runs docs',
    who: "a program or person that may run docs, and can neither write the policy's files nor load code into docs nor read its token",
  },
  shell: { title: 'Same user', who: 'a shell as the user who owns the policy' },
} as const;

export type Boundary = keyof typeof boundaries;

/** Whether it holds; a text says under which condition alone. */
type Holds = boolean | string;

/** In the order in which they are printed. */
export const promises: Readonly<Record<string, { says: string; holds: Readonly<Record<Boundary, Holds>> }>> =
  {
    deny: {
      says: 'A change that a policy denies is not sent',
      holds: { mcp: true, runs: true, shell: false },
    },
    ask: {
      says: 'A change that a policy asks about is sent only as part of an approved plan',
      holds: { mcp: true, runs: true, shell: false },
    },
    protect: {
      says: 'Protected items are not changed or deleted',
      holds: { mcp: true, runs: true, shell: false },
    },
    budget: {
      says: 'No more is changed than the budget allows',
      holds: { mcp: true, runs: true, shell: false },
    },
    approval: {
      says: 'An approval was given by a person that the policy names',
      holds: { mcp: true, runs: true, shell: 'if the key needs a person' },
    },
    own: {
      says: 'A plan is approved by someone other than its maker, or by the person whose agent made it',
      holds: { mcp: true, runs: 'if no maker has a key that the policy names', shell: false },
    },
    done: {
      says: 'A resumed job skips only requests of its plan that were sent',
      holds: { mcp: true, runs: 'if it was not killed', shell: false },
    },
    once: {
      says: 'An approved plan is applied once',
      holds: { mcp: true, runs: true, shell: false },
    },
    audit: {
      says: 'Changes and denials are in the audit chain',
      holds: { mcp: true, runs: true, shell: 'if its head is kept elsewhere' },
    },
    files: {
      says: '`read` replaces no file, and nothing replaces files of docs or of a policy',
      holds: { mcp: true, runs: true, shell: false },
    },
    programs: {
      says: '`read` runs no program that the caller names',
      holds: { mcp: true, runs: true, shell: false },
    },
  };

/** What is to be known before the table is read. */
export const seatBelt =
  'Against a shell as the same user, a policy only prevents mistakes. Only the two conditions in the ' +
  'last column apply there.';

/** What the column of those who run docs assumes; `test/policy/place.program` shows the way around where it is not so. */
export const ownAccount =
  'The column of those who run docs assumes that docs runs as an account of its own, for example by `sudo -u`, which ' +
  "resets the environment, or in a pipeline whose steps the caller does not write. Where docs runs as the caller's account, " +
  '`NODE_OPTIONS`, `LD_PRELOAD` or another `node` in `PATH` puts code into it, and the token sends requests without it. ' +
  'No promise of docs applies there: only the role of the token limits the caller.';

/** A cell as it is printed. */
export function cellText(holds: Holds): string {
  return typeof holds === 'string' ? holds : holds ? 'yes' : 'no';
}
