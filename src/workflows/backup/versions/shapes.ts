import { type Static, Type } from '../../../api/type.js';
import { closed, oneOf, stateOf, text } from '../../../output/printed-shapes.js';
import { Difference } from '../report.js';

/** What `docs backup log` and `show` print. */

const count = (description: string) => Type.Optional(Type.Integer({ description }));

export const LoggedRun = closed({
  run: Type.Integer({ description: 'Its number: the first run is 1' }),
  startedAt: text,
  finishedAt: Type.Optional(Type.String({ description: 'Absent if it did not finish' })),
  state: stateOf('whole', 'partial', 'unfinished'),
  signedBy: Type.Optional(Type.String({ description: 'Fingerprint of the key that signed it' })),
  spaces: Type.Integer({ description: 'Spaces in the backup' }),
  added: count('Files that it added; absent where that is not known'),
  changed: count('Files that it changed'),
  removed: count('Files that it removed'),
  kept: Type.Boolean({ description: 'Whether its files can be read: of the latest run, and of those kept' }),
});
export type LoggedRun = Static<typeof LoggedRun>;

export const ShownChange = closed({
  ...Difference.properties,
  /** `hashes`: files of it are lost, so only which files differ is known. */
  compared: oneOf('values', 'hashes'),
});
export type ShownChange = Static<typeof ShownChange>;
