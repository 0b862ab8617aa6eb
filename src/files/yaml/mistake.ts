import { nearest } from '../../base/nearest.js';

/** Where something stands in a file. */
export interface FilePlace {
  /** As errors name it: its path, relative to the folder where the file is one of several. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** `people[3].role`. */
  path: string;
}

/** One mistake of a file. Values are never quoted: one of them may be a secret in the wrong place. */
export interface Mistake extends FilePlace {
  /** The rest of a sentence about the path: `is not known; did you mean "role"?`. */
  message: string;
  /** The known key or value that was most likely meant. */
  nearest?: string;
}

/** `teams.yaml:3:5 teams[1].titel is not known; did you mean "title"?` */
export function mistakeLine({ file, line, column, path, message }: Mistake): string {
  return `${file}:${line}:${column} ${path === '' ? 'the file' : path} ${message}`;
}

/** ` did you mean "title"?`, where something is near. */
export function withNearest(
  message: string,
  word: string,
  known: Iterable<string>,
): Pick<Mistake, 'message' | 'nearest'> {
  const meant = nearest(word, known);
  return meant === undefined
    ? { message }
    : { message: `${message}; did you mean "${meant}"?`, nearest: meant };
}
