/** What a policy must know of a command beside its operations. */
export interface Governed {
  /**
   * It writes on this machine (settings, journals, files and folders of its own), or runs programs there. To print
   * into a file that a flag names (`--save-plan`, `--download`) is not meant.
   */
  effect?: 'local';
  /** The flag, or one of the flags, without which it only reads. */
  changesWith?: readonly string[];
  /** Its requests are what counts, and not its name: it sends those of other commands. */
  carrier?: true;
  /** Needed to find out what is wrong with a policy: runs also while one is invalid. */
  repairs?: true;
}
