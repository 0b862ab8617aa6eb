import { expect } from 'vitest';
import type { DescribedCommand } from '../../src/cli/help/describe.js';
import { faults, strict } from '../cli/help/json-schema.js';
import type { Home } from './program.js';

/** Commands that start processes: theirs is held by a test of the program. */
export const ofProcesses: readonly string[] = [
  ...['sandbox start', 'sandbox open', 'sandbox stop', 'sandbox exec', 'rehearse'],
];

interface Options {
  stdin?: string;
  /** The exit code; default: 0. */
  code?: number;
}

export interface HeldResults {
  /** Runs a command with --json and compares. @returns what it printed */
  held(path: string, args?: readonly string[], options?: Options): Promise<unknown>;
  /** The commands that were compared. */
  readonly checked: ReadonlySet<string>;
}

/**
 * Holds what commands print against what `docs commands` says of it.
 * @param envOf further variables of a command
 */
export async function heldResults(
  home: Home,
  envOf: (path: string) => Record<string, string> = () => ({}),
): Promise<HeldResults> {
  const described = await home.json<DescribedCommand[]>(['commands', '--full']);
  const checked = new Set<string>();
  return {
    checked,
    async held(path, args = [], { code = 0, ...stdin } = {}) {
      // A flag of the command line comes before the program that is run.
      const ran = await home.run(['--json', ...path.split(' '), ...args], { ...stdin, env: envOf(path) });
      expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toMatchObject({ code });
      const printed: unknown = JSON.parse(ran.stdout);
      const schema = described.find((command) => command.path === path)?.result ?? {};
      expect(faults(strict(schema), printed), path).toEqual([]);
      checked.add(path);
      return printed;
    },
  };
}
