import { type ExitName, exitCodes } from '../../exit-codes.js';
import type { Command } from '../declare/command.js';
import { manyArgument } from '../declare/traits.js';
import type { DescribedCommand } from './described-command.js';

/** Which exit codes a command can end with, from its declaration. */

const always: readonly ExitName[] = ['ok', 'bug', 'usage', 'local-io', 'interrupted', 'terminated'];
const ofRequests: readonly ExitName[] = [
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

/** The exit codes of a command, in the order of their numbers. */
export function exitsOf(command: Command): DescribedCommand['exitCodes'] {
  const { local, operations, anyRequest } = command;
  const asks = anyRequest || operations.length > 0;
  const changes = anyRequest || operations.some(({ method }) => method !== 'GET');
  const possible = new Set<ExitName>([
    ...always,
    ...(local ? [] : (['configuration'] as const)),
    ...(asks ? ofRequests : []),
    ...(changes ? ofChanges : []),
    ...(manyArgument(command) === undefined ? [] : (['partial'] as const)),
    ...command.exits,
  ]);
  return (Object.keys(exitCodes) as ExitName[])
    .filter((name) => possible.has(name))
    .map((name) => ({ name, ...exitCodes[name] }));
}
