import type { View } from '../../output/printer.js';
import type { Session } from '../declare/session.js';

/** A sentence on a terminal; the columns of the view in a pipe; the object where it was asked for. */
export async function printDone(
  { printer, settings, io }: Session,
  view: View,
  result: { id: string; status: string } & Record<string, unknown>,
  sentence: string,
): Promise<void> {
  if (settings.output === undefined && io.stdout.isTTY !== true) await printer.one(result, view);
  else await printer.done(result, sentence);
}
