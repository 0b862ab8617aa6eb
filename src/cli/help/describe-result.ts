import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { Type } from '../../api/type.js';
import {
  closed,
  done,
  Failure,
  ItemResult,
  nextCommands,
  PreviewedRequest,
} from '../../output/printed-shapes.js';
import { manyArgument, statusOf } from '../declare/traits.js';
import type { TreeEntry } from '../declare/tree.js';
import { anyOf, type JsonSchema, joined, listOf, plainSchema } from './plain-schema.js';

/** What `--json` prints, as JSON Schema. Further fields that the platform sends are kept and printed. */

/** What stands on stderr, on one line, when a command fails with `--json`. */
export const errorSchema: JsonSchema = plainSchema(
  closed({ error: closed({ ...Failure.properties, next: nextCommands }) }),
);

/** What `--dry-run` prints, for each request; undefined for a command that changes nothing. */
export function previewSchema({ command }: TreeEntry): JsonSchema | undefined {
  return command.danger === 'read' || command.spec === undefined ? undefined : plainSchema(PreviewedRequest);
}

/** The result of a command; `{}`, any value, only where the platform alone knows it. */
export function resultSchema(entry: TreeEntry): JsonSchema {
  const { command } = entry;
  const { returns } = command;
  if (command.spec === undefined) return returns === undefined ? {} : plainSchema(returns);
  const single = anyOf([
    ...command.operations.map((op) => answerSchema(entry, op)),
    ...(returns === undefined ? [] : [plainSchema(returns)]),
  ]);
  if (manyArgument(command) === undefined) return single;
  return joined([single, listOf(plainSchema(ItemResult))], ([one = {}, many = {}]) => ({
    anyOf: [one, { ...many, description: 'Several ids, or ids from a file or stdin: one result per id' }],
  }));
}

function answerSchema({ command }: TreeEntry, op: AnyOperation): JsonSchema {
  const { returns } = op;
  if (returns.kind === 'none') return plainSchema(done(Type.Literal(statusOf(command, op))));
  if (returns.kind === 'page') return listOf(plainSchema(returns.item));
  const { listIn, children } = command.spec ?? {};
  // A tree is printed as the platform answers it, with what stands around it.
  if (listIn === undefined || children !== undefined) return plainSchema(returns.schema);
  return plainSchema((returns.schema.properties as Record<string, TSchema>)[listIn] ?? returns.schema);
}
