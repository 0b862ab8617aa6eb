import { jsonOf } from '../folder/json-files.js';
import type { FileEntry } from '../folder/manifest.js';
import type { FieldChange } from '../report.js';
import { essenceOf } from './essence.js';
import { fieldsOf } from './fields.js';

/** Where files of a backup are read: its folder, or what was captured of the platform. */
export interface Files {
  readonly root: string;
  read(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  text(path: string): Promise<string | undefined>;
}

/** Some files, and the folder below which their paths are: '' or `spaces/Welcome/`. */
export interface Side {
  folder: Files;
  at: string;
  files: readonly FileEntry[];
}

/** A value as it is compared. @param kind of the file it is in */
export type Compared = (value: unknown, kind: string) => unknown;

/**
 * What differs in the files of one thing, by kind of file. Files with the same hash are not read.
 * @param main the kind whose fields are named without their file: `team`, but `team-members.…`
 */
export async function fieldsOfFiles(
  before: Side,
  after: Side,
  main: string,
  compared: Compared = essenceOf,
): Promise<FieldChange[]> {
  const kinds = new Set([...before.files, ...after.files].map(({ kind }) => kind));
  const changes: FieldChange[] = [];
  for (const kind of kinds) {
    const [old, now] = [before, after].map(({ files }) => files.find((file) => file.kind === kind));
    if (old?.sha256 === now?.sha256) continue;
    const values = [await valueIn(before, old), await valueIn(after, now)].map((value) =>
      compared(value, kind),
    );
    changes.push(...fieldsOf(values[0], values[1], kind === main ? '' : kind));
  }
  return changes;
}

/** The JSON of a file, or its text if it is not JSON; undefined if there is no such file. */
async function valueIn({ folder, at }: Side, file: FileEntry | undefined): Promise<unknown> {
  const text = file && (await folder.text(at + file.path));
  if (text === undefined || !file?.path.endsWith('.json')) return text;
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
