/** Flags that every command takes (command-tree, "Grammar"). */
export interface Globals {
  output?: string;
  json?: boolean;
  fields?: string;
  jq?: string;
  header?: boolean;
  csvRaw?: boolean;
  profile?: string;
  baseUrl?: string;
  sandbox?: boolean;
  timeout?: string;
  byTitle?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  quiet?: boolean;
  /** false with `--no-input`. */
  input?: boolean;
  /** false with `--no-color`. */
  color?: boolean;
  debug?: boolean;
  retry?: boolean;
  maxAttempts?: string;
  caFile?: string;
}
