import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { redactStrings } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import { writeAskedFile, writeNewAskedFile } from '../../files/asked-file.js';
import { resolveColumns } from '../../output/columns.js';
import { csvFormat } from '../../output/formats.js';
import { stringify } from '../../output/json.js';
import { rehearsalFolder } from '../../settings/paths.js';
import { inRehearsal } from '../../settings/rehearsal.js';
import { makeEvidenceFolder } from './evidence-folder.js';
import { type Offboarding, reportFormat } from './report.js';
import { rowFields, rowsOf, runRows } from './rows.js';

/**
 * The evidence files, written before the first change, since what a member held cannot be read afterwards,
 * and completed after the last one. They are readable by their owner only, and overwrite no other file.
 */

export interface Evidence {
  /** Absolute paths. */
  files: { json: string; csv: string };
  report: Offboarding;
}

/**
 * Where evidence that is begun or completed stands: in a rehearsal nobody is offboarded, so it is kept with the
 * rehearsal alone.
 */
export function standingFiles(io: Io, { json, csv }: Evidence['files']): Evidence['files'] {
  const at = (path: string) => inRehearsal(io, 'evidence', path, basename(path));
  return { json: at(json), csv: at(csv) };
}

/** The folder of evidence that is begun now. */
export function standingFolder(io: Io, folder: string): string {
  const rehearsal = rehearsalFolder(io);
  return rehearsal === undefined ? folder : join(rehearsal, 'evidence');
}

/** @param folder absolute; made where it is missing @returns with the report that names the files @throws DocsError local-io */
export async function beginEvidence(io: Io, folder: string, report: Offboarding): Promise<Evidence> {
  await makeEvidenceFolder(folder);
  const stamp = new Date(io.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const csv = await writeNewAskedFile(io, folder, `offboarding-${stamp}Z.csv`, await csvOf(report));
  const name = `${basename(csv, '.csv')}.json`;
  const named = (json: string) => ({ ...report, files: { json, csv: basename(csv) } });
  try {
    const json = await writeNewAskedFile(io, folder, name, jsonOf(named(name)));
    return { files: { json, csv }, report: named(basename(json)) };
  } catch (cause) {
    await rm(csv, { force: true });
    throw cause;
  }
}

/** Writes the JSON last, since it holds the state. @throws DocsError local-io */
export async function writeEvidence(io: Pick<Io, 'own'>, { files, report }: Evidence): Promise<void> {
  await writeAskedFile(io, files.csv, await csvOf(report));
  await writeAskedFile(io, files.json, jsonOf(report));
}

export async function dropEvidence({ json, csv }: Evidence['files']): Promise<void> {
  for (const path of [json, csv]) await rm(path, { force: true });
}

/** @param json its absolute path @param name as errors name it @throws DocsError usage `no_evidence` */
export function evidenceOf(text: string, json: string, name: string): Evidence {
  let report: Offboarding | null = null;
  try {
    report = JSON.parse(text);
  } catch {
    // Refused below, like other JSON.
  }
  if (report?.format !== reportFormat || !Array.isArray(report.people))
    throw usageError('no_evidence', `${name} is not an offboarding evidence file in JSON.`);
  const csv = report.files?.csv ?? `${basename(json, '.json')}.csv`;
  return { files: { json, csv: join(dirname(json), basename(csv)) }, report };
}

function jsonOf({ people, files, ...head }: Offboarding): string {
  return `${stringify(redactStrings(defined({ ...head, people, files })), 2)}\n`;
}

async function csvOf(report: Offboarding): Promise<string> {
  const columns = resolveColumns({ columns: rowFields.map((path) => ({ path })) }, undefined);
  const format = await csvFormat(columns, false);
  return `${format.begin?.([], false) ?? ''}${format.items(redactStrings([...runRows(report), ...rowsOf(report)]))}`;
}
