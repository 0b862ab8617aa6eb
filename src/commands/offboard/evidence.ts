import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { writeFileAtomically, writeNewFile } from '../../output/atomic-write.js';
import { resolveColumns } from '../../output/columns.js';
import { csvFormat } from '../../output/csv.js';
import { stringify } from '../../output/json.js';
import { readSource } from '../typed-text.js';
import { type Offboarding, reportFormat } from './report.js';
import { rowFields, rowsOf, runRows } from './rows.js';

/**
 * The files that prove an offboarding: begun before the first change with what each person held, which
 * nobody can read afterwards, and completed after the last one. Written beside their place and renamed,
 * readable by their owner alone; no file that was there is overwritten.
 */

export interface EvidenceFiles {
  /** Absolute paths. */
  json: string;
  csv: string;
}

/**
 * Begins the files.
 * @param folder absolute; it must be there
 * @returns the files and the report that names them
 * @throws DocsError local-io
 */
export async function beginEvidence(
  io: Io,
  folder: string,
  report: Offboarding,
): Promise<{ files: EvidenceFiles; report: Offboarding }> {
  const stamp = new Date(io.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const csv = await writeNewFile(folder, `offboarding-${stamp}Z.csv`, await csvOf(report));
  const name = `${basename(csv, '.csv')}.json`;
  const named = { ...report, files: { json: name, csv: basename(csv) } };
  try {
    const json = await writeNewFile(folder, name, jsonOf(named));
    return {
      files: { json, csv },
      report: { ...named, files: { json: basename(json), csv: basename(csv) } },
    };
  } catch (cause) {
    await rm(csv, { force: true });
    throw cause;
  }
}

/** Writes what is known now; the JSON last, since it says whether all is complete. @throws DocsError local-io */
export async function writeEvidence({ json, csv }: EvidenceFiles, report: Offboarding): Promise<void> {
  await writeFileAtomically(csv, await csvOf(report));
  await writeFileAtomically(json, jsonOf(report));
}

/** Takes back files of an offboarding that was not begun after all. */
export async function dropEvidence({ json, csv }: EvidenceFiles): Promise<void> {
  for (const path of [json, csv]) await rm(path, { force: true });
}

/**
 * Reads an evidence file to go on with it.
 * @param typed path, as typed
 * @throws DocsError local-io where it cannot be read; usage `no_evidence` where it is something else
 */
export async function readEvidence(
  io: Io,
  typed: string,
): Promise<{ files: EvidenceFiles; report: Offboarding }> {
  const json = resolve(io.cwd, typed);
  const report = parsed(await readSource(io, json, '--resume'));
  if (report === undefined)
    throw usageError('no_evidence', `--resume: ${typed} is no evidence of an offboarding in JSON.`);
  const csv = report.files?.csv ?? `${basename(json, '.json')}.csv`;
  return { files: { json, csv: join(dirname(json), basename(csv)) }, report };
}

function parsed(text: string): Offboarding | undefined {
  try {
    const value = JSON.parse(text) as Offboarding | null;
    return value?.format === reportFormat && Array.isArray(value.people) ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonOf({ people, files, ...head }: Offboarding): string {
  return `${stringify({ ...head, people, ...(files !== undefined && { files }) }, 2)}\n`;
}

async function csvOf(report: Offboarding): Promise<string> {
  const columns = resolveColumns({ columns: rowFields.map((path) => ({ path })) }, undefined);
  const format = await csvFormat(columns, false);
  return `${format.begin?.([], false) ?? ''}${format.items([...runRows(report), ...rowsOf(report)])}`;
}
