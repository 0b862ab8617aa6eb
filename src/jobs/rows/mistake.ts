/** Something wrong in a row. */
export interface Mistake {
  line: number;
  /** The column at fault, from 1; undefined where the row as a whole is. */
  column?: number;
  name?: string;
  message: string;
}

/** `Line 4, column 2 (role): must be …` */
export function mistakeWords({ line, column, name, message }: Mistake): string {
  const at = column === undefined ? '' : `, column ${column}${name === undefined ? '' : ` (${name})`}`;
  return `Line ${line}${at}: ${message}`;
}
