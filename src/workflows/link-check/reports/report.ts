import { writeFileAtomically } from '../../../files/atomic-write.js';
import type { Looked } from '../finding.js';
import type { Tally } from '../report.js';

/** A report, written piece by piece while the check runs. Every piece ends with a newline or is empty. */
export interface Report {
  begin(): string;
  /** What was found in a space, or on a page of a change request; also called if nothing was found. */
  looked(looked: Looked): string;
  /** The end, with what could not be read. */
  end(tally: Tally): string;
}

/** The text of a report in pieces, as the check proceeds. */
export async function* piecesOf(
  report: Report,
  looks: AsyncIterable<Looked>,
  tally: Tally,
): AsyncGenerator<string> {
  yield report.begin();
  for await (const looked of looks) yield report.looked(looked);
  yield report.end(tally);
}

/**
 * Writes a report to a file. The old file stays until the new one is whole, and if the check fails.
 * @param path absolute
 * @throws DocsError local-io; what the pieces throw
 */
export async function writeReport(path: string, pieces: AsyncIterable<string>): Promise<void> {
  await writeFileAtomically(path, encoded(pieces));
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) if (piece !== '') yield encoder.encode(piece);
}
