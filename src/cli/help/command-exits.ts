import { type ExitName, exitCodes } from '../../exit-codes.js';
import type { Command } from '../declare/command.js';
import { manyArgument } from '../run/gather.js';

/** Which exit codes a command can end with, from its declaration. */

/** An exit code as `docs commands --json` and the reference tell it. */
export interface CommandExit {
  code: number;
  name: ExitName;
  meaning: string;
}

const always: readonly ExitName[] = ['ok', 'bug', 'usage', 'local-io', 'interrupted', 'terminated'];
const ofPlatform: readonly ExitName[] = [
  'unauthenticated',
  'forbidden',
  'not-found',
  'refused',
  'rate-limited',
  'server-error',
  'network',
  'deadline',
  'bad-response',
];
const ofChanges: readonly ExitName[] = ['conflict', 'unknown-outcome'];

/**
 * The exit codes of a command, in the order of their numbers.
 * @param path the words after `docs`: `api` may send any request, `openapi wait` waits without a flag
 */
export function exitsOf(path: string, command: Command): CommandExit[] {
  const anyRequest = path === 'api';
  const asks = anyRequest || command.operations.length > 0;
  const changes = anyRequest || command.operations.some(({ method }) => method !== 'GET');
  const takes = (flag: string): boolean => command.options.some(({ name }) => name === flag);
  const possible = new Set<ExitName>([
    ...always,
    ...(command.local ? [] : (['configuration'] as const)),
    ...(asks ? ofPlatform : []),
    ...(asks && changes ? ofChanges : []),
    ...(manyArgument(command) !== undefined || takes('concurrency') ? (['partial'] as const) : []),
    ...(takes('fail-on') || takes('exit-code') || path === 'backup verify' ? (['findings'] as const) : []),
    ...(takes('wait') || path === 'openapi wait' ? (['job-failed'] as const) : []),
  ]);
  return (Object.keys(exitCodes) as ExitName[])
    .filter((name) => possible.has(name))
    .map((name) => ({ name, ...exitCodes[name] }));
}
