import { DocsError } from '../../src/base/errors.js';
import { commandTable } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
import type { CommandTable, Policy } from '../../src/policy/policy.js';
import { readPolicy } from '../../src/policy/read.js';

let made: Promise<CommandTable> | undefined;

/** The table of the real command tree. */
export function table(): Promise<CommandTable> {
  made ??= commandTable(groups);
  return made;
}

/** A policy of some lines after the version. */
export async function policyOf(lines: string, file = '/p.yaml'): Promise<Policy> {
  return readPolicy(file, `version: 1\n${lines}`, await table());
}

/** The lines of the error of a policy that is invalid. */
export async function mistakesOf(text: string | Uint8Array): Promise<readonly string[]> {
  try {
    await readPolicy('/p.yaml', text, await table());
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    if (cause.code !== 'policy_invalid' || cause.exitCode !== 14) throw cause;
    return cause.failure.lines ?? [];
  }
  throw new Error('the policy is valid');
}
