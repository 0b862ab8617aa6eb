/** What completion offers for a positional or a flag, where neither its kind nor its choices say it. */

/** What this machine knows without the platform. */
export type CompletedHere =
  | 'jobs'
  | 'undoable-jobs'
  | 'unfinished-jobs'
  | 'unsettled-jobs'
  | 'unsettled-items'
  | 'job-items';

/** `commands`: a whole command line of docs; `bulk-commands`: commands that can be run for many rows. */
export type Completes = CompletedHere | 'commands' | 'bulk-commands' | 'setting-value';
