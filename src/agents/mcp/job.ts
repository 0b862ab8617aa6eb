import { usageError } from '../../base/errors.js';
import { type Answer, failed } from './answer.js';
import { type Calls, errorOf } from './calls.js';
import { resultIn, usualLimit } from './read.js';
import type { Caller, McpWorld } from './world.js';

/** `docs_job`: jobs of this machine, and what undo would do. Never changes anything. */

/** What a call asks for; without a job, all of them. */
export interface JobQuestion {
  job?: string;
  undo?: boolean;
}

/** @throws DocsError usage `bad_value` */
export async function job(
  world: McpWorld,
  calls: Calls,
  { job: name, undo }: JobQuestion,
  caller: Caller,
): Promise<Answer> {
  const argv = wordsFor(name, undo === true);
  const line = await world.parse(argv);
  const ran = await calls.run(argv, line, [], caller, { readOnly: true, stops: true });
  const value = resultIn(ran, usualLimit);
  if (ran.code !== 0)
    return failed(errorOf(ran), value.result === undefined ? {} : value, ['result', 'notes']);
  const links = name === undefined ? [] : [{ uri: `docs://jobs/${name}`, name: `Job ${name}` }];
  return { value, long: 'result', foreign: ['result', 'notes'], links };
}

function wordsFor(name: string | undefined, undo: boolean): string[] {
  if (name === undefined && undo)
    throw usageError('missing_argument', 'undo needs a job; last is the newest.');
  if (name === undefined) return ['jobs', 'list', `--limit=${usualLimit}`];
  // It must not be taken for a flag.
  if (!/^\w[\w-]*$/.test(name))
    throw usageError('bad_value', `job is not the name of a job: ${JSON.stringify(name)}.`);
  return undo ? ['undo', name, '--dry-run'] : ['jobs', 'show', name];
}
