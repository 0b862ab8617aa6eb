import type { KindName } from '../resolve/catalogue.js';

/** What ids of resources a positional or a flag takes. */
export interface TakesIds {
  /** The kind; default: by the field, else by the placeholder. */
  kind?: KindName;
  /** Taken as typed: new names, and what no list holds. */
  asTyped?: true;
  /** Whether the platform takes an email for the id of a user. */
  emails?: true;
  /** Further kinds whose ids it takes; one may be written with its kind, `collection:c1`, else it is looked up. */
  otherKinds?: readonly KindName[];
}
