import type { Client, LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { Session } from './session.js';

/** All changes of a run, before any is sent. */
export interface Changes {
  session: Session;
  client: Client;
  /** Each with the flags of `guardFlags` that were given for it. */
  calls: readonly {
    op: AnyOperation;
    input: LooseInput;
    id: string;
    flags?: readonly string[] | undefined;
  }[];
}

/** What is confirmed before a change beside what its danger says. */
export interface Caution {
  /** Sentences, shown before the question; none: there is nothing to confirm. */
  risks: readonly string[];
  /** Whether scripts need --yes; otherwise only a terminal asks. */
  needsYes: boolean;
  /** The question, where the usual one says too little; without a question mark. */
  question?: string;
  /** Whether its risks tell what the changes expose, which is then not told again. */
  exposes?: true;
}

/**
 * Looks at changes as a whole: at one, at many and at the rows of a file, and in a dry run, too.
 * @throws DocsError why they are refused, whatever is confirmed; as `Client.call`
 */
export type Guard = (changes: Changes) => Promise<Caution>;
