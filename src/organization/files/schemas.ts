/** The names that `docs schema file:<name>` knows: `org`, `people`, `teams`, … */
export const fileNames: readonly string[] = [];

/** The JSON Schema of a file. */
export function fileSchema(_name: string): object {
  throw new Error('not built yet');
}
