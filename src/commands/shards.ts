import { usageError } from '../base/errors.js';
import type { ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import { parseShard } from '../shards/shard.js';
import { type Own, plainOwn, type Split } from './shards-own.js';

/** `--shard`, `--parts` and `--merge` of the commands that only read. Nothing of it is loaded without these flags. */

/**
 * Runs a command on all, on one part, or on the parts of others.
 * @throws DocsError usage `invalid_shard`, `contradiction`, and as `joined`; whatever `run` throws
 */
export async function withShards(
  session: Session,
  input: ManualInput,
  split: Split,
  run: (own: Own) => Promise<void>,
): Promise<void> {
  const { merge, parts } = input.options;
  const shard = parseShard(input.options.shard);
  const plain = plainOwn(session, input);
  if (shard === undefined && parts !== undefined)
    throw usageError('contradiction', '--parts requires --shard <i>/<n>');
  if (typeof merge === 'string') {
    const { joined } = await import('./shards-run.js');
    return joined(plain, { split, merge }, run);
  }
  if (shard === undefined) return run(plain);
  if (typeof parts !== 'string')
    throw usageError('missing_parts', 'missing --parts: the folder to write the part to', {
      hint: `docs ${split.command} --shard ${shard.index}/${shard.of} --parts <folder>`,
    });
  const { inPart } = await import('./shards-run.js');
  return inPart(plain, { split, shard, parts }, run);
}
