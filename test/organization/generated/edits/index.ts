import { type Act, anyEdit, type Edit, Editing, type Expected } from '../edit.js';
import { Files } from '../files.js';
import { fieldEdits, libraryEdits } from './library.js';
import { otherEdits, siteEdits } from './others.js';
import { peopleEdits, teamEdits } from './people.js';
import { structureEdits } from './sites.js';

const groups = [
  peopleEdits,
  teamEdits,
  fieldEdits,
  libraryEdits,
  siteEdits,
  structureEdits,
  otherEdits,
] as const;

/** All edits, by name. */
export const edits: Readonly<Record<string, Act>> = Object.assign({}, ...groups);

/** One random edit. */
export const edit = anyEdit(Object.keys(edits));

/** Edits the files of a folder. Edits for which there is no item do nothing. */
export function editFiles(folder: string, made: readonly Edit[]): Expected {
  const editing = new Editing(new Files(folder));
  for (const { name, choices } of made) {
    editing.begin(choices);
    edits[name]?.(editing);
  }
  editing.files.save();
  return editing.expected;
}
