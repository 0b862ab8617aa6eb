/** How declarations say what belongs to this machine and its owner: programs that act for others are kept from it. */

/** A file or a folder of this machine that a value names. */
export interface NamesPath {
  /** What a command does with it; both is `writes`. */
  use: 'reads' | 'writes';
  /** Where it is where the flag is left out, relative to the working directory; none where nothing is used then. */
  usual?: string;
}

export interface TakesPath {
  /** Which file or folder of this machine it names, beside the texts of `reads`. */
  path?: NamesPath;
}

export interface OfOwner {
  /**
   * How requests are sent: what is typed for `docs mcp serve` holds for every call. `owner`: as whom, to where, and
   * with which trust, which a caller must not choose.
   */
  sets?: 'owner' | 'anyone';
  /** Reads or prints a secret, which is for the person at the terminal alone. */
  secret?: true;
}

export interface ActsHere {
  /**
   * Does something on this machine though it changes nothing on the platform: writes files, starts programs, shows
   * secrets. A text: the flag without which it does.
   */
  actsHere?: true | (string & {});
}
