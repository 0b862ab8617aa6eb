import type { LinkStatus } from '../../../access/links/reference.js';
import type { Io } from '../../../base/io.js';
import { redactStrings } from '../../../base/redaction.js';
import { writeAskedFile } from '../../../files/asked-file.js';
import type { Looked, ReportFormat } from '../finding.js';
import type { Report, Tally } from '../report.js';

/** Opens a report of the statuses that are looked for; its format is loaded at first use. */
export async function openReport(format: ReportFormat, statuses: readonly LinkStatus[]): Promise<Report> {
  switch (format) {
    case 'sarif':
      return (await import('./sarif.js')).sarif();
    case 'junit':
      return (await import('./junit.js')).junit(statuses);
    case 'markdown':
      return (await import('./markdown.js')).markdown(statuses);
  }
}

export async function* piecesOf(
  report: Report,
  looks: AsyncIterable<Looked>,
  tally: Tally,
): AsyncGenerator<string> {
  yield report.begin();
  // Links may carry signatures, and reports are kept and shown to others.
  for await (const looked of looks) yield report.looked(redactStrings(looked));
  yield report.end(tally);
}

/**
 * Writes a report to a file. The old file stays until the new one is whole, and if the check fails.
 * @param path absolute
 * @throws DocsError local-io; what the pieces throw
 */
export async function writeReport(
  io: Pick<Io, 'own'>,
  path: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  await writeAskedFile(io, path, encoded(pieces));
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) if (piece !== '') yield encoder.encode(piece);
}
